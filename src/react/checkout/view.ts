import type { CheckoutMessages } from '../../messages/CheckoutMessages.js';
import { RampError } from '../../protocol/errors/RampError.js';
import type { SignedCheckout } from '../backend/createHttpSigner.js';
import { addOpenedCheckout } from '../status/openedCheckouts.js';
import { buildCheckoutUrl, isFramed } from './buildCheckoutUrl.js';
import { CheckoutNote } from './CheckoutNote.js';
import { continueCheckout } from './continueCheckout.js';
import {
  type EventType,
  emitCheckoutEvent,
  followEarlierCheckout,
  notifyStatusChanges,
} from './events.js';
import type { CheckoutNotice, CheckoutSession, CheckoutState, Opening } from './session.js';
import { openDialog } from './views/dialog.js';
import { moveToWindow } from './views/moveToWindow.js';
import { type FrameOptions, openInline } from './views/panel.js';
import { openWindow, redirect, showBlockedLink } from './views/window.js';

/** The input of a view, and the callbacks that it calls. */
export interface ViewRequest {
  readonly url: string;
  readonly messages: CheckoutMessages;
  readonly options: FrameOptions;
  /** The element that gets the focus back. */
  readonly trigger: HTMLElement | undefined;
  /** The element that an inline widget is placed in. */
  readonly container: HTMLElement | null | undefined;
  /** The window that was opened inside the click; null when the browser blocked it. */
  readonly blank: Window | null | undefined;
  /** How long the signature in the URL may still be used, in milliseconds. */
  readonly signatureTtlMs: number;
  onLoaded(): void;
  /** Called when the widget failed to load, as far as the page can observe. */
  onLoadError(error: RampError): void;
  /** Called when the view is gone. `emitsClosed`: the shopper closed it, as far as the page can observe. */
  onEnd(emitsClosed?: boolean): void;
  /** @param container - Holds the widget's frame; a question may be shown over it. */
  openNewWindow(container: HTMLElement): void;
}

/** A shown view. Removing it calls no callback. */
export interface ViewHandle {
  isOpen(): boolean;
  focus(): void;
  remove(): void;
  /** Stops watching the view. */
  detach(): void;
}

/** A widget that was shown for this long may have taken a payment. */
const USED_MS = 5000;
/** A frame whose load event is later than this may be usable already: one slow image delays the event. */
const LOAD_MS = 8000;

type Reason = CheckoutNotice['reason'];

/** Shows the widget, or the link to it. Only this function emits the events of a view and sets the state with it. */
export function showView(
  session: CheckoutSession,
  opening: Opening,
  messages: CheckoutMessages,
  signed: SignedCheckout | undefined,
  signatureMs: number,
): void {
  const { display, trigger, blank } = opening;
  const url = buildCheckoutUrl(opening, signed);
  // Each signature serves one opening.
  session.signatures.discard();
  const reference = signed?.reference;
  const setState = (state: CheckoutState) =>
    session.setState({ ...state, reference, Note: CheckoutNote });
  const emit = createEmitter(session, opening, reference);

  const isBlocked = display === 'window' && !blank;
  let isOver = false;
  let isPaid = false;
  let usableAt = getUsableAt(opening);
  const mayBePaid = () => performance.now() - usableAt >= USED_MS;
  const close = (emitsClosed: boolean, reason?: Reason, isWindowHidden = false) => {
    if (isOver) return;
    isOver = true;
    mover.stop();
    stopFollowing();
    view.remove();
    if (session.opening === opening) {
      session.opening = session.view = undefined;
      const isWindowOpen = isWindowHidden || blank?.closed === false;
      const notice = createNotice(session, opening, reference, reason, isWindowOpen);
      setState({ status: 'idle', notice });
    }
    if (emitsClosed) emit('closed');
  };
  /** @param isWindowHidden - The window may be open, but this page cannot see it. */
  const end = (emitsClosed = !isBlocked, isWindowHidden = !emitsClosed && !isBlocked) => {
    const reason = mayBePaid() || opening.earlier?.mayBePaid ? 'closed' : undefined;
    close(emitsClosed, isPaid ? 'paid' : reason, isWindowHidden);
  };
  const mover = createMover(session, opening, messages, reference, emit, close);
  const view = (isBlocked ? showBlockedLink : selectView(opening))({
    ...opening,
    url,
    messages,
    signatureTtlMs: signed ? signatureMs : Number.POSITIVE_INFINITY,
    onLoaded() {
      usableAt = performance.now();
      emit('loaded');
    },
    onLoadError(error) {
      // The browser refused to show the widget, so the shopper cannot have paid.
      usableAt = Number.POSITIVE_INFINITY;
      emit('failed', error);
    },
    onEnd: end,
    openNewWindow: (container) => mover.move(container, mayBePaid()),
  });
  const stopFollowing = followEarlierCheckout(session, opening, () => {
    isPaid = true;
    if (closeWindow(blank)) return end();
    setState({ status: 'open', notice: createNotice(session, opening, reference, 'paid', true) });
  });
  const { isOpen, focus } = view;
  session.view = { isOpen, focus, end, detach: display === 'window' ? view.detach : end };
  if (isBlocked) {
    const error = createBlockedError();
    const onLinkClick = () => {
      if (isOver) return;
      trigger?.focus({ preventScroll: true });
      emit('opened');
      end(false, true);
    };
    setState({ status: 'blocked', url, error, onLinkClick });
    emit('blocked', error);
  } else {
    setState({ status: 'open' });
    emit('opened');
  }
}

