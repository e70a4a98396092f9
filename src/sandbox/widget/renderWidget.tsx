import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { PageData } from '../session-data.js';
import type { CheckoutService, NftService } from './CheckoutService.js';
import './tokens.css';
import './layout.css';
import './form.css';
import './field.css';
import './order.css';
import './nft.css';
import { NftWidget } from './nft/NftWidget.js';
import { Widget } from './Widget.js';

/** Draws the checkout of one session into the page. */
export function renderWidget(
  root: Element,
  session: PageData,
  service: CheckoutService & NftService,
) {
  createRoot(root).render(
    <StrictMode>
      {session.widget === 'nft' ? (
        <NftWidget session={session} service={service} />
      ) : (
        <Widget session={session} service={service} />
      )}
    </StrictMode>,
  );
}
