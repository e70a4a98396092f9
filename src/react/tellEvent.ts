import type { RampError } from '../protocol/ramp-error.js';
import type { CheckoutCallbacks, CheckoutEvent } from './checkout-events.js';
import type { Opening } from './checkout-view.js';

export type EventType = CheckoutEvent['type'];

const callbacks = {
  opened: 'onOpen',
  loaded: 'onLoad',
  closed: 'onClose',
  blocked: 'onBlocked',
} satisfies Partial<Record<EventType, keyof CheckoutCallbacks>>;

/** Tells the page: the callback of this event, `onError` where there is an error, then `onEvent`. */
export function tellEvent(
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
  if (error) {
    if (process.env.NODE_ENV !== 'production')
      import('./sayError.js').then(({ sayError }) => sayError(error));
    apart(() => options.onError?.(error));
  }
  if (type !== 'failed') apart(() => options[callbacks[type]]?.(event as never));
  apart(() => options.onEvent?.(event));
}

/** A fault in the page's own callback is the page's: it must not undo a checkout that is open. */
function apart(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    reportError(error);
  }
}
