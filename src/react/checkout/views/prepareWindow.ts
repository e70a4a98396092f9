import type { CheckoutMessages } from '../../../messages/CheckoutMessages.js';

/**
 * Sets the title of a blank window, which the page controls until it is navigated, and centres it over the
 * page's window, on any screen. A tab is not moved.
 */
export function prepareWindow(blank: Window | null | undefined, messages: CheckoutMessages): void {
  if (!blank || blank.closed) return;
  blank.document.title = blank.document.body.textContent = messages.opening;
  blank.moveTo(
    screenX + (outerWidth - blank.outerWidth) / 2,
    screenY + (outerHeight - blank.outerHeight) / 2,
  );
}
