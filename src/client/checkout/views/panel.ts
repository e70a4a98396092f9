import type { CheckoutMessages } from '../../../messages/CheckoutMessages.js';
import { RampError } from '../../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import type { MoveTarget, ViewRequest } from '../view.js';
import { createDomButton, createDomElement } from './domElements.js';
import { watchFrameRefusals } from './frameRefusals.js';

const SLOW_MS = 8000;
/**
 * How long after `load` the panel waits for a report that the browser has refused the frame. The report follows within
 * a few milliseconds; a busy device may take longer.
 */
const REPORT_MS = 100;
// Without `*`, the frame loses these features when the service redirects it to another origin. `*` is safe, because only
// the widget itself navigates the frame.
const ALLOW = 'payment *; camera *; microphone *; clipboard-write *';
// Everything that a widget needs for cards, 3-D Secure, identity checks, logins and receipts. No token lets the widget
// navigate the page. With the last token, the widget can request access to its cookies after a click in the widget; the
// browser still asks the shopper for confirmation.
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads allow-storage-access-by-user-activation';

type PanelState = 'loading' | 'slow' | 'refused' | 'ready';

/** The widget's frame in an element of the page, with a bar above it. */
export interface Panel {
  /** Shows the state of a checkout that has an order, and the way back to the shop. */
  showOutcome(checkout: CheckoutResponse, isLive: boolean): void;
  /** Removes the listeners and the timers. */
  remove(): void;
}

/**
 * Fills `host`, which must be in the page, with a bar, the widget's frame and, until the widget loads, a skeleton. The
 * state is in `data-state`: `loading`, `slow`, `refused` or `ready`.
 *
 * A page cannot see whether the frame really shows the widget. So the button for a new window is there until the
 * checkout has an order. After 8 seconds without a `load` event, the button moves from the bar to below the frame,
 * beside a button that tries again. A frame that is refused emits `load` too, and the browser reports only some
 * refusals. So "ready" is announced only if the widget has sent the page a message, which an error page never does.
 * Without a message, a hint appears below the frame if the shopper has not used it within 8 seconds after `load`.
 *
 * @param onClose - Called when the shopper closes the widget.
 * @param onLeave - Called when the shopper returns to the shop after the payment.
 */
