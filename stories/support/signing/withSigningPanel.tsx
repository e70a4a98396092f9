import type { Decorator } from '@storybook/react-vite';
import type { Widget } from '../../../src/protocol/index.js';
import { SigningPanel } from './SigningPanel.js';

/** Shows under a widget's button what comes of its props. */
export const withSigningPanel =
  (widget: Widget): Decorator =>
  (Story, { args }) => (
    <SigningPanel widget={widget} props={args}>
      <Story />
    </SigningPanel>
  );
