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
   * The attribute `sandbox` of the widget's frame. `''` allows nothing, and `false` removes the attribute.
   *
   * @default scripts, the widget's own origin, forms, popups and access to its own cookies; never navigation of the
   * page
   */
  readonly sandbox?: string | false | undefined;
  /** How much of the page's URL the frame's request reveals. @default 'strict-origin' */
  readonly referrerPolicy?: ReferrerPolicy | undefined;
}

const SLOW_MS = 8000;
const ALLOW = 'payment; camera; microphone; clipboard-write';
// Everything that a widget needs for cards, 3-D Secure, identity checks and logins. No token lets the widget navigate
// the page. With the last token, the widget can request access to its cookies after a click in the widget; the
// browser still asks the shopper for confirmation.
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-storage-access-by-user-activation';

/** The widget's frame in an element of the page, with a bar above it. */
export interface Panel {
  /** Removes the listeners and the timer. */
  remove(): void;
}

/**
 * Fills `host`, which must be in the page, with a bar, the widget's frame and, until the widget loads, a
 * skeleton. The state is in `data-state`: `loading`, `slow`, `refused` or `ready`.
 *
 * A page cannot see whether the frame really shows the widget. So the button for a new window is always there, and it
 * is highlighted after 8 seconds without a `load` event.
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
  // Set the attribute, because Firefox before version 119 ignores the property `ariaLabel`.
  close.setAttribute('aria-label', messages.close);

  const bar = createDomElement('div', 'ramp-bar');
  bar.append(createDomElement('span', 'ramp-bar-host', shownHost), newWindow, close);
  body.append(status, frame);

  // A page may remove the host, or a parent of it. No event reports that, so observe the host.
  const stopObserving = observeRemoval(host, () => request.onEnd());
  const slow = setTimeout(() => setStatus('slow', messages.loadingSlowly), SLOW_MS);
  // If the page's own Content-Security-Policy refuses the widget, this is the only event that says so.
  const onViolation = ({
    effectiveDirective,
    disposition,
    blockedURI,
  }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective !== 'frame-src' || disposition !== 'enforce') return;
    // Report only the first violation: one frame can violate several policies, and each emits an event.
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
  // A refused frame also emits `load`, just before the violation event. So handle `load` a task later.
  frame.addEventListener('load', () => setTimeout(onLoaded));
  frame.src = url;
  setStatus('loading', messages.loading);
  // Append the frame after its `src` is set, because an empty frame would emit `load` immediately.
  host.append(bar, body);
  return {
    remove() {
      clearTimeout(slow);
      stopObserving();
      page.removeEventListener('securitypolicyviolation', onViolation);
    },
  };
}

/** Calls `onRemoved` when the host leaves the page. Returns a function that stops the observation. */
function observeRemoval(host: HTMLElement, onRemoved: () => void): () => void {
  const check = () => host.isConnected || onRemoved();
  if (typeof ResizeObserver === 'function') {
    const observer = new ResizeObserver(check);
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
  region.tabIndex = -1;
  container?.append(region);
  let panel: Panel;
  try {
    panel = createPanel(region, request, () => request.onEnd());
  } catch (error) {
    region.remove();
    throw error;
  }
  // Focus the region instead of its first button, which a second press of Enter would click.
  region.focus();

  const remove = () => {
    panel.remove();
    // Return the focus to the button only if the focus is still in the widget.
    if (region.matches(':focus-within')) trigger?.focus({ preventScroll: true });
    region.remove();
  };
  const focus = () => region.focus();
  return { isOpen: () => region.isConnected, focus, remove, detach: remove };
}

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
