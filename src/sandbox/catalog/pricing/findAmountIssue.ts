import { compareDecimals } from '../../../protocol/decimal/compareDecimals.js';
import { valueFormats } from '../../../protocol/widget/valueFormats.js';
import type { CatalogFiatCurrency, CatalogPaymentOption } from '../fiatCurrencies.js';

/** What is wrong with a fiat amount that is paid one way, to follow its name. */
export function findAmountIssue(
  { code, digits }: CatalogFiatCurrency,
  { min, max }: CatalogPaymentOption,
  amount: string,
): string | undefined {
  const { pattern, words } = valueFormats.fiatAmount;
  if (!pattern.test(amount)) return `must be ${words}`;
  if (digits === 0 && /\.0*[1-9]/.test(amount)) return `has no decimals in ${code}`;
  if (compareDecimals(amount, min) < 0) return `is at least ${min} ${code}`;
  if (compareDecimals(amount, max) > 0) return `is at most ${max} ${code}`;
  return undefined;
}
