import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import { isTerminal } from '../../protocol/handler/progress.js';
import { watchCheckout } from '../watch/poller.js';
import type { CheckoutSession } from './session.js';

/**
 * Calls `onChange` with the state of a checkout and with each later state, until the checkout is terminal or the button
 * unmounts. Errors are not passed on: requests are retried, and a repeated error is printed to the console.
 *
 * @returns A function that ends the calls.
 */
export function followCheckout(
  session: CheckoutSession,
  api: string,
  reference: string,
  onChange: (checkout: CheckoutResponse) => void,
): () => void {
  const unmount = getUnmountSignal(session);
  // Use the settings of the latest render, because the page may have renewed a token.
  const getBackend = () => {
    const { credentials, headers, fetch } = session.options;
    return { api, credentials, headers, fetch, request: session.request };
  };
  const watch = watchCheckout(getBackend, reference, {
    onChange(checkout) {
      if (isTerminal(checkout)) end();
      onChange(checkout);
    },
    onError() {},
  });
  const end = () => {
    unmount.removeEventListener('abort', end);
    watch.end();
  };
  unmount.addEventListener('abort', end);
  return end;
}

/**
 * Returns the signal that aborts when the button unmounts. If the button mounts again, as in StrictMode, it gets a new
 * signal.
 */
export function getUnmountSignal(session: CheckoutSession): AbortSignal {
  if (!session.watches || session.watches.signal.aborted) session.watches = new AbortController();
  return session.watches.signal;
}
