import { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutSession } from './CheckoutSession.js';
import { reportIsolated } from './emitCheckoutEvent.js';
import type { Opening } from './Opening.js';

/**
 * Tells the page's `onStatusChange`, if it has one, how far a checkout is, until that is over or the
 * button has gone. What goes wrong on the way does not concern the button: either it is asked again, or
 * it is over, which is said in development.
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
        // Those of the latest render: a token may have been renewed since.
        get credentials() {
          return session.options.credentials;
        },
        get headers() {
          return session.options.headers;
        },
        onChange: (answer) => reportIsolated(() => session.options.onStatusChange?.(answer)),
        // It is retried, or warned about in development, where it is found.
        onError() {},
      }),
    )
    // It could not be loaded. The checkout itself goes on.
    .catch(() => {});
}
