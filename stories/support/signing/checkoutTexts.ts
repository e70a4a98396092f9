import { expect, waitFor } from 'storybook/test';
import { buildCheckoutUrl } from '../../../src/client/checkout/buildCheckoutUrl.js';
import type { CheckoutOptions } from '../../../src/client/checkout/CheckoutSettings.js';
import { chooseDisplay } from '../../../src/client/checkout/chooseDisplay.js';
import {
  buildWidgetPayload,
  isRampError,
  parseWidgetParams,
  parseWidgetUrl,
  type RampError,
} from '../../../src/protocol/index.js';
import type { SignedResponse } from './useSignedResponse.js';

/** The URL that a click opens and its signed text, or an error. */
type ResolvedTexts =
  | { readonly url: string; readonly payload: string }
  | { readonly error: RampError };

/** Builds the texts from a button's options and the backend's response, with the same functions as the button. */
export function resolveCheckoutTexts(
  options: CheckoutOptions,
  response: SignedResponse | undefined,
): ResolvedTexts | undefined {
  const { widget, signedParams, unsignedParams } = options;
  const display = chooseDisplay(options.display);
  try {
    // Check all parameters here, because the backend gets only the signed ones.
    parseWidgetParams(widget, { ...unsignedParams, ...signedParams }, 'proposal');
    if (!response || 'error' in response) return response;
    const opening = { options, display, trigger: undefined, container: null, blank: null };
    const url = buildCheckoutUrl(opening, response.signed);
    return { url, payload: buildWidgetPayload(widget, parseWidgetUrl(url).params) };
  } catch (error) {
    if (isRampError(error)) return { error };
    throw error;
  }
}

/** Waits until the texts below a button belong to its props, and returns them. */
export function findShownTexts(canvas: HTMLElement): Promise<{ url: string; payload: string }> {
  return waitFor(() => {
    const panel = canvas.querySelector('.signing');
    expect(panel).toHaveAttribute('aria-busy', 'false');
    const text = (of: string) => {
      const shown = panel?.querySelector(`[data-text="${of}"]`);
      expect(shown).toBeInTheDocument();
      return shown?.textContent ?? '';
    };
    return { url: text('url'), payload: text('payload') };
  });
}