export function createPanel(
  host: HTMLElement,
  request: ViewRequest,
  onClose: () => void,
  onLeave: () => void = onClose,
): Panel {
  const { url, messages } = request;
  const { origin, host: shownHost } = new URL(url);
  const page = host.ownerDocument;

  const frame = createFrame(request);
  const body = createDomElement('div', 'ramp-frame-body');
  const bar = createBar(shownHost, messages, {
    onClose,
    onLeave,
    onNewWindow: () => request.move(body, 'window'),
  });
  const foot = createFoot(messages, (target) => request.move(body, target));
  let state: PanelState = 'loading';
  const setState = (next: PanelState, text: string) => {
    const hadFocus = bar.newWindow.matches(':focus');
    state = next;
    host.dataset.state = state;
    foot.show(state, text);
    // While the foot shows a button for a new window, the stylesheet hides the same button in the bar. If the hidden
    // button had the focus, move it to the button in the foot.
    if (hadFocus && foot.newWindow.isConnected) foot.newWindow.focus();
  };
  const hasSettled = () => state === 'ready' || state === 'refused';
  const area = createDomElement('div', 'ramp-frame-area');
  area.append(createSkeleton());
  body.append(area, foot.element);

  // A page may remove the host, or a parent of it, or hide the overlay around a dialog. No event reports that, so
  // observe the host.
  const stopObserving = observeRemoval(host, () => request.onEnd());
  let timer = setTimeout(() => setState('slow', messages.loadingSlowly), SLOW_MS);
  let hasJustLoaded = false;
  const stopWatching = watchFrameRefusals(
    page,
    origin,
    () => hasJustLoaded,
    (cause) => {
      // Handle only the first report: one frame can violate several policies, and each is reported.
      if (hasSettled()) return;
      clearTimeout(timer);
      setState('refused', messages.loadingSlowly);
      request.onLoadError(new RampError('ERR_WIDGET_LOAD', cause));
    },
  );
  let wasUsed = false;
  const noteUse = () => {
    // Compare `activeElement`, because a frame whose document has the focus does not match `:focus`.
    const { activeElement } = host.getRootNode() as Document | ShadowRoot;
    wasUsed ||= activeElement === frame;
    if (wasUsed) foot.removeHint();
  };
  // Focusing a frame emits no event on the frame, but the window emits `blur`.
  const view = page.defaultView;
  view?.addEventListener('blur', noteUse);
  let hasMessage = false;
  const onMessage = ({ source }: MessageEvent) => {
    if (hasMessage || !source || source !== frame.contentWindow) return;
    hasMessage = true;
    foot.removeHint();
    if (state === 'ready') setState('ready', messages.ready);
  };
  view?.addEventListener('message', onMessage);
  const onLoaded = () => {
    hasJustLoaded = false;
    if (!host.isConnected || hasSettled()) return;
    clearTimeout(timer);
    setState('ready', hasMessage ? messages.ready : '');
    timer = setTimeout(() => {
      noteUse();
      if (!wasUsed && !hasMessage) foot.showHint();
    }, SLOW_MS);
    request.onLoaded();
  };
  frame.addEventListener('load', () => {
    hasJustLoaded = true;
    setTimeout(onLoaded, REPORT_MS);
  });
  setState('loading', messages.loading);
  host.append(bar.element, body);
  const cancelFrame = afterPaint(page, () => {
    // Append the frame after its `src` is set, because an empty frame would emit `load` immediately.
    frame.src = url;
    area.append(frame);
  });
  return {
    showOutcome(checkout, isLive) {
      clearTimeout(timer);
      const hadFocus = foot.element.matches(':focus-within');
      foot.element.remove();
      bar.showOutcome(checkout, isLive);
      if (hadFocus) bar.leave.focus();
    },
    remove() {
      clearTimeout(timer);
      cancelFrame();
      stopObserving();
      // At the end of a test, Vitest removes the functions of `window` before the page.
      view?.removeEventListener?.('blur', noteUse);
      view?.removeEventListener?.('message', onMessage);
      stopWatching();
    },
  };
}

/**
 * Calls `run` once the page has painted what the click changed, because creating a frame takes longer than everything
 * else. A hidden page paints nothing, so there `run` is called in the next task.
 *
 * @returns A function that cancels the call.
 */
function afterPaint(page: Document, run: () => void): () => void {
  const { defaultView: view } = page;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const runSoon = () => {
    timer = setTimeout(run);
  };
  if (page.hidden || !view?.requestAnimationFrame) {
    runSoon();
    return () => clearTimeout(timer);
  }
  // The callback runs just before the paint.
  const request = view.requestAnimationFrame(runSoon);
  return () => {
    view.cancelAnimationFrame?.(request);
    clearTimeout(timer);
  };
}

/** Creates the bar above the frame, with the buttons and the widget's hostname or the outcome. */
function createBar(
  shownHost: string,
  messages: CheckoutMessages,
  on: { onClose(): void; onLeave(): void; onNewWindow(): void },
) {
  const newWindow = createDomButton('ramp-bar-window', messages.newWindow, on.onNewWindow);
  const leave = createDomButton('ramp-bar-leave', messages.backToShop, on.onLeave);
  const close = createDomButton('ramp-bar-close', '', on.onClose);
  const cross = createDomElement('span', '', '×');
  cross.setAttribute('aria-hidden', 'true');
  close.append(cross);
  // Set the attribute, because Firefox before version 119 ignores the property `ariaLabel`.
  close.setAttribute('aria-label', messages.close);
  // The live region is in the page from the start, because screen readers announce only changes to a region that
  // already exists.
  const outcome = createDomElement('strong', 'ramp-bar-outcome');
  outcome.setAttribute('role', 'status');
  let shownOutcome = '';
  const title = createDomElement('span', 'ramp-bar-title');
  title.append(outcome, createDomElement('span', 'ramp-bar-host', shownHost));
  const element = createDomElement('div', 'ramp-bar');
  element.append(title, newWindow, close);
  return {
    element,
    newWindow,
    leave,
    showOutcome(checkout: CheckoutResponse, isLive: boolean) {
      const { progress } = checkout;
      const text = describeOutcome(checkout, messages);
      outcome.setAttribute('aria-live', isLive ? 'polite' : 'off');
      // Compare with the last text, not with what the page shows, which may be a translation.
      if (shownOutcome !== text) outcome.textContent = text;
      shownOutcome = text;
      element.dataset.outcome = progress;
      // Remove the button for a new window, so that the shopper cannot pay a second time there.
      const hadFocus = newWindow.matches(':focus');
      if (newWindow.isConnected) newWindow.replaceWith(leave);
      if (hadFocus) leave.focus();
    },
  };
}

