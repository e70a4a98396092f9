import type { CheckoutSelection } from './selection.js';

/**
 * Returns the amount and currency that a selection's order must have, for your policy's grant. Returns `undefined`
 * unless the page fixes both, with `amountFixed` and a single code in `fiatCurrency`. Otherwise the shopper may change
 * them in the widget, and an honest order would then be quarantined.
 *
 * The values come from the page. They tie the order to what your policy has seen, not to your own price. For that,
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
