import { RampError } from '../../../protocol/errors/RampError.js';
import type { ViewHandle, ViewRequest } from '../view.js';

/** The permissions of the widget's frame. */
export interface FrameOptions {
  /**
   * The features that the widget's frame may use. Append `; publickey-credentials-get` for a service whose
   * users sign in with passkeys.
   *
   * @default 'payment; camera; microphone; clipboard-write'
   */
  readonly allow?: string | undefined;
  /**
   * The sandbox of the widget's frame; `''` allows nothing, `false` removes the sandbox.
   * @default scripts, its own origin, forms, popups and access to its own cookies; never navigation of the page
   */
  readonly sandbox?: string | false | undefined;
  /** How much of the page's URL the frame's request reveals. @default 'strict-origin' */
  readonly referrerPolicy?: ReferrerPolicy | undefined;
}

const SLOW_MS = 8000;
const ALLOW = 'payment; camera; microphone; clipboard-write';
// Everything that a checkout with card, 3-D Secure, identity check and login needs. It cannot navigate the page.
// With the last token the widget can request access to its cookies after a click in it; the browser still asks for
// confirmation.
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-storage-access-by-user-activation';

/** The widget's frame in an element of the page, with a bar above it. */
export interface Panel {
  /** The close button, which gets the focus first. */
  readonly close: HTMLButtonElement;
  /** Removes the listeners and the timer. */
  remove(): void;
}

/**
 * Fills `host`, which must be in the page, with a bar, the widget's frame and, until the widget loads, a
 * skeleton. The state is in `data-state`: `loading`, `slow`, `refused` or `ready`.
 *
 * A page cannot see whether a frame shows the widget, so the link to a new window is always there, and is
 * highlighted after 8 seconds without a load event.
 */
export function createPanel(host: HTMLElement, request: ViewRequest, onClose: () => void): Panel {
  const { url, messages } = request;
  const { origin, host: shownHost } = new URL(url);
  const page = host.ownerDocument;

  const frame = createFrame(request);
  const status = createDomElement('p', 'ramp-frame-status');
  status.setAttribute('role', 'status');
  const setStatus = (state: 'loading' | 'slow' | 'refused' | 'ready', text: string) => {
    host.dataset.state = state;
    status.textContent = text;
  };
  const hasSettled = () => /ready|refused/.test(host.dataset.state ?? '');
  const body = createDomElement('div', 'ramp-frame-body');
  const newWindow = createDomButton('ramp-bar-window', messages.newWindow, () =>
    request.openNewWindow(body),
  );
  const close = createDomButton('ramp-bar-close', '', onClose);
  const cross = createDomElement('span', '', '×');
  cross.setAttribute('aria-hidden', 'true');
  close.append(cross);
  // Set as attributes: Firefox reflects the properties only since version 119.
  close.setAttribute('aria-label', messages.close);

  const bar = createDomElement('div', 'ramp-bar');
  bar.append(createDomElement('span', 'ramp-bar-host', shownHost), newWindow, close);
  body.append(status, frame);

  // A page may remove the host together with its parent, which emits no other event.
  const stopObserving = observeRemoval(host, () => request.onEnd());
  const slow = setTimeout(() => setStatus('slow', messages.loadingSlowly), SLOW_MS);
  // The only event of a frame that the page's own policy refuses.
  const onViolation = ({
    effectiveDirective,
    disposition,
    blockedURI,
  }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective !== 'frame-src' || disposition !== 'enforce') return;
    // One frame can break several policies.
    if (hasSettled() || parseOrigin(blockedURI) !== origin) return;
    clearTimeout(slow);
    setStatus('refused', messages.loadingSlowly);
    request.onLoadError(
      new RampError(
        'ERR_WIDGET_LOAD',
        `The page's Content-Security-Policy refuses the checkout: add "frame-src ${origin}".`,
      ),
    );
  };
  page.addEventListener('securitypolicyviolation', onViolation);
  const onLoaded = () => {
    if (!host.isConnected || hasSettled()) return;
    clearTimeout(slow);
    setStatus('ready', '');
    request.onLoaded();
  };
  // A refused frame also emits `load`, just before the violation event: wait for that one.
  frame.addEventListener('load', () => setTimeout(onLoaded));
  frame.src = url;
  setStatus('loading', messages.loading);
  // Appended after `src` is set: an empty frame would emit `load` immediately.
  host.append(bar, body);
  return {
    close,
    remove() {
      clearTimeout(slow);
      stopObserving();
      page.removeEventListener('securitypolicyviolation', onViolation);
    },
  };
}

/** Calls `onRemoved` when the host leaves the page. Returns a function that stops it. */
function observeRemoval(host: HTMLElement, onRemoved: () => void): () => void {
  const check = () => host.isConnected || onRemoved();
  if (typeof ResizeObserver === 'function') {
    const observer = new ResizeObserver(check);
    observer.observe(host);
    return () => observer.disconnect();
  }
  // jsdom. A ResizeObserver is cheaper, and also sees the removal of a shadow tree around the host.
  // Vitest removes the global window and then empties its document, when React can render no more.
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
  // Services may check the page's origin. The rest of its URL stays private.
  frame.referrerPolicy = options.referrerPolicy ?? 'strict-origin';
  return frame;
}

function parseOrigin(uri: string): string | undefined {
  try {
    return new URL(uri).origin;
  } catch {
    return undefined;
  }
}

/** Shows the widget in the page, in the element with `inlineRef`. */
export function openInline(request: ViewRequest): ViewHandle {
  const { trigger, messages, container } = request;
  const region = createDomElement('div', 'ramp-inline');
  region.setAttribute('role', 'region');
  region.setAttribute('aria-label', messages.checkout);
  container?.append(region);
  let panel: Panel;
  try {
    panel = createPanel(region, request, () => request.onEnd());
  } catch (error) {
    region.remove();
    throw error;
  }
  panel.close.focus();

  const remove = () => {
    panel.remove();
    // Only if the focus is still in the widget.
    if (region.matches(':focus-within')) trigger?.focus({ preventScroll: true });
    region.remove();
  };
  const focus = () => panel.close.focus();
  return { isOpen: () => region.isConnected, focus, remove, detach: remove };
}

/** Creates an element of the dialog. */
export function createDomElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  text = '',
) {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

/** Creates a button of the dialog. */
export function createDomButton(
  className: string,
  text: string,
  onClick: () => void,
): HTMLButtonElement {
  const element = createDomElement('button', className, text);
  element.type = 'button';
  element.addEventListener('click', onClick);
  return element;
}
