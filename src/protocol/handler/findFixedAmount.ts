import type { CheckoutSelection } from './selection.js';

/**
 * Returns the amount and the currency that the order of a selection must have, for the grant of a policy. Returns
 * `undefined` unless the page fixes both: `amountFixed`, and `fiatCurrency` with a single code. The shopper may change
 * anything else in the widget, so an honest order would be quarantined.
 *
 * The values come from the page. They bind the order to what your policy has seen, not to a price of yours: for that,
 * return your own `expectedAmount`.
 *
 * @example
 * return { params, ...findFixedAmount(selection) };
 */
export function findFixedAmount({
  amountFixed,
  fiatCurrency,
}: CheckoutSelection):
  | { readonly expectedAmount: string; readonly expectedFiatCurrency: string }
  | undefined {
  const currency = String(fiatCurrency ?? '');
  if (amountFixed === undefined || currency.length !== 3) return undefined;
  return { expectedAmount: String(amountFixed), expectedFiatCurrency: currency };
}
