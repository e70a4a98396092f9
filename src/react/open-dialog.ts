import { messages as english } from '../messages/en.js';
import { RampError } from '../protocol/ramp-error.js';
import type { CheckoutView } from './checkout-session.js';
import type { ViewRequest } from './open-checkout.js';

const SLOW_MS = 15_000;
const ALLOW = 'payment; camera; microphone; clipboard-write';
// All that a checkout with card, 3-D Secure and identity check needs; it cannot move the page itself.
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';

/**
 * Shows the widget in a modal dialog. It is made by hand: as JSX its close and cancel events would
 * reach React ancestors, and unmounting would drop the focus to the body.
 */
export function openDialog(request: ViewRequest): CheckoutView {
  const { url, trigger, options, tell } = request;
  const messages = { ...english, ...options.messages };
  const { origin, host } = new URL(url);

  const dialog = element('dialog', 'ramp-dialog');
  dialog.setAttribute('aria-label', messages.checkout);
  dialog.dataset.state = 'loading';
  if (trigger) dialog.dir = getComputedStyle(trigger).direction;

  const frame = element('iframe', 'ramp-dialog-frame');
  frame.title = messages.checkout;
  frame.width = '440';
  frame.height = '640';
  frame.allow = options.allow ?? ALLOW;
  frame.setAttribute('sandbox', SANDBOX);
  // Names the page's origin to a service that checks it, and nothing else of its address.
  frame.referrerPolicy = 'strict-origin';

  const status = element('p', 'ramp-dialog-status', messages.loading);
  status.setAttribute('role', 'status');
  const newWindow = button('ramp-dialog-window', messages.newWindow, request.openNewWindow);
  const close = button('ramp-dialog-close', '', () => dialog.close());
  close.setAttribute('aria-label', messages.close);
  close.autofocus = true;

  const bar = element('div', 'ramp-dialog-bar');
  bar.append(element('span', 'ramp-dialog-host', host), newWindow, close);
  const body = element('div', 'ramp-dialog-body');
  body.append(status, frame);
  dialog.append(bar, body);

  const showTrouble = () => {
    dialog.dataset.state = 'slow';
    status.textContent = messages.slow;
  };
  const slow = setTimeout(showTrouble, SLOW_MS);
  // The only trace that a frame refused by the page's own policy leaves.
  const onViolation = (event: SecurityPolicyViolationEvent) => {
    if (event.effectiveDirective !== 'frame-src' || !event.blockedURI.startsWith(origin)) return;
    showTrouble();
    request.fail(
      new RampError(
        'ERR_WIDGET_LOAD',
        `The page's Content-Security-Policy refuses the checkout: add "frame-src ${origin}".`,
      ),
    );
  };
  document.addEventListener('securitypolicyviolation', onViolation);
  const onLoaded = () => {
    if (dialog.dataset.state !== 'loading' || !dialog.isConnected) return;
    clearTimeout(slow);
    dialog.dataset.state = 'ready';
    status.textContent = '';
    tell('loaded');
  };
  // A refused frame "loads" too, and the violation is told just after: let it come first.
  frame.addEventListener('load', () => setTimeout(onLoaded));
  const end = () => {
    if (!dialog.isConnected) return;
    clearTimeout(slow);
    document.removeEventListener('securitypolicyviolation', onViolation);
    // Before the view is let go: the focus that comes back must not count as intent.
    trigger?.focus({ preventScroll: true });
    dialog.remove();
    tell('closed');
    request.onClosed();
  };
  dialog.addEventListener('close', end);

  frame.src = url;
  document.body.append(dialog);
  dialog.showModal();
  tell('opened');

  const shut = () => {
    dialog.close();
    end();
  };
  return {
    isOpen: () => dialog.isConnected,
    focus: () => close.focus(),
    close: shut,
    dispose: shut,
  };
}

function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className: string, text = '') {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function button(className: string, text: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', className, text);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}
