import { truncateDecimals } from '../../protocol/decimals.js';
import { countReadableDecimals, isStablecoin } from '../../protocol/readableAmount.js';
import type { AmountFormats } from './createAmountFormats.js';

/** Functions that format the amounts of a quote with the digits that matter to a shopper, rounded down. */
export interface EstimateFormats {
  /** `97.09`: two decimals of a stablecoin, otherwise six significant digits. */
  estimate(amount: string, coin: string): string;
  /** `3,119.40 USD`: the price of one coin, with six significant digits and at least two decimals. */
  unitPrice(amount: string, currency: string): string;
}

export const createEstimateFormats = ({ number, money }: AmountFormats): EstimateFormats => ({
  estimate: (amount, coin) =>
    number(
      truncateDecimals(amount, countReadableDecimals(amount, coin)),
      isStablecoin(coin) ? 2 : 0,
    ),
  unitPrice: (amount, currency) =>
    money(truncateDecimals(amount, Math.max(2, countReadableDecimals(amount))), currency),
});
