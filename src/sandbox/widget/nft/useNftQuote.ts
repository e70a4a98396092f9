import { useMemo } from 'react';
import type { NftCheckoutClient } from '../client/CheckoutClient.js';
import { type LiveQuote, useLiveQuote } from '../price/useLiveQuote.js';

/** What the NFT costs in one currency; none without one. */
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
