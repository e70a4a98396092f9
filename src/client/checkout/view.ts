import type { CheckoutMessages } from '../../messages/CheckoutMessages.js';
import { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import { hasOrder } from '../../protocol/handler/progress.js';
import type { SignedCheckout } from '../backend/createHttpSigner.js';
import { requestBackend, toOpeningError } from '../backend/responses.js';
import { addOpenedCheckout } from '../stores/openedCheckouts.js';
import { addOpenWidget } from '../stores/openWidgets.js';
import { buildCheckoutUrl, isFramed } from './buildCheckoutUrl.js';
import { keepCheckoutChoices } from './checkoutChoices.js';
import { continueCheckout } from './continueCheckout.js';
import { type EventType, emitCheckoutEvent, notifyStatusChanges } from './events.js';
import { followCheckout, getUnmountSignal } from './followCheckout.js';
import { addPendingPurchase, pendingPurchases, setPurchaseKey } from './purchases.js';
import type { CheckoutNotice, CheckoutSession, Opening, SessionState } from './session.js';
import { openDialog } from './views/dialog.js';
import { type MoveTarget, moveCheckout } from './views/moveCheckout.js';
import { type FrameOptions, openInline } from './views/panel.js';
import { openBlank, openWindow, redirect, showBlockedLink, showText } from './views/window.js';

export interface ViewRequest {
  readonly url: string;
  readonly messages: CheckoutMessages;
  readonly options: FrameOptions;
  /** The element that gets the focus when the view is removed, usually the button. */
  readonly trigger: HTMLElement | undefined;
  /** The element that an inline widget is placed in. */
  readonly container: HTMLElement | null | undefined;
  /**
   * The blank window that was opened during the click. Null or undefined if none was needed, or if the browser blocked
   * it.
   */
  readonly blank: Window | null | undefined;
  /** How long the signature in the URL may still be used, in milliseconds. */
  readonly signatureTtlMs: number;
  onLoaded(): void;
  /** Called when the page observes that the widget failed to load. */
  onLoadError(error: RampError): void;
  /** Called when the view is gone, or the page only lost sight of it (`isHidden`). */
  onEnd(): void;
  /**
   * Called when the shopper wants to continue in a new window, or to load the frame again.
   *
   * @param container - The element with the widget's frame. A question may be shown over the frame.
   */
  move(container: HTMLElement, target: MoveTarget): void;
}

export interface ViewHandle {
  isOpen(): boolean;
  /**
   * Returns whether the view may be open in a window that this page cannot see. Missing if the page always sees the
   * view.
   */
  isHidden?(): boolean;
  focus(): void;
  /** Removes the view, or closes its window. */
  remove(): void;
  /**
   * Shows the state of a checkout that has an order, with the way back to the shop. Missing if the widget is not shown
   * in this page.
   *
   * @param isLive - False if the page announces this state to screen readers in another place.
   */
  showOutcome?(checkout: CheckoutResponse, isLive: boolean): void;
}

/** Once the widget has been usable for this long, assume that the shopper may have paid. */
const USED_MS = 5000;
/** After this time, a frame may be usable even without its `load` event, which one slow image can delay. */
const LOAD_MS = 8000;

type Reason = CheckoutNotice['reason'];

/**
 * Shows the widget, or a link to it if the browser blocked the window. Views neither emit events nor set the session's
 * state: they call back, and this function does both.
 *
 * A window outlives the button that opened it. Its end is noticed nevertheless, and another button for the same purchase
 * can take the place of that button.
 */
export function showView(
  opener: CheckoutSession,
  clicked: Opening,
  messages: CheckoutMessages,
  signed: SignedCheckout | undefined,
  signatureMs: number,
): void {
  const { display, blank, purchaseKey } = clicked;
  const { api } = clicked.options;
  const url = buildCheckoutUrl(clicked, signed);
  // Use a signature for only one opening, so remove it from the cache.
  opener.signatures.discard();
  const reference = signed?.reference;
  setPurchaseKey(reference, purchaseKey);
  const isWindow = display === 'window';
  const isBlocked = isWindow && !blank;

  /** The button that shows the state of the checkout. */
  let session = opener;
  let opening = clicked;
  /** True if that button was unmounted and left its window open. */
  let isDetached = false;
  let emit = createEmitter(session, opening, reference, signed?.isListed);
  const setState = (state: SessionState) =>
    session.setState({ ...state, reference, Note: session.Note });

  let isOver = false;
  /** The last state with an order, of this checkout or of the earlier one. Undefined until there is an order. */
  let outcome: CheckoutResponse | undefined;
  let usableAt = getUsableAt(opening);
  const mayBePaid = () => performance.now() - usableAt >= USED_MS;
  const notify = (reason: Reason, given: Omit<NoticeInput, 'reason'> = {}) =>
    createNotice(session, opening, messages, reference, { reason, checkout: outcome, ...given });
  /** @param isHidden - True if the window may be open, but this page cannot see it. */
  const close = (reason?: Reason, isHidden = false) => {
    if (isOver) return;
    isOver = true;
    mover.stop();
    stopFollowing();
    removeOpenWidget();
    removePurchase();
    view.remove();
    // Without a backend, nobody can tell whether a closed checkout is paid.
    if (isHidden || (reason === 'closed' && reference && api != null))
      addPendingPurchase(purchaseKey, {
        show: (next, clicked) =>
          askFirst(next, { ...opening, ...clicked }, messages, reference, {
            reason: isHidden ? 'hidden' : 'closed',
            checkout: outcome,
            isWindowOpen: isHidden,
          }),
      });
    if (session.opening === opening) {
      session.opening = session.view = undefined;
      const isWindowOpen = isHidden || blank?.closed === false;
      // The bar has announced this outcome already.
      const isAnnounced = outcome !== undefined && view.showOutcome !== undefined;
      setState({
        status: 'idle',
        notice: reason && notify(reason, { isWindowOpen, isAnnounced }),
      });
    }
    if (!isBlocked && !isHidden && !isDetached) emit('closed');
  };
  const end = (isHidden = view.isHidden?.() ?? false) => {
    if (outcome) return close('paid', isHidden);
    const isUnclear = mayBePaid() || opening.earlier?.mayBePaid;
    close(isHidden ? 'hidden' : isUnclear ? 'closed' : undefined, isHidden);
  };
  const mover = createMover(session, opening, messages, reference, emit, close);
  const view = (isBlocked ? showBlockedLink : selectView(session, opening))({
    ...opening,
    container: session.container,
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
    onEnd: () => end(),
    move: (container, target) => mover.move(container, target, mayBePaid()),
  });
  const { isOpen, focus } = view;
  const showOpen = () =>
    setState({
      status: 'open',
      notice: isWindow
        ? notify(outcome ? 'paid' : 'open', { isWindowOpen: true, showWindow: focus })
        : undefined,
    });
  const follow = () =>
    followOutcome(session, opening, reference, async (checkout) => {
      outcome = checkout;
      if (isBlocked) return end();
      // The order answers the question whether the shopper has paid, so remove the question.
      mover.stop();
      if (isWindow) return showOpen();
      const isLive = display !== 'inline' || !(await isInCard(checkout));
      if (!isOver) view.showOutcome?.(checkout, isLive);
    });
  let stopFollowing = follow();
  const removeOpenWidget = reference
    ? addOpenWidget(reference, { isWindow, isOpen, focus })
    : () => {};
  const detachWindow = () => {
    isDetached = true;
    stopFollowing();
  };
  const handle = { isOpen, focus, end: () => end(), detach: isWindow ? detachWindow : () => end() };
  session.view = handle;
  const attach = (next: CheckoutSession, { options, trigger }: Opening) => {
    isDetached = false;
    session = next;
    opening = { ...opening, options, trigger };
    session.opening = opening;
    session.view = handle;
    emit = createEmitter(session, opening, reference);
    stopFollowing = follow();
    showOpen();
    if (reference) notifyStatusChanges(session, opening, reference);
  };
  const show = (next: CheckoutSession, click: Opening) => {
    if (!isOpen()) {
      // The window was closed, or hidden, since the last look at it.
      end();
      return void next.controls.open(click.display, click.trigger);
    }
    focus();
    if (isDetached) attach(next, click);
  };
  const removePurchase =
    isBlocked || display === 'redirect' ? () => {} : addPendingPurchase(purchaseKey, { show });
  if (isBlocked) {
    const error = createBlockedError();
    const onLinkClick = () => {
      if (isOver) return;
      opening.trigger?.focus({ preventScroll: true });
      emit('opened');
      end(true);
    };
    setState({ status: 'blocked', url, error, onLinkClick });
    emit('blocked', error);
  } else {
    showOpen();
    emit('opened');
  }
}

const createBlockedError = () =>
  new RampError(
    'ERR_WIDGET_BLOCKED',
    'The browser blocked the checkout window: it allows one only inside a click, not after an await. A link replaces it.',
  );

/** Returns the time of `performance.now()` from which the widget may be usable, even without a `load` event. */
function getUsableAt({ display, blank }: Opening): number {
  if (isFramed(display)) return performance.now() + LOAD_MS;
  return blank || display === 'redirect' ? performance.now() : Number.POSITIVE_INFINITY;
}

/**
 * Calls `onOutcome` with each state of the checkout from its first order on. If this opening replaced a widget in which
 * the shopper may have paid, the function also follows the checkout of that widget, because the order may belong to it.
 *
 * @returns A function that ends the calls.
 */
function followOutcome(
  session: CheckoutSession,
  { display, earlier, options: { api } }: Opening,
  reference: string | undefined,
  onOutcome: (checkout: CheckoutResponse) => void,
): () => void {
  if (api == null || display === 'redirect') return () => {};
  let stops: (() => void)[] = [];
  const stop = () => {
    clearTimeout(timer);
    for (const each of stops) each();
    stops = [];
  };
  const follow = (followed: string) => {
    const onChange = (checkout: CheckoutResponse) => hasOrder(checkout) && onOutcome(checkout);
    stops.push(followCheckout(session, api, followed, onChange));
  };
  const followed = earlier?.mayBePaid ? earlier.reference : undefined;
  if (followed) follow(followed);
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Nobody pays in the first seconds, so do not watch the checkout of a shopper who only looks.
  if (reference && reference !== followed) timer = setTimeout(() => follow(reference), USED_MS);
  return stop;
}

/** Returns whether a status card of the page shows the checkout. */
const isInCard = ({ reference }: CheckoutResponse): Promise<boolean> =>
  import('../status/noticeContent.js').then(
    ({ getCardOf }) => getCardOf(reference) !== undefined,
    () => false,
  );

interface NoticeInput
  extends Pick<CheckoutNotice, 'reason' | 'checkout' | 'isAnnounced' | 'showWindow' | 'startNew'> {
  /** Whether the window of the checkout may still be open. */
  readonly isWindowOpen?: boolean;
}

/**
 * Asks the shopper before a second checkout opens for the same purchase: the first may be open in another window, or may
 * have been paid.
 */
function askFirst(
  session: CheckoutSession,
  opening: Opening,
  messages: CheckoutMessages,
  reference: string | undefined,
  given: Omit<NoticeInput, 'startNew'>,
): void {
  const { display, trigger, purchaseKey } = opening;
  const startNew = () => {
    if (purchaseKey !== undefined) pendingPurchases.delete(purchaseKey);
    session.controls.open(display, trigger);
  };
  const notice = createNotice(session, opening, messages, reference, { ...given, startNew });
  session.setState({ status: 'idle', reference, notice, Note: session.Note });
}

/**
 * Returns the notice about a checkout that is open in another window or may have been paid. Returns `undefined` if the
 * window is closed and no backend can tell the state of the checkout.
 */
function createNotice(
  session: CheckoutSession,
  opening: Opening,
  messages: CheckoutMessages,
  reference: string | undefined,
  { isWindowOpen, ...notice }: NoticeInput,
): CheckoutNotice | undefined {
  const {
    request,
    options: { credentials, headers, fetch },
  } = session;
  const {
    options: { api },
    earlier,
  } = opening;
  const references = [...new Set([reference, earlier?.reference])].filter((one) => one != null);
  const isKnown = references.length > 0 && api != null;
  if (!isKnown && !notice.showWindow && notice.reason !== 'hidden') return undefined;
  const secondWindow = earlier?.isMoved ? (isWindowOpen ? 'open' : 'closed') : undefined;
  const backend = { api, credentials, headers, fetch, request };
  // Continuing a checkout that may be open in another window is offered only after the question.
  const { reason, startNew } = notice;
  const canResume =
    reference && isKnown && (reason === 'closed' || reason === 'unknown' || startNew);
  const resume = canResume
    ? () => reopenCheckout(session, opening, messages, reference)
    : undefined;
  return { references, secondWindow, resume, trigger: opening.trigger, ...backend, ...notice };
}

/**
 * Shows the widget of a closed checkout again if the backend signs the checkout again. Otherwise it shows a note with
 * the reason. Call it during a click, so that the browser allows a window.
 */
async function reopenCheckout(
  session: CheckoutSession,
  opening: Opening,
  messages: CheckoutMessages,
  reference: string,
): Promise<void> {
  const { display, trigger, options, purchaseKey } = opening;
  const blank = display === 'window' ? openBlank(messages, trigger) : undefined;
  const resumed: Opening = {
    ...opening,
    blank,
    earlier: { reference, mayBePaid: true },
  };
  const isCurrent = () => session.opening === resumed;
  const settle = (reason: 'paid' | 'ended' | 'closed' | 'unknown') => {
    session.opening = undefined;
    // The notice says so, and a further click is for another purchase.
    if (purchaseKey !== undefined && (reason === 'paid' || reason === 'ended'))
      pendingPurchases.delete(purchaseKey);
    blank?.close();
    const notice = createNotice(session, resumed, messages, reference, { reason });
    session.setState({ status: 'idle', reference, notice, Note: session.Note });
  };
  session.opening = resumed;
  session.setState({ status: 'signing', reference, Note: session.Note });
  // The notice's button is removed now and would lose the focus, so focus the button that opened the checkout.
  trigger?.focus({ preventScroll: true });
  try {
    const backend = { ...session.options, api: options.api, request: session.request };
    const result = await continueCheckout(backend, reference, getUnmountSignal(session), () =>
      showText(blank, messages.checkingPayment),
    );
    if (!isCurrent()) return;
    if (typeof result !== 'object') return settle(result);
    // The shopper closed the window before the widget opened.
    if (blank?.closed) return settle('closed');
    showView(session, resumed, messages, result, getSignatureMs(resumed, result));
  } catch (cause) {
    if (!isCurrent()) return;
    settle('unknown');
    emitCheckoutEvent(resumed, 'failed', reference, toOpeningError(cause));
  }
}

/** Returns how long a new signature may be used, in milliseconds. */
function getSignatureMs(
  { options: { maxAgeSeconds = 60 } }: Opening,
  { expiresInSeconds = maxAgeSeconds }: SignedCheckout,
): number {
  return Math.min(maxAgeSeconds, expiresInSeconds) * 1000;
}

function createEmitter(
  session: CheckoutSession,
  opening: Opening,
  reference: string | undefined,
  isListed = false,
): (type: EventType, error?: RampError) => void {
  const { display, earlier, options } = opening;
  const { api } = options;
  return (type, error) => {
    // Remember and watch the checkout before calling the page's callbacks, because they may unmount the button. With a
    // redirect, the watch begins at `closed`, when the browser shows this page again.
    if (reference && type === 'opened' && api != null) {
      addOpenedCheckout(api, reference);
      keepCheckoutChoices(api, reference, options.widget, options.unsignedParams);
      if (isListed) reportOpening(session, api, reference);
    }
    const isContinued = earlier?.reference === reference;
    if (reference && !isContinued && type === (display === 'redirect' ? 'closed' : 'opened'))
      notifyStatusChanges(session, opening, reference);
    emitCheckoutEvent(opening, type, reference, error);
  };
}

/**
 * Tells the backend that the shopper opened a checkout, so that its list has the checkout. With `keepalive`, the browser
 * sends the request although a redirect ends the page. A failure is silent: the list has the checkout nevertheless once
 * there is an order.
 */
function reportOpening(
  { request, options }: CheckoutSession,
  api: string,
  reference: string,
): void {
  const path = `/checkouts/${encodeURIComponent(reference)}/opened`;
  const init = { method: 'POST', keepalive: true };
  requestBackend([{ ...options, api, request }, path, init]).catch(() => {});
}

/** Creates the functions that start and abort a move of this checkout to a new window or a new frame. */
function createMover(
  session: CheckoutSession,
  opening: Opening,
  messages: CheckoutMessages,
  reference: string | undefined,
  emit: (type: EventType, error?: RampError) => void,
  close: (reason?: Reason) => void,
) {
  const { display, trigger } = opening;
  const { api } = opening.options;
  let stop: (() => void) | undefined;
  return {
    stop: () => stop?.(),
    move(container: HTMLElement, target: MoveTarget, mayBePaid: boolean) {
      const isMoved = target === 'window';
      const earlier = reference ? { reference, mayBePaid, isMoved } : undefined;
      stop ||= moveCheckout({
        container,
        target,
        trigger,
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
          close();
          const continued: Opening = {
            ...opening,
            display: isMoved ? 'window' : display,
            blank,
            earlier,
          };
          session.opening = continued;
          showView(session, continued, messages, signed, getSignatureMs(continued, signed));
        },
        onPaid: (isKnown) => close(isKnown ? 'paid' : 'closed'),
        onRestart() {
          close();
          session.controls.open(isMoved ? 'window' : display, trigger);
          // open() has created a new opening. showView() reads `earlier` once the new checkout is signed.
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

function selectView(
  { container }: CheckoutSession,
  { display }: Opening,
): (request: ViewRequest) => ViewHandle {
  if (!isFramed(display)) return display === 'window' ? openWindow : redirect;
  if (display !== 'inline') return openDialog;
  if (container) return openInline;
  // An inline widget needs a container in the page. Without one, show the widget in a dialog.
  if (process.env.NODE_ENV !== 'production')
    import('../dev/warnInDev.js').then(({ warnMissingContainer }) => warnMissingContainer());
  return openDialog;
}
