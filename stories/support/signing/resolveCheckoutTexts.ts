import {
  buildWidgetPayload,
  isRampError,
  parseWidgetParams,
  parseWidgetUrl,
  type RampError,
} from '../../../src/protocol/index.js';
import { buildCheckoutUrl } from '../../../src/react/checkout/buildCheckoutUrl.js';
import type { CheckoutOptions } from '../../../src/react/checkout/CheckoutOptions.js';
import type { SignedResponse } from './useSignedResponse.js';

/** The address that a click opens and the text in it that was signed, or what is wrong. */
type ResolvedTexts =
  | { readonly url: string; readonly payload: string }
  | { readonly error: RampError };

/** What comes of a button's options and the backend's answer, by the button's own functions. */
export function resolveCheckoutTexts(
  options: CheckoutOptions,
  answer: SignedResponse | undefined,
): ResolvedTexts | undefined {
  const { widget, signedParams, unsignedParams, display = 'modal' } = options;
  try {
    // The backend hears of those that are signed alone.
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
