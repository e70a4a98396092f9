import { useMemo, useState } from 'react';
import { compareDecimals } from '../../../protocol/decimals.js';
import type { CatalogFiatCurrency } from '../../catalog/fiatCurrencies.js';
import type { NftPageData } from '../../checkout/pageData.js';
import type { NftCheckoutClient } from '../checkoutClient.js';
import type { Locale } from '../locale.js';
import { type LiveQuote, useLiveQuote } from '../price.js';

/** What the shopper has entered so far. It is kept when the screen changes. */
export interface NftPurchaseDraft {
  readonly fiat: CatalogFiatCurrency | undefined;
  readonly email: string;
  setFiat(code: string): void;
  setEmail(text: string): void;
}

export function useNftPurchase(session: NftPageData): NftPurchaseDraft {
  const [code, setFiat] = useState(session.fiat);
  const [email, setEmail] = useState(session.email ?? '');
  return { fiat: session.fiats.find((each) => each.code === code), email, setFiat, setEmail };
}

/**
 * Returns a message if the fiat amount is outside the limits of a card. The shopper cannot change the amount, because
 * the price is signed.
 */
export function findLimitIssue(
  { t, formats }: Locale,
  fiat: CatalogFiatCurrency | undefined,
  { quote }: LiveQuote,
): string | undefined {
  if (!fiat || !quote) return undefined;
  const [{ min, max }] = fiat.paymentOptions;
  const below = compareDecimals(quote.currencyAmount, min) < 0;
  if (!below && compareDecimals(quote.currencyAmount, max) <= 0) return undefined;
  return t(below ? 'nftBelowMinimum' : 'nftAboveMaximum', {
    total: formats.money(quote.currencyAmount, fiat.code, fiat.digits),
    amount: formats.money(below ? min : max, fiat.code, fiat.digits),
  });
}

/** Returns the live quote of the NFT in `fiatCurrency`. No quote is requested without a currency. */
export function useNftQuote(
  client: NftCheckoutClient,
  fiatCurrency: string | undefined,
): LiveQuote {
  const requestQuote = useMemo(
    () =>
      fiatCurrency === undefined
        ? undefined
        : (signal: AbortSignal) => client.quote({ fiatCurrency }, signal),
    [client, fiatCurrency],
  );
  return useLiveQuote(requestQuote, fiatCurrency ?? '', undefined);
}
