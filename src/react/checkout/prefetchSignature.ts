import type { CheckoutSession } from './CheckoutSession.js';
import { preconnect } from './preconnect.js';

/** How long the pointer must rest. A pointer that crosses a catalogue stays on each button for less. */
const DWELL_MS = 100;

/** The session that waits for the pointer to rest: a page has one pointer, so the latest call wins. */
let waiting: CheckoutSession | undefined;

/**
 * Requests the signature of a button once the pointer has rested on it. Each signature costs the backend a stored
 * intent, and counts for its rate limit, so a button that is only crossed or reached with Tab requests none. Failures
 * are silent: a click requests the signature again.
 *
 * @param target - The element that the pointer entered. Leaving it cancels.
 * @param event - The event; `focus` only connects to the widget's origin.
 */
export function prefetchSignature(
  session: CheckoutSession,
  target: EventTarget | null | undefined,
  event: Pick<Event, 'type'> | undefined,
): void {
  preconnect(session.options);
  if (event?.type.startsWith('focus')) return;
  if (waiting) waiting.intent = undefined;
  const element = target instanceof Element ? target : undefined;
  // The pointer may have left while this code was loading.
  if (element && !element.matches(':hover')) return;
  waiting = session;
  const intent = {};
  session.intent = intent;
  const leave = () => {
    if (session.intent === intent) session.intent = undefined;
  };
  const once = { once: true };
  element?.addEventListener('pointerleave', leave, once);
  setTimeout(() => {
    element?.removeEventListener('pointerleave', leave);
    if (session.intent === intent && !session.opening) session.signatures.request(session.options);
    leave();
  }, DWELL_MS);
}
