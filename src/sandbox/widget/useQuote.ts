import { useMemo } from 'react';
import type { CheckoutService } from './CheckoutService.js';
import { type LiveQuote, useLiveQuote } from './useLiveQuote.js';
import type { Purchase } from './usePurchase.js';

/** The price of an on-ramp purchase; none while it is not complete. */
export function useQuote(
  service: CheckoutService,
  { fiatCurrency, currencyAmount, cryptoCurrencyCode }: Purchase['request'],
): LiveQuote {
  const ask = useMemo(() => {
    if (!fiatCurrency || !currencyAmount || !cryptoCurrencyCode) return undefined;
    const purchase = { fiatCurrency, currencyAmount, cryptoCurrencyCode };
    return (signal: AbortSignal) => service.quote(purchase, signal);
  }, [service, fiatCurrency, currencyAmount, cryptoCurrencyCode]);
  return useLiveQuote(ask, `${fiatCurrency} ${cryptoCurrencyCode}`, currencyAmount);
}
