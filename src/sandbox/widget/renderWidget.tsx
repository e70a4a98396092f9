import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { PageData } from '../checkout/pageData.js';
import type { CheckoutClient, NftCheckoutClient, SignInClient } from './checkoutClient.js';
import '../checkout/tokens.css';
import './styles/layout.css';
import './styles/form.css';
import './styles/field.css';
import './styles/order.css';
import './styles/nft.css';
import { NftWidget } from './nft/NftWidget.js';
import { OnRampWidget } from './on-ramp/OnRampWidget.js';
import { SignInGate } from './SignInGate.js';

export function renderWidget(
  root: Element,
  session: PageData,
  client: CheckoutClient & NftCheckoutClient & SignInClient,
) {
  const checkout =
    session.widget === 'nft' ? (
      <NftWidget session={session} client={client} />
    ) : (
      <OnRampWidget session={session} client={client} />
    );
  createRoot(root).render(
    <StrictMode>
      {session.needsCookie ? (
        <SignInGate session={session} client={client}>
          {checkout}
        </SignInGate>
      ) : (
        checkout
      )}
    </StrictMode>,
  );
}
