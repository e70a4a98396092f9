import type { RampError } from '../../protocol/errors/RampError.js';
import { logFailure } from '../dev/logFailure.js';
import type { CheckoutEvent } from '../provider/CheckoutEvent.js';
import type { CheckoutCallbacks } from './CheckoutOptions.js';
import type { Opening } from './Opening.js';

/** The name of an event of a checkout. */
export type EventType = CheckoutEvent['type'];

const callbacks = {
  opened: 'onOpen',
  loaded: 'onLoad',
  closed: 'onClose',
  blocked: 'onBlocked',
} satisfies Partial<Record<EventType, keyof CheckoutCallbacks>>;

/** The callbacks that are still to be called, of all checkouts of the page. */
const pendingCallbacks: (() => void)[] = [];

/**
 * Calls `onError` if there is an error, the callback of this event, then `onEvent`. Events raised inside a
 * callback, such as `closed`, are queued until all callbacks of this event have run.
 */
export function emitCheckoutEvent(
  { options, display }: Opening,
  type: EventType,
  reference?: string,
  error?: RampError,
): void {
  const event = {
    type,
    widget: options.widget,
    display,
    reference,
    ...(type === 'failed' && { error }),
  } as CheckoutEvent;
  if (error) logFailure(error, options);
  const isTelling = pendingCallbacks.length > 0;
  pendingCallbacks.push(
    () => error && options.onError?.(error),
    () => type !== 'failed' && options[callbacks[type]]?.(event as never),
    () => options.onEvent?.(event),
  );
  if (isTelling) return;
  for (const tell of pendingCallbacks) reportIsolated(tell);
  pendingCallbacks.length = 0;
}

/** Calls a callback of the page. An error in it is reported, and does not close an open checkout. */
export function reportIsolated(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    if (typeof reportError === 'function') reportError(error);
    // jsdom has none.
    else
      setTimeout(() => {
        throw error;
      });
  }
}
