import {
  buildWidgetPayload,
  isRampError,
  parseWidgetParams,
  parseWidgetUrl,
  type RampError,
} from '../../../src/protocol/index.js';
import { buildCheckoutUrl } from '../../../src/react/checkout/buildCheckoutUrl.js';
import type { CheckoutOptions } from '../../../src/react/checkout/useCheckout.js';
import type { SignedResponse } from './useSignedResponse.js';

/** The URL that a click opens and its signed text, or an error. */
type ResolvedTexts =
  | { readonly url: string; readonly payload: string }
  | { readonly error: RampError };

/** Builds the texts from a button's options and the backend's response, with the functions of the button. */
export function resolveCheckoutTexts(
  options: CheckoutOptions,
  answer: SignedResponse | undefined,
): ResolvedTexts | undefined {
  const { widget, signedParams, unsignedParams, display = 'modal' } = options;
  try {
    // The backend gets only the signed parameters.
    parseWidgetParams(widget, { ...unsignedParams, ...signedParams }, 'proposal');
    if (!answer || 'error' in answer) return answer;
    const opening = { options, display, trigger: undefined, container: null, blank: null };
    const url = buildCheckoutUrl(opening, answer.signed);
    return { url, payload: buildWidgetPayload(widget, parseWidgetUrl(url).params) };
  } catch (error) {
    if (isRampError(error)) return { error };
    throw error;
  }
}
