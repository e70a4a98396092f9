import { useMemo } from 'react';
import type { NftCheckoutClient } from '../client/CheckoutClient.js';
import { type LiveQuote, useLiveQuote } from '../price/useLiveQuote.js';

/** Returns the live quote of the NFT in a currency, or none without a currency. */
export function useNftQuote(
  client: NftCheckoutClient,
  fiatCurrency: string | undefined,
): LiveQuote {
  const ask = useMemo(
    () =>
      fiatCurrency === undefined
        ? undefined
        : (signal: AbortSignal) => client.quote({ fiatCurrency }, signal),
    [client, fiatCurrency],
  );
  return useLiveQuote(ask, fiatCurrency ?? '', undefined);
}
