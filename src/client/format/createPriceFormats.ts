import { type AmountFormats, createAmountFormats } from './createAmountFormats.js';

/** Functions that format prices in one language, with every digit. */
export interface PriceFormats {
  /** Formats fiat with at least as many decimals as is usual for the currency: `1,234.50 USD`. */
  readonly money: AmountFormats['money'];
  /** Formats an amount of a coin without trailing zeros: `97.09 USDT`. */
  readonly coin: AmountFormats['coin'];
}

/**
 * Returns functions that format decimal strings in a language, with every digit. Numbers would round: a coin may have
 * eighteen decimals. A no-break space separates the amount from its currency.
 *
 * @param language - A language tag such as `de-CH`. `de_CH` is understood too. An unknown language means English.
 * @example
 * const { money, coin } = createPriceFormats('de');
 * money('1234.5', 'EUR'); // '1.234,50 EUR'
 * coin('0.030729870000000000', 'ETH'); // '0,03072987 ETH'
 */
export function createPriceFormats(language: string): PriceFormats {
  const { money, coin } = createAmountFormats(language);
  return { money, coin };
}
