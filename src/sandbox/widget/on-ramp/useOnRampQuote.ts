import { useMemo } from 'react';
import type { CheckoutClient } from '../client/CheckoutClient.js';
import { type LiveQuote, useLiveQuote } from '../price/useLiveQuote.js';
import type { PurchaseDraft } from './usePurchase.js';

/** Returns the live quote of an on-ramp purchase, or none while the input is incomplete. */
export function useOnRampQuote(
  client: CheckoutClient,
  { fiatCurrency, currencyAmount, cryptoCurrencyCode }: PurchaseDraft['request'],
): LiveQuote {
  const ask = useMemo(() => {
    if (!fiatCurrency || !currencyAmount || !cryptoCurrencyCode) return undefined;
    const purchase = { fiatCurrency, currencyAmount, cryptoCurrencyCode };
    return (signal: AbortSignal) => client.quote(purchase, signal);
  }, [client, fiatCurrency, currencyAmount, cryptoCurrencyCode]);
  return useLiveQuote(ask, `${fiatCurrency} ${cryptoCurrencyCode}`, currencyAmount);
}
