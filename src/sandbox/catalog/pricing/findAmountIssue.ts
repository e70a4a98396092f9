import { compareDecimals } from '../../../protocol/decimal/compareDecimals.js';
import { valueFormats } from '../../../protocol/widget/valueFormats.js';
import type { CatalogFiatCurrency, CatalogPaymentOption } from '../fiatCurrencies.js';

/** Returns why a fiat amount is invalid for a payment option, as a text that follows the name of the parameter. */
export function findAmountIssue(
  { code, digits }: CatalogFiatCurrency,
  { min, max }: CatalogPaymentOption,
  amount: string,
): string | undefined {
  const { pattern, words } = valueFormats.fiatAmount;
  if (!pattern.test(amount)) return `must be ${words}`;
  if (digits === 0 && /\.0*[1-9]/.test(amount)) return `must be a whole number in ${code}`;
  if (compareDecimals(amount, min) < 0) return `must be at least ${min} ${code}`;
  if (compareDecimals(amount, max) > 0) return `must be at most ${max} ${code}`;
  return undefined;
}