function describeOutcome(
  { progress, widget }: CheckoutResponse,
  messages: CheckoutMessages,
): string {
  if (progress === 'review') return messages.outcomeReview;
  // An NFT that is paid may still have to be minted or transferred.
  const isDelivered = widget === 'on-ramp' && progress !== 'unconfirmed';
  return isDelivered ? messages.outcomeDelivered : messages.outcomePaid;
}

/** Creates the outline of a payment form, which the loaded widget covers. */
function createSkeleton(): HTMLElement {
  const skeleton = createDomElement('div', 'ramp-frame-skeleton');
  for (let i = 0; i < 4; i++) skeleton.append(document.createElement('div'));
  return skeleton;
}

/** Creates the foot below the frame, with the status text, and the next step if the widget does not load. */
function createFoot(messages: CheckoutMessages, onMove: (target: MoveTarget) => void) {
  const status = createDomElement('p', 'ramp-frame-status');
  status.setAttribute('role', 'status');
  const newWindow = createDomButton('', messages.newWindow, () => onMove('window'));
  const retry = createDomButton('', messages.retry, () => onMove('frame'));
  const buttons = createDomElement('div', 'ramp-frame-buttons');
  const hint = createDomButton('ramp-frame-hint', messages.nothingHere, () => onMove('window'));
  const element = createDomElement('div', 'ramp-frame-foot');
  element.append(status, buttons);
  return {
    element,
    newWindow,
    show(state: string, text: string) {
      status.textContent = text;
      if (state === 'slow') buttons.replaceChildren(newWindow, retry);
      // Offer no retry, because the page's Content-Security-Policy would refuse the frame again.
      else if (state === 'refused') buttons.replaceChildren(newWindow);
      else buttons.replaceChildren();
    },
    /**
     * Shows a one-line hint. Screen readers do not announce it, because usually the widget has loaded, and the shopper
     * just has not used it yet.
     */
    showHint() {
      element.dataset.hint = '';
      element.replaceChildren(hint);
    },
    removeHint() {
      delete element.dataset.hint;
      hint.remove();
    },
  };
}

/**
 * Calls `onRemoved` when the host leaves the page. If the host is a dialog, also calls it when the dialog is hidden,
 * because a hidden modal dialog still blocks the page. Returns a function that stops observing.
 */
function observeRemoval(host: HTMLElement, onRemoved: () => void): () => void {
  const check = () => host.isConnected || onRemoved();
  if (typeof ResizeObserver === 'function') {
    const isHidden = () => host.localName === 'dialog' && host.getClientRects().length === 0;
    const observer = new ResizeObserver(() => (isHidden() ? onRemoved() : check()));
    observer.observe(host);
    return () => observer.disconnect();
  }
  // This is for jsdom, which has no ResizeObserver. In browsers, ResizeObserver is cheaper, and also notices the
  // removal of a shadow tree around the host. At the end of a test, Vitest removes the global `window` and then empties
  // the document. Ignore that removal, because React can no longer render.
  const observer = new MutationObserver(() => typeof window === 'undefined' || check());
  observer.observe(host.ownerDocument, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** Creates the widget's frame, without `src`. */
function createFrame({ options, messages }: ViewRequest): HTMLIFrameElement {
  const frame = createDomElement('iframe', 'ramp-frame');
  frame.title = messages.checkout;
  frame.width = '440';
  frame.height = '640';
  frame.allow = options.allow ?? ALLOW;
  if (options.sandbox !== false) frame.setAttribute('sandbox', options.sandbox ?? SANDBOX);
  // Reveal the page's origin, which services may check, but keep the rest of the page's URL private.
  frame.referrerPolicy = options.referrerPolicy ?? 'strict-origin';
  return frame;
}
