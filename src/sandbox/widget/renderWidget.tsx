import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { PageData } from '../session-data.js';
import type { CheckoutClient, NftCheckoutClient, SignInClient } from './CheckoutService.js';
import './tokens.css';
import './layout.css';
import './form.css';
import './field.css';
import './order.css';
import './nft.css';
import { NftWidget } from './nft/NftWidget.js';
import { SignInGate } from './SignIn.js';
import { OnRampWidget } from './Widget.js';

/** Draws the checkout of one session into the page. */
export function renderWidget(
  root: Element,
  session: PageData,
  service: CheckoutClient & NftCheckoutClient & SignInClient,
) {
  const checkout =
    session.widget === 'nft' ? (
      <NftWidget session={session} service={service} />
    ) : (
      <OnRampWidget session={session} service={service} />
    );
  createRoot(root).render(
    <StrictMode>
      {session.needsCookie ? (
        <SignInGate session={session} service={service}>
          {checkout}
        </SignInGate>
      ) : (
        checkout
      )}
    </StrictMode>,
  );
}
