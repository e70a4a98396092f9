import { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import { hasOrder } from '../status/watch/progress.js';
import type { CheckoutSession } from './CheckoutSession.js';
import { reportIsolated } from './emitCheckoutEvent.js';
import type { Opening } from './Opening.js';

/**
 * Calls the page's `onStatusChange` with the state of a checkout until it is terminal or the button
 * unmounts. Errors do not change the button: requests are retried, and a final error is a warning in
 * development.
 */
export function notifyStatusChanges(
  session: CheckoutSession,
  { options: { api, onStatusChange } }: Opening,
  reference: string,
): void {
  if (!onStatusChange || api == null) return;
  if (!session.watches || session.watches.signal.aborted) session.watches = new AbortController();
  followCheckout(session, api, reference, session.watches.signal, (answer) =>
    reportIsolated(() => session.options.onStatusChange?.(answer)),
  );
}

/**
 * Follows the checkout that was open before the window of this opening, until it has an order: the shopper has paid,
 * and must not pay in this window too.
 *
 * @returns A function that ends the watch.
 */
export function followEarlierCheckout(
  session: CheckoutSession,
  { earlier, options: { api } }: Opening,
  onOrder: () => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  if (earlier && api != null)
    followCheckout(session, api, earlier.reference, signal, (checkout) => {
      if (hasOrder(checkout) && !signal.aborted) onOrder();
    });
  return () => controller.abort();
}

function followCheckout(
  session: CheckoutSession,
  api: string,
  reference: string,
  signal: AbortSignal,
  onChange: (checkout: CheckoutResponse) => void,
): void {
  import('../status/watch/watchCheckout.js')
    .then(({ watchCheckout }) =>
      watchCheckout({
        api,
        reference,
        request: session.request,
        RampError,
        signal,
        // From the latest render: a token may have been renewed since.
        get credentials() {
          return session.options.credentials;
        },
        get headers() {
          return session.options.headers;
        },
        onChange,
        // watchCheckout retries, or warns in development.
        onError() {},
      }),
    )
    // The code failed to load. The checkout itself continues.
    .catch(() => {});
}