const createBlockedError = () =>
  new RampError(
    'ERR_WIDGET_BLOCKED',
    'The browser blocked the checkout window: it allows one only inside a click, not after an await. A link replaces it.',
  );

/**
 * Closes the window if there is one, and returns whether none is left. Without an opener, a window that shows a page of
 * another origin stays open: then the shopper has to close it.
 */
function closeWindow(blank: Window | null | undefined): boolean {
  blank?.close();
  return blank?.closed !== false;
}

/** Returns the time after which the widget may be usable without a load event. */
function getUsableAt({ display, blank }: Opening): number {
  if (isFramed(display)) return performance.now() + LOAD_MS;
  return blank ? performance.now() : Number.POSITIVE_INFINITY;
}

/** Returns the notice of a closed checkout that may have been paid and whose state the backend can return. */
function createNotice(
  { request, options: { credentials, headers } }: CheckoutSession,
  { options: { api }, earlier }: Opening,
  reference: string | undefined,
  reason: Reason | undefined,
  isWindowOpen: boolean,
): CheckoutNotice | undefined {
  const references = [...new Set([reference, earlier?.reference])].filter((one) => one != null);
  if (!reason || references.length === 0 || api == null) return undefined;
  const secondWindow = earlier && (isWindowOpen ? 'open' : 'closed');
  return { reason, references, secondWindow, api, credentials, headers, request };
}

/** Creates the function that emits the events of one view. */
function createEmitter(
  session: CheckoutSession,
  opening: Opening,
  reference: string | undefined,
): (type: EventType, error?: RampError) => void {
  const { display, earlier, options } = opening;
  const { api } = options;
  return (type, error) => {
    // Before the page's callbacks: they may unmount the button. After a redirect the checkout is watched once the
    // page is shown again.
    if (reference && type === 'opened' && api != null) addOpenedCheckout(api, reference);
    const isContinued = earlier?.reference === reference;
    if (reference && !isContinued && type === (display === 'redirect' ? 'closed' : 'opened'))
      notifyStatusChanges(session, opening, reference);
    emitCheckoutEvent(opening, type, reference, error);
  };
}

/** Creates the functions that start and abort a move of this checkout to a new window. */
function createMover(
  session: CheckoutSession,
  opening: Opening,
  messages: CheckoutMessages,
  reference: string | undefined,
  emit: (type: EventType, error?: RampError) => void,
  close: (emitsClosed: boolean, reason?: Reason) => void,
) {
  const { api, maxAgeSeconds = 60 } = opening.options;
  let stop: (() => void) | undefined;
  return {
    stop: () => stop?.(),
    move(container: HTMLElement, mayBePaid: boolean) {
      const earlier = reference ? { reference, mayBePaid } : undefined;
      stop ||= moveToWindow({
        container,
        messages,
        mayBePaid,
        requestContinuation:
          reference && api != null
            ? (signal, onWait) => {
                const backend = { ...session.options, api, request: session.request };
                return continueCheckout(backend, reference, signal, onWait);
              }
            : undefined,
        onContinued(signed, blank) {
          close(true);
          const continued: Opening = { ...opening, display: 'window', blank, earlier };
          session.opening = continued;
          const seconds = Math.min(maxAgeSeconds, signed.expiresInSeconds ?? maxAgeSeconds);
          showView(session, continued, messages, signed, seconds * 1000);
        },
        onPaid: (isKnown) => close(true, isKnown ? 'paid' : 'closed'),
        onRestart() {
          close(true);
          session.open('window', opening.trigger);
          // Read once the new checkout is signed.
          if (session.opening) session.opening.earlier = earlier;
        },
        onFailed: (error) => emit('failed', error),
        onDone() {
          stop = undefined;
        },
      });
    },
  };
}

/** Returns the function that shows the widget in the given display. */
function selectView({ display, container }: Opening): (request: ViewRequest) => ViewHandle {
  if (!isFramed(display)) return display === 'window' ? openWindow : redirect;
  if (display !== 'inline') return openDialog;
  if (container) return openInline;
  // Without a container in the page, an inline widget is shown in a dialog.
  if (process.env.NODE_ENV !== 'production')
    import('../dev/warnInDev.js').then(({ warnMissingContainer }) => warnMissingContainer());
  return openDialog;
}
