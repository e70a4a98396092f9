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

/** What a view needs to show the widget, and the callbacks that the view calls. */
export interface ViewRequest {
  readonly url: string;
  readonly messages: CheckoutMessages;
  readonly options: FrameOptions;
  /** The element that gets the focus when the view is removed, usually the button. */
  readonly trigger: HTMLElement | undefined;
  /** The element that an inline widget is placed in. */
  readonly container: HTMLElement | null | undefined;
  /** The blank window that was opened during the click; null if the browser blocked it. */
  readonly blank: Window | null | undefined;
  /** How long the signature in the URL may still be used, in milliseconds. */
  readonly signatureTtlMs: number;
  onLoaded(): void;
  /** Called when the page observes that the widget failed to load. */
  onLoadError(error: RampError): void;
  /**
   * Called when the view is gone.
   *
   * @param emitsClosed - False if the page only lost sight of the view, which may still be open.
   */
  onEnd(emitsClosed?: boolean): void;
  /**
   * Called when the shopper wants to continue in a new window.
   *
   * @param container - The element with the widget's frame. A question may be shown over the frame.
   */
  openNewWindow(container: HTMLElement): void;
}

/** Controls a view that is shown. */
export interface ViewHandle {
  isOpen(): boolean;
  focus(): void;
  /** Removes the view, or closes its window. */
  remove(): void;
  /** Stops watching the view, and leaves a window open. */
  detach(): void;
}

/** Once the widget has been usable for this long, assume that the shopper may have paid. */
const USED_MS = 5000;
/** After this time, a frame may be usable even without its `load` event, which one slow image can delay. */
const LOAD_MS = 8000;

type Reason = CheckoutNotice['reason'];

/**
 * Shows the widget, or a link to it if the browser blocked the window. Views neither emit events nor set the session's
 * state: they call back, and this function does both.
 */
export function showView(
  session: CheckoutSession,
  opening: Opening,
  messages: CheckoutMessages,
  signed: SignedCheckout | undefined,
  signatureMs: number,
): void {
  const { display, trigger, blank } = opening;
  const url = buildCheckoutUrl(opening, signed);
  // A signature opens the widget only once, so remove this one from the cache.
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
 * Closes the window, and returns false if it stays open. A page cannot close a window that has no opener and shows
 * another origin: only the shopper can.
 */
function closeWindow(blank: Window | null | undefined): boolean {
  blank?.close();
  return blank?.closed !== false;
}

/** Returns the time of `performance.now()` from which the widget may be usable, even without a `load` event. */
function getUsableAt({ display, blank }: Opening): number {
  if (isFramed(display)) return performance.now() + LOAD_MS;
  return blank ? performance.now() : Number.POSITIVE_INFINITY;
}

/**
 * Returns the notice about a checkout that may have been paid. Returns `undefined` if the checkout cannot have been
 * paid, or if no backend can tell its state.
 */
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

function createEmitter(
  session: CheckoutSession,
  opening: Opening,
  reference: string | undefined,
): (type: EventType, error?: RampError) => void {
  const { display, earlier, options } = opening;
  const { api } = options;
  return (type, error) => {
    // Remember and watch the checkout before calling the page's callbacks, because they may unmount the button. With a
    // redirect, the watch begins at `closed`, when the browser shows this page again.
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
          // session.open() has created a new opening. showView() reads `earlier` once the new checkout is signed.
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
  // An inline widget needs a container in the page. Without one, show the widget in a dialog.
  if (process.env.NODE_ENV !== 'production')
    import('../dev/warnInDev.js').then(({ warnMissingContainer }) => warnMissingContainer());
  return openDialog;
}
