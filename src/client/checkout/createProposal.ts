import type { CheckoutSelection } from '../../protocol/handler/selection.js';
import type { CheckoutProposal } from '../backend/createHttpSigner.js';
import type { CheckoutOptions } from './CheckoutSettings.js';

/** The unsigned parameters that decide what is bought. */
const selectionNames = [
  'cryptoCurrency',
  'defaultCurrency',
  'cryptoNetwork',
  'fiatCurrency',
  'defaultFiatCurrency',
  'amountFixed',
  'amount',
] as const satisfies readonly (keyof CheckoutSelection)[];

/** Returns what the page sends to the backend for a signature. */
export function createProposal({
  widget,
  signedParams: params = {},
  unsignedParams = {},
}: CheckoutOptions): CheckoutProposal {
  // An empty selection is sent too: it means that the widget starts with its default coin.
  const selection: { -readonly [Name in keyof CheckoutSelection]?: string } = {};
  for (const name of selectionNames) {
    const value = unsignedParams[name];
    if (value !== undefined) selection[name] = value;
  }
  return { widget, params, selection };
}
