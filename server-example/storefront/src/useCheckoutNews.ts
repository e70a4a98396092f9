import type { CheckoutEvent } from '@partner-ramp/react';
import { useState } from 'react';

/** What happened to a checkout, in a sentence for the shopper. */
const sentences = (bought: string): Readonly<Record<CheckoutEvent['type'], string>> => ({
  opened: 'The checkout is open.',
  loaded: 'The checkout is open.',
  // The page cannot see a payment: only the shop's server learns of it.
  closed: `The checkout was closed. If you paid, the ${bought} is on its way to your wallet.`,
  blocked: 'Your browser blocked the window. The link above opens it.',
  failed: 'The checkout did not open, and nothing was charged.',
});

/** The news of a checkout, and what its button needs to write them. */
export function useCheckoutNews(bought: 'crypto' | 'print') {
  const [news, setNews] = useState('');
  const handlers = { onEvent: ({ type }: CheckoutEvent) => setNews(sentences(bought)[type]) };
  return [news, handlers] as const;
}
