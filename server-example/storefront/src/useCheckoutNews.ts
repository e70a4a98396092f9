import type { CheckoutEvent, RampError } from '@partner-ramp/react';
import { useState } from 'react';

/** What happened to a checkout, in a sentence for the shopper. */
const sentences = (bought: string): Readonly<Record<CheckoutEvent['type'] | 'error', string>> => ({
  opened: 'The checkout is open.',
  loaded: 'The checkout is open.',
  // The page cannot see a payment: only the shop's server learns of it.
  closed: `The checkout was closed. If you paid, the ${bought} is on its way to your wallet.`,
  blocked: 'Your browser blocked the window. The link above opens it.',
  error: 'The checkout did not open, and nothing was charged.',
});

/** The news of a checkout, and what its button needs to write them. */
export function useCheckoutNews(bought: 'crypto' | 'print') {
  const [news, setNews] = useState('');
  const say = (what: CheckoutEvent['type'] | 'error') => setNews(sentences(bought)[what]);
  const handlers = {
    onEvent: ({ type }: CheckoutEvent) => say(type),
    // A blocked window has been told of as an event already.
    onError: ({ code }: RampError) => code === 'ERR_WIDGET_BLOCKED' || say('error'),
  };
  return [news, handlers] as const;
}
