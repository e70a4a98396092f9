// Amounts before payment are estimates, because the price changes every few seconds. So shoppers see only the digits
// that matter. After payment, and in the price breakdown, they see all digits.

/** Matches the symbols of coins that track a fiat currency, such as USDT, PYUSD and EURC. */
const STABLECOINS = /USD|EUR|^(?:DAI|FRAX)$/i;

const SIGNIFICANT_DIGITS = 6;

/** Returns whether two decimals suffice for amounts of the coin, because one unit is worth about one unit of fiat. */
export const isStablecoin = (symbol: string): boolean => STABLECOINS.test(symbol);

/**
 * Returns how many decimals of a plain decimal a shopper should see before payment: two for a stablecoin, unless only
 * zeros would be left. For other coins, as many as make six significant digits; the digits before the point are always
 * shown, even if there are more than six.
 *
 * @param symbol - The symbol of the coin, such as `USDT`. Without it, the coin does not count as a stablecoin.
 */
export function countReadableDecimals(amount: string, symbol = ''): number {
  const [whole = '', fraction = ''] = amount.split('.');
  const wholeDigits = whole.replace(/^0+/, '').length;
  // Two decimals of 0.0042 USDT would be zero.
  if (isStablecoin(symbol) && (wholeDigits || /[1-9]/.test(fraction.slice(0, 2)))) return 2;
  const leadingZeros = wholeDigits ? 0 : fraction.search(/[1-9]|$/);
  return Math.max(0, SIGNIFICANT_DIGITS - wholeDigits) + leadingZeros;
}
