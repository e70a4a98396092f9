import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import { logFailure } from '../dev/logFailure.js';
import type { CheckoutSession } from './CheckoutSession.js';
import { reportIsolated } from './emitCheckoutEvent.js';
import type { Opening } from './Opening.js';
import { hasOrder } from './paidProgress.js';

/**
 * Calls the page's `onStatusChange` with the state of a checkout until it is terminal or the button
 * unmounts. Errors do not change the button: requests are retried, and a repeated error is printed.
 */
export function notifyStatusChanges(
  session: CheckoutSession,
  { options: { api, onStatusChange } }: Opening,
  reference: string,
): void {
  if (!onStatusChange || api == null) return;
  followCheckout(session, api, reference, getUnmountSignal(session), (answer) =>
    reportIsolated(() => session.options.onStatusChange?.(answer)),
  );
}

/**
 * Follows the checkout whose widget was used before the window of this opening, until it has an order: the shopper has
 * paid, and must not pay in this window too. If the widget was not used, the payment was made in this window.
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
  const stop = () => controller.abort();
  if (!earlier?.mayBePaid || api == null) return stop;
  // Removed by abort() itself.
  getUnmountSignal(session).addEventListener('abort', stop, { signal });
  followCheckout(session, api, earlier.reference, signal, (checkout) => {
    if (signal.aborted || !hasOrder(checkout)) return;
    stop();
    onOrder();
  });
  return stop;
}

/** Returns the signal that aborts when the button unmounts. */
function getUnmountSignal(session: CheckoutSession): AbortSignal {
  if (!session.watches || session.watches.signal.aborted) session.watches = new AbortController();
  return session.watches.signal;
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
        signal,
        // From the latest render: a token may have been renewed since.
        get credentials() {
          return session.options.credentials;
        },
        get headers() {
          return session.options.headers;
        },
        onChange,
        // In development watchCheckout warns itself.
        onError(error) {
          if (error && process.env.NODE_ENV === 'production') logFailure(error);
        },
      }),
    )
    // The code failed to load. The checkout itself continues.
    .catch(() => {});
}
