import { RampError } from '../protocol/ramp-error.js';
import type { Shown, ViewRequest } from './checkout-view.js';

const SLOW_MS = 15_000;
const ALLOW = 'payment; camera; microphone; clipboard-write';
// All that a checkout with card, 3-D Secure and identity check needs; it cannot move the page itself.
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';
// What a menu or a drawer around the button would take for a click or a key outside of it.
const OURS = ['pointerdown', 'mousedown', 'click', 'focusin', 'keydown'];

/**
 * Shows the widget in a modal dialog. It is made by hand: as JSX its close and cancel events would
 * reach React ancestors, and unmounting would drop the focus to the body.
 */
export function openDialog(request: ViewRequest): Shown {
  const { url, trigger, options, messages } = request;
  const { origin, host } = new URL(url);

  const dialog = element('dialog', 'ramp-dialog');
  dialog.setAttribute('aria-label', messages.checkout);
  if (trigger) dialog.dir = getComputedStyle(trigger).direction;
  for (const type of OURS) dialog.addEventListener(type, (event) => event.stopPropagation());

  const frame = element('iframe', 'ramp-dialog-frame');
  frame.title = messages.checkout;
  frame.width = '440';
  frame.height = '640';
  frame.allow = options.allow ?? ALLOW;
  frame.setAttribute('sandbox', SANDBOX);
  // Names the page's origin to a service that checks it, and nothing else of its address.
  frame.referrerPolicy = 'strict-origin';

  const status = element('p', 'ramp-dialog-status');
  status.setAttribute('role', 'status');
  const say = (state: 'loading' | 'slow' | 'refused' | 'ready', text: string) => {
    dialog.dataset.state = state;
    status.textContent = text;
  };
  const newWindow = button('ramp-dialog-window', messages.newWindow, request.openNewWindow);
  const close = button('ramp-dialog-close', '', () => dialog.close());
  const cross = element('span', '', '×');
  cross.ariaHidden = 'true';
  close.append(cross);
  close.ariaLabel = messages.close;
  close.autofocus = true;

  const bar = element('div', 'ramp-dialog-bar');
  bar.append(element('span', 'ramp-dialog-host', host), newWindow, close);
  const body = element('div', 'ramp-dialog-body');
  body.append(status, frame);
  dialog.append(bar, body);

  const slow = setTimeout(() => say('slow', messages.slow), SLOW_MS);
  // The only trace that a frame refused by the page's own policy leaves.
  const onViolation = ({
    effectiveDirective,
    disposition,
    blockedURI,
  }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective !== 'frame-src' || disposition !== 'enforce') return;
    if (dialog.dataset.state === 'ready' || originOf(blockedURI) !== origin) return;
    clearTimeout(slow);
    say('refused', messages.slow);
    request.onTrouble(
      new RampError(
        'ERR_WIDGET_LOAD',
        `The page's Content-Security-Policy refuses the checkout: add "frame-src ${origin}".`,
      ),
    );
  };
  document.addEventListener('securitypolicyviolation', onViolation);
  const onLoaded = () => {
    const { state } = dialog.dataset;
    if (!dialog.isConnected || state === 'ready' || state === 'refused') return;
    clearTimeout(slow);
    say('ready', '');
    request.onLoaded();
  };
  // A refused frame "loads" too, and the violation is told just after: let it come first.
  frame.addEventListener('load', () => setTimeout(onLoaded));
  dialog.addEventListener('close', () => request.onEnd());

  frame.src = url;
  document.body.append(dialog);
  dialog.showModal();
  say('loading', messages.loading);

  const remove = () => {
    clearTimeout(slow);
    document.removeEventListener('securitypolicyviolation', onViolation);
    dialog.close();
    // Before the state is let go: the focus that comes back must not count as intent.
    trigger?.focus({ preventScroll: true });
    dialog.remove();
  };
  return { isOpen: () => dialog.isConnected, focus: () => close.focus(), remove, letGo: remove };
}

function originOf(uri: string): string | undefined {
  try {
    return new URL(uri).origin;
  } catch {
    return undefined;
  }
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
