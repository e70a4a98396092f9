import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import { hasOrder, isTerminal } from '../../protocol/handler/progress.js';
import { callIsolated } from '../callIsolated.js';
import { watchCheckout } from '../watch/poller.js';
import type { Checkout } from './Checkout.js';
import type { Opening } from './Opening.js';

/**
 * Calls `onChange` with the state of a checkout and with each later state, until the checkout is terminal or the button
 * unmounts. Errors are not passed on: requests are retried, and a repeated error is printed to the console.
 *
 * @returns A function that stops the calls.
 */
function followCheckout(
  checkout: Checkout,
  api: string,
  reference: string,
  onChange: (checkout: CheckoutResponse) => void,
): () => void {
  const unmount = checkout.getUnmountSignal();
  const watch = watchCheckout(() => checkout.getBackend(api), reference, {
    onChange(state) {
      if (isTerminal(state)) end();
      onChange(state);
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
 * Calls the page's `onStatusChange` with the state of a checkout until the checkout is terminal or the button unmounts.
 * Errors do not change the state of the button: requests are retried, and a repeated error is printed to the console.
 */
export function notifyStatusChanges(
  checkout: Checkout,
  { options: { api, onStatusChange } }: Opening,
  reference: string,
): void {
  if (!onStatusChange || api == null) return;
  followCheckout(checkout, api, reference, (state) =>
    callIsolated(() => checkout.options.onStatusChange?.(state)),
  );
}

/** Once the widget has been usable for this long, assume that the shopper may have paid. */
export const USED_MS = 5000;

/**
 * Calls `onOutcome` with each state of the checkout once it has an order. If this opening replaced a widget in which
 * the shopper may have paid, that widget's checkout is followed too, because the order may belong to it.
 *
 * @returns A function that stops the calls.
 */
export function followOutcome(
  checkout: Checkout,
  { display, earlier, options: { api } }: Opening,
  reference: string | undefined,
  onOutcome: (checkout: CheckoutResponse) => void,
): () => void {
  if (api == null || display === 'redirect') return () => {};
  const ends: (() => void)[] = [];
  const follow = (followed: string) => {
    const end = followCheckout(checkout, api, followed, (state) => {
      if (hasOrder(state)) onOutcome(state);
    });
    ends.push(end);
  };
  const followed = earlier?.mayBePaid ? earlier.reference : undefined;
  if (followed) follow(followed);
  if (reference && reference !== followed) {
    // No shopper can pay within the first seconds, so do not watch a checkout that is closed by then.
    const timer = setTimeout(() => follow(reference), USED_MS);
    ends.push(() => clearTimeout(timer));
  }
  return () => {
    for (const end of ends.splice(0)) end();
  };
}
