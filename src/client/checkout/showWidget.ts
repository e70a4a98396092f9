import { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { SignedCheckout } from '../backend/createHttpSigner.js';
import { addOpenWidget, getCardOf } from '../pageCheckouts.js';
import { buildCheckoutUrl, isFramed } from './buildCheckoutUrl.js';
import type { Checkout } from './Checkout.js';
import type { CheckoutNotice } from './CheckoutNotice.js';
import { createMover } from './createMover.js';
import { askFirst, createNotice, type NoticeInput } from './createNotice.js';
import { type CheckoutDisplay, type EventType, emitCheckoutEvent } from './events.js';
import { followOutcome, notifyStatusChanges, USED_MS } from './followCheckout.js';
import { getMessages } from './getMessages.js';
import type { Opening, ShownWidget } from './Opening.js';
import { addPendingPurchase, setPurchaseKey } from './purchases.js';
import { rememberOpened } from './rememberOpened.js';
import { getSignatureMs } from './signatures.js';
import type { ViewHandle, ViewRequest } from './view.js';
import { awaitLeave } from './views/awaitLeave.js';
import { openDialog } from './views/dialog.js';
import { openInline } from './views/inline.js';
import { openWindow, redirect, showBlockedLink } from './views/window.js';

/** After this time, a frame may be usable even without its `load` event, which one slow image can delay. */
const LOAD_MS = 8000;

type Reason = CheckoutNotice['reason'];

/**
 * Shows the widget, or a link to it if the browser blocked the window, and follows its checkout until the widget is
 * gone. Views neither emit events nor change the checkout: they call back, and this function does both.
 *
 * A window outlives the button that opened it. The page still notices when the window closes, and another button for
 * the same purchase can take over.
 *
 * @throws RampError if the URL of the widget cannot be built.
 */
export function showWidget(
  opener: Checkout,
  clicked: Opening,
  signed: SignedCheckout | undefined,
  signatureMs: number,
): void {
  const { display, blank, purchaseKey } = clicked;
  const { api } = clicked.options;
  const messages = getMessages(clicked.options);
  const url = buildCheckoutUrl(clicked, signed);
  // Use a signature for only one opening, so remove it from the cache.
  opener.signatures.discard();
  const reference = signed?.reference;
  setPurchaseKey(reference, purchaseKey);
  const isWindow = display === 'window';
  const isBlocked = isWindow && !blank;

  /** The button that shows the state of the checkout. */
  let checkout = opener;
  let opening = clicked;
  /** True if that button was unmounted and left its window open. */
  let isDetached = false;
  let isOver = false;
  /**
   * The last state that includes an order, from this checkout or the earlier one. Undefined until there is an order.
   */
  let outcome: CheckoutResponse | undefined;
  let usableAt = getUsableAt(opening);
  /** The functions to call when the widget ends. */
  const ends: (() => void)[] = [];

  const mayBePaid = () => performance.now() - usableAt >= USED_MS;
  const emit = (type: EventType, error?: RampError) => {
    // Remember and watch the checkout before calling the page's callbacks, because they may unmount the button.
    if (reference) rememberOpened(checkout, opening, reference, type, signed?.isListed);
    emitCheckoutEvent(opening, type, reference, error);
  };
  const notify = (reason: Reason, given: Omit<NoticeInput, 'reason'> = {}) =>
    createNotice(checkout, opening, reference, { reason, checkout: outcome, ...given });

  /** @param isHidden - True if the window may be open, but this page cannot see it. */
  function close(reason?: Reason, isHidden = false): void {
    if (isOver) return;
    isOver = true;
    for (const end of ends) end();
    view.remove();
    // Only a backend can tell whether a closed checkout is paid.
    if (isHidden || (reason === 'closed' && reference && api != null))
      addPendingPurchase(purchaseKey, {
        show: (next, asked) =>
          askFirst(next, { ...opening, ...asked }, reference, asked, {
            reason: isHidden ? 'hidden' : 'closed',
            checkout: outcome,
            isWindowOpen: isHidden,
          }),
      });
    const isWindowOpen = isHidden || blank?.closed === false;
    // The bar has already announced this outcome.
    const isAnnounced = outcome !== undefined && view.showOutcome !== undefined;
    const notice = reason && notify(reason, { isWindowOpen, isAnnounced });
    checkout.change({ type: 'ended', opening, reference, notice });
    if (!isBlocked && !isHidden && !isDetached) emit('closed');
  }

  function end(isHidden = view.isHidden?.() ?? false): void {
    const isUnclear = mayBePaid() || opening.earlier?.mayBePaid;
    const reason = outcome ? 'paid' : isHidden ? 'hidden' : isUnclear ? 'closed' : undefined;
    close(reason, isHidden);
  }

  const mover = createMover({
    getOwner: () => ({ checkout, opening }),
    reference,
    messages,
    close,
    show: (next, renewed) =>
      showWidget(checkout, next, renewed, getSignatureMs(next.options, renewed)),
    onFailed: (error) => emit('failed', error),
  });
  ends.push(mover.stop);

  const show: (request: ViewRequest) => ViewHandle = isBlocked
    ? showBlockedLink
    : selectView(checkout, opening);
  const view = show({
    ...opening,
    container: checkout.container,
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

  const follow = () =>
    followOutcome(checkout, opening, reference, (state) => {
      outcome = state;
      if (isBlocked) return end();
      // The order answers the question whether the shopper has paid, so remove the question.
      mover.stop();
      if (isWindow) return checkout.change({ type: 'noticed', opening, notice: notifyOpen() });
      // A status card on the page announces the state too.
      const isLive = display !== 'inline' || getCardOf(state.reference) === undefined;
      view.showOutcome?.(state, isLive);
    });
  const notifyOpen = () =>
    isWindow
      ? notify(outcome ? 'paid' : 'open', { isWindowOpen: true, showWindow: focus })
      : undefined;
  let stopFollowing = follow();
  ends.push(() => stopFollowing());

  const widget: ShownWidget = {
    isOpen,
    focus,
    end: () => end(),
    detach() {
      if (!isWindow) return end();
      isDetached = true;
      stopFollowing();
    },
  };
  if (reference) ends.push(addOpenWidget(reference, { isWindow, isOpen, focus }));

  if (isBlocked) {
    const error = createBlockedError();
    const leaveLink = (finish: () => void) => {
      if (isOver) return;
      opening.trigger?.focus({ preventScroll: true });
      emit('opened');
      finish();
    };
    const onUsed = () => leaveLink(() => end(true));
    const openInPlace = () => {
      // A shopper who comes back to this page may have paid, and no other window is open.
      leaveLink(() => close('closed'));
      location.assign(url);
    };
    let stopWaiting = () => {};
    ends.push(() => stopWaiting());
    const onLinkClick = () => {
      stopWaiting();
      stopWaiting = awaitLeave(onUsed, () =>
        checkout.change({ type: 'ignored', opening, openInPlace }),
      );
    };
    checkout.change({ type: 'blocked', opening, widget, url, error, onLinkClick, reference });
    emit('blocked', error);
    return;
  }

  /** Lets another button for the same purchase show this checkout's state. */
  function attach(next: Checkout, asked: Opening): void {
    isDetached = false;
    checkout = next;
    opening = { ...opening, options: asked.options, trigger: asked.trigger };
    stopFollowing = follow();
    checkout.change({ type: 'signed', opening: asked, completed: opening });
    checkout.change({ type: 'shown', opening, widget, reference, notice: notifyOpen() });
    if (reference) notifyStatusChanges(checkout, opening, reference);
  }
  if (display !== 'redirect')
    ends.push(
      addPendingPurchase(purchaseKey, {
        show(next, asked) {
          if (!isOpen()) {
            // The window has been closed or hidden since it was last checked.
            end();
            next.change({ type: 'ended', opening: asked });
            return next.open({ display: asked.display, trigger: asked.trigger });
          }
          focus();
          if (isDetached) attach(next, asked);
          else next.change({ type: 'ended', opening: asked });
        },
      }),
    );
  checkout.change({ type: 'shown', opening, widget, reference, notice: notifyOpen() });
  emit('opened');
}

const createBlockedError = () =>
  new RampError(
    'ERR_WIDGET_BLOCKED',
    'The browser blocked the checkout window: it allows one only inside a click, not after an await. A link replaces it.',
  );

/** Returns the `performance.now()` time from which the widget may be usable, even without a `load` event. */
function getUsableAt({ display, blank }: Opening): number {
  if (isFramed(display)) return performance.now() + LOAD_MS;
  return blank || display === 'redirect' ? performance.now() : Number.POSITIVE_INFINITY;
}

const views: Readonly<Record<CheckoutDisplay, (request: ViewRequest) => ViewHandle>> = {
  modal: openDialog,
  inline: openInline,
  window: openWindow,
  redirect,
};

function selectView({ container }: Checkout, { display }: Opening) {
  // Untyped code may pass any text.
  if (display !== 'inline' || container) return views[display] ?? openDialog;
  // An inline widget needs a container in the page. Without one, show the widget in a dialog.
  if (process.env.NODE_ENV !== 'production')
    import('../dev/warnInDev.js').then(({ warnMissingContainer }) => warnMissingContainer());
  return openDialog;
}
