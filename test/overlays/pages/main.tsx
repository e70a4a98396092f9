import type { ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { RampProvider } from '../../../src/index.js';
import '../../../src/styles.css';

/** The page of each library: its overlays by kind, such as `dialog`. */
const pages = import.meta.glob<Record<string, ComponentType>>('./*.overlays.tsx');

const { searchParams } = new URL(location.href);
const load = pages[`./${searchParams.get('library')}.overlays.tsx`];
const overlays = await load?.();
const Overlay = overlays?.[`${searchParams.get('kind')}`];
if (Overlay)
  createRoot(document.body.appendChild(document.createElement('main'))).render(
    <RampProvider widgetUrl={`${searchParams.get('widget')}`} partnerId="shop">
      <Overlay />
      <p>The shop</p>
    </RampProvider>,
  );
