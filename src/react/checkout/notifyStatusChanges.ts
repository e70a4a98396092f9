import { RampError } from '../../protocol/errors/RampError.js';
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
  const { signal } = session.watches;
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
        onChange: (answer) => reportIsolated(() => session.options.onStatusChange?.(answer)),
        // watchCheckout retries, or warns in development.
        onError() {},
      }),
    )
    // The code failed to load. The checkout itself continues.
    .catch(() => {});
}
