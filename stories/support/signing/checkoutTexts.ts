import {
  isRampError,
  parseWidgetParams,
  parseWidgetUrl,
  type RampError,
  widgetPayload,
} from '../../../src/protocol/index.js';
import type { CheckoutOptions } from '../../../src/react/checkout-types.js';
import { checkoutUrl } from '../../../src/react/checkoutUrl.js';
import type { SignedAnswer } from './useSignedAnswer.js';

/** The address that a click opens and the text in it that was signed, or what is wrong. */
type CheckoutTexts =
  | { readonly url: string; readonly payload: string }
  | { readonly error: RampError };

/** What comes of a button's options and the backend's answer, by the button's own functions. */
export function checkoutTexts(
  options: CheckoutOptions,
  answer: SignedAnswer | undefined,
): CheckoutTexts | undefined {
  const { widget, signedParams, unsignedParams, display = 'modal' } = options;
  try {
    // The backend hears of those that are signed alone.
    parseWidgetParams(widget, { ...unsignedParams, ...signedParams }, 'proposal');
    if (!answer || 'error' in answer) return answer;
    const opening = { options, display, trigger: undefined, container: null, blank: null };
    const url = checkoutUrl(opening, answer.signed);
    return { url, payload: widgetPayload(widget, parseWidgetUrl(url).params) };
  } catch (error) {
    if (isRampError(error)) return { error };
    throw error;
  }
}
