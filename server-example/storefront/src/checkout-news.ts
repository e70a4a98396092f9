import type { CheckoutEvent } from '@partner-ramp/react';

const news: Readonly<Record<CheckoutEvent['type'] | 'error', string>> = {
  opened: 'The checkout is open.',
  loaded: 'The checkout is open.',
  // The page cannot see a payment: only the shop's server learns of it.
  closed: 'The checkout was closed. If you paid, the crypto is on its way to your wallet.',
  blocked: 'Your browser blocked the window. The link above opens it.',
  error: 'The checkout did not open, and nothing was charged.',
};

/** What happened to the checkout, in a sentence for the shopper. */
export function checkoutNews({ type }: { readonly type: keyof typeof news }): string {
  return news[type];
}
