import type { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutEvent } from '../provider/CheckoutEvent.js';
import type { CheckoutCallbacks } from './CheckoutOptions.js';
import type { Opening } from './Opening.js';

export type EventType = CheckoutEvent['type'];

const callbacks = {
  opened: 'onOpen',
  loaded: 'onLoad',
  closed: 'onClose',
  blocked: 'onBlocked',
} satisfies Partial<Record<EventType, keyof CheckoutCallbacks>>;

/** What is still to be told, of all checkouts of the page. */
const pendingCallbacks: (() => void)[] = [];

/**
 * Tells the page: `onError` where there is an error, the callback of this event, then `onEvent`. What
 * a callback sets off, such as the end when it closes, is told once everyone has heard of this.
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
  if (error && process.env.NODE_ENV !== 'production')
    import('../dev/warnInDev.js').then(({ warnInDev }) => warnInDev(error, options));
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

/** A fault in the page's own callback is the page's: it must not undo a checkout that is open. */
export function reportIsolated(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    reportError(error);
  }
}
