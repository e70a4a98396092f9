import type { Checkout } from './Checkout.js';
import type { CheckoutSettings } from './CheckoutSettings.js';
import { isPurchasePending } from './purchases.js';

/** How long the pointer must rest on a button. A pointer that only crosses a catalogue leaves each button sooner. */
const DWELL_MS = 100;

/**
 * Cancels the prefetch that waits for the pointer to rest. A page has only one pointer, so at most one prefetch waits.
 */
let cancelWaiting = () => {};

/**
 * Requests a button's signature once the pointer has rested on the button. Each signature makes the backend store a
 * checkout, and counts towards the backend's rate limit. So none is requested for a button that the pointer only
 * crosses, or that is reached with Tab. Failures are silent, because a click requests the signature again.
 *
 * @param target - The element that the pointer entered. If the pointer leaves it within 100 ms, nothing is requested.
 * @param event - The event that may precede a click. On `focus`, the page only connects to the widget's origin.
 */
export function prefetchSignature(
  checkout: Checkout,
  target: EventTarget | null | undefined,
  event: Pick<Event, 'type'> | undefined,
): void {
  preconnect(checkout.options);
  if (event?.type.startsWith('focus')) return;
  cancelWaiting();
  const element = target instanceof Element ? target : undefined;
  // The pointer may have left while this code was loading.
  if (element && !element.matches(':hover')) return;
  const unmount = checkout.getUnmountSignal();
  const timer = setTimeout(() => {
    cancel();
    // A click on a pending purchase's button only shows that purchase, so it needs no signature.
    const { status } = checkout.getSnapshot();
    const isBusy = status === 'signing' || status === 'open' || status === 'blocked';
    if (!isBusy && !isPurchasePending(checkout.options))
      checkout.signatures.request(checkout.options);
  }, DWELL_MS);
  const cancel = () => {
    clearTimeout(timer);
    element?.removeEventListener('pointerleave', cancel);
    unmount.removeEventListener('abort', cancel);
  };
  element?.addEventListener('pointerleave', cancel);
  unmount.addEventListener('abort', cancel);
  cancelWaiting = cancel;
}

const connected = new Set<string>();

/**
 * Opens a connection to the widget's origin before the click, once per page. Firefox then uses this connection for the
 * widget's frame. Chromium opens another connection, because it partitions the connections of cross-site frames.
 */
function preconnect({ widgetUrl = '' }: CheckoutSettings): void {
  let url: URL;
  try {
    url = new URL(widgetUrl);
  } catch {
    // Ignore an invalid URL here, because opening the checkout reports it.
    return;
  }
  const { origin, protocol } = url;
  if (connected.has(origin) || !/^https?:$/.test(protocol)) return;
  connected.add(origin);
  const link = document.createElement('link');
  link.rel = 'preconnect';
  link.href = origin;
  document.head.append(link);
}
