import type { Formats } from '../locale/createFormats.js';
import type { PurchaseDraft } from './usePurchase.js';

/** Amounts as decimal strings, `undefined` while unknown. */
interface Amounts {
  readonly currencyAmount: string | undefined;
  readonly cryptoCurrencyAmount: string | undefined;
}

/** Formats both amounts in the currencies of the purchase. */
export function formatOrderAmounts(
  formats: Formats,
  { fiat, crypto }: PurchaseDraft,
  amounts: Amounts,
) {
  const { currencyAmount, cryptoCurrencyAmount } = amounts;
  return {
    paid: fiat && currencyAmount ? formats.money(currencyAmount, fiat.code, fiat.digits) : '',
    got:
      crypto && cryptoCurrencyAmount
        ? formats.money(cryptoCurrencyAmount, crypto.symbol, crypto.digits)
        : undefined,
    network: crypto?.networkName,
  };
}
