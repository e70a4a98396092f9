import { RampError } from '../../../protocol/errors/RampError.js';
import { createDomButton, createDomElement } from './elements.js';
import type { ViewRequest } from './ViewRequest.js';

const SLOW_MS = 8000;
const ALLOW = 'payment; camera; microphone; clipboard-write';
// All that a checkout with card, 3-D Secure, identity check and login needs; it cannot move the page itself. The
// last token lets the widget request its own cookies after a click in it. The browser still asks the shopper.
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-storage-access-by-user-activation';

/** The widget's frame in an element of the page, with its bar above. */
export interface Panel {
  /** Where the focus goes. */
  readonly close: HTMLButtonElement;
  /** Stops listening. */
  remove(): void;
}

/**
 * Fills `host`, which is in the page by now, with a bar, the widget's frame and, until that is there, an outline of it. Its state is
 * in `data-state`: `loading`, `slow`, `refused` or `ready`.
 *
 * Whether a frame shows what it should cannot be seen from outside, so the way to a window of its own
 * is always there, and stands out when nothing has come for a while.
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
  // As attributes: Firefox reflects the properties from version 119 on.
  close.setAttribute('aria-label', messages.close);

  const bar = createDomElement('div', 'ramp-bar');
  bar.append(createDomElement('span', 'ramp-bar-host', shownHost), newWindow, close);
  body.append(status, frame);

  // A page may remove it together with its parent, and no other event reports that. Created before anything that
  // would have to be undone where a test environment has no ResizeObserver.
  const removalObserver = new ResizeObserver(() => host.isConnected || request.onEnd());
  removalObserver.observe(host);
  const slow = setTimeout(() => setStatus('slow', messages.loadingSlowly), SLOW_MS);
  // The only trace that a frame refused by the page's own policy leaves.
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
  // A refused frame "loads" too, and the violation is told just after: let it come first.
  frame.addEventListener('load', () => setTimeout(onLoaded));
  frame.src = url;
  setStatus('loading', messages.loading);
  // Not before it has its address: an empty frame would "load" at once.
  host.append(bar, body);
  return {
    close,
    remove() {
      clearTimeout(slow);
      removalObserver.disconnect();
      page.removeEventListener('securitypolicyviolation', onViolation);
    },
  };
}

/** Creates the widget's frame, without its address. */
function createFrame({ options, messages }: ViewRequest): HTMLIFrameElement {
  const frame = createDomElement('iframe', 'ramp-frame');
  frame.title = messages.checkout;
  frame.width = '440';
  frame.height = '640';
  frame.allow = options.allow ?? ALLOW;
  if (options.sandbox !== false) frame.setAttribute('sandbox', options.sandbox ?? SANDBOX);
  // Reveals the page's origin to a service that checks it, and nothing else of its address.
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
