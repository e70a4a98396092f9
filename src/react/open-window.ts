import { RampError } from '../protocol/ramp-error.js';
import type { CheckoutView } from './checkout-session.js';
import type { ViewRequest } from './open-checkout.js';

const WATCH_MS = 500;

/** Sends the blank window on to the widget. Where it was blocked, a link takes its place. */
export function openWindow(request: ViewRequest): CheckoutView {
  const { blank, url } = request;
  if (!blank || blank.closed) return linkInstead(request);
  // The widget must not reach back into the page; `noopener` would have hidden the window from us.
  blank.opener = null;
  blank.location.replace(url);
  request.tell('opened');
  const watch = setInterval(() => {
    if (blank.closed) view.close();
  }, WATCH_MS);
  const view: CheckoutView = {
    isOpen: () => !blank.closed,
    focus: () => blank.focus(),
    close() {
      clearInterval(watch);
      blank.close();
      request.tell('closed');
      request.onClosed();
    },
    dispose: () => clearInterval(watch),
  };
  return view;
}

/** The link carries a signature, so it goes away when that has aged. */
function linkInstead({ options, tell, onClosed }: ViewRequest): CheckoutView {
  const expiry = setTimeout(onClosed, (options.maxAgeSeconds ?? 60) * 1000);
  const dispose = () => clearTimeout(expiry);
  tell('blocked');
  return {
    blocked: new RampError(
      'ERR_WIDGET_BLOCKED',
      'The browser blocked the checkout window. A link is shown in its place.',
    ),
    isOpen: () => false,
    focus() {},
    close() {
      dispose();
      onClosed();
    },
    dispose,
  };
}
