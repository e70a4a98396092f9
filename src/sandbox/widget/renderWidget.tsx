import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { PageData } from '../session-data.js';
import type { CheckoutService, NftService, SignInService } from './CheckoutService.js';
import './tokens.css';
import './layout.css';
import './form.css';
import './field.css';
import './order.css';
import './nft.css';
import { NftWidget } from './nft/NftWidget.js';
import { SignIn } from './SignIn.js';
import { Widget } from './Widget.js';

/** Draws the checkout of one session into the page. */
export function renderWidget(
  root: Element,
  session: PageData,
  service: CheckoutService & NftService & SignInService,
) {
  const checkout =
    session.widget === 'nft' ? (
      <NftWidget session={session} service={service} />
    ) : (
      <Widget session={session} service={service} />
    );
  createRoot(root).render(
    <StrictMode>
      {session.needsCookie ? (
        <SignIn session={session} service={service}>
          {checkout}
        </SignIn>
      ) : (
        checkout
      )}
    </StrictMode>,
  );
}
