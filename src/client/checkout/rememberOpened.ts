import { requestBackend } from '../backend/responses.js';
import { addOpenedCheckout } from '../pageCheckouts.js';
import type { Checkout } from './Checkout.js';
import { keepCheckoutChoices } from './checkoutChoices.js';
import type { EventType } from './events.js';
import { notifyStatusChanges } from './followCheckout.js';
import type { Opening } from './Opening.js';

/**
 * Remembers a checkout when its widget is opened: for the cards of the page, for a later click on "Continue checkout",
 * and at the backend. Then it begins to watch the checkout for the page's `onStatusChange`; with a redirect, watching
 * begins on `closed`, when the browser shows this page again.
 *
 * @param isListed - Whether the backend lists the opened checkouts of a shopper.
 */
export function rememberOpened(
  checkout: Checkout,
  opening: Opening,
  reference: string,
  type: EventType,
  isListed: boolean | undefined,
): void {
  const { display, earlier, options } = opening;
  const { api, widget, unsignedParams } = options;
  if (type === 'opened' && api != null) {
    addOpenedCheckout(api, reference);
    keepCheckoutChoices(api, reference, widget, unsignedParams);
    if (isListed) reportOpening(checkout, api, reference);
  }
  const isContinued = earlier?.reference === reference;
  if (!isContinued && type === (display === 'redirect' ? 'closed' : 'opened'))
    notifyStatusChanges(checkout, opening, reference);
}

/**
 * Tells the backend that the shopper opened a checkout, so that the backend lists it. With `keepalive`, the browser
 * sends the request even though a redirect unloads the page. A failure is silent, because the list contains the
 * checkout anyway once there is an order.
 */
function reportOpening(checkout: Checkout, api: string, reference: string): void {
  const path = `/checkouts/${encodeURIComponent(reference)}/opened`;
  const init = { method: 'POST', keepalive: true };
  requestBackend([checkout.getBackend(api), path, init]).catch(() => {});
}
