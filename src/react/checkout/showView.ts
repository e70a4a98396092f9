import type { CheckoutMessages } from '../../messages/CheckoutMessages.js';
import { RampError } from '../../protocol/errors/RampError.js';
import type { SignedCheckout } from '../backend/CheckoutSigner.js';
import { addOpenedCheckout } from '../status/openedCheckouts.js';
import { buildCheckoutUrl } from './buildCheckoutUrl.js';
import { CheckoutNote } from './CheckoutNote.js';
import type { CheckoutSession } from './CheckoutSession.js';
import type { CheckoutNotice, CheckoutState } from './CheckoutState.js';
import { continueCheckout } from './continueCheckout.js';
import { type EventType, emitCheckoutEvent } from './emitCheckoutEvent.js';
import { notifyStatusChanges } from './notifyStatusChanges.js';
import type { Opening } from './Opening.js';
import { selectView } from './selectView.js';
import { moveToWindow } from './views/moveToWindow.js';
import { prepareWindow } from './views/prepareWindow.js';
import { showBlockedLink } from './views/showBlockedLink.js';

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
  let stopMoving: (() => void) | undefined;
  let usableAt = getUsableAt(opening);
  const mayBePaid = () => performance.now() - usableAt >= USED_MS;
  const close = (emitsClosed: boolean, reason?: Reason) => {
    if (isOver) return;
    isOver = true;
    stopMoving?.();
    view.remove();
    if (session.opening === opening) {
      session.opening = session.view = undefined;
      setState({ status: 'idle', notice: createNotice(session, opening, reference, reason) });
    }
    if (emitsClosed) emit('closed');
  };
  const end = (emitsClosed = !isBlocked) => close(emitsClosed, mayBePaid() ? 'closed' : undefined);
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
    openNewWindow(container) {
      stopMoving ||= moveToWindow({
        container,
        messages,
        mayBePaid: mayBePaid(),
        ...createMoveActions(session, opening, messages, reference, close),
        onDone() {
          stopMoving = undefined;
        },
      });
    },
  });
  const { isOpen, focus } = view;
  session.view = { isOpen, focus, end, detach: display === 'window' ? view.detach : end };
  if (!isBlocked) {
    setState({ status: 'open' });
    emit('opened');
    return;
  }
  const error = new RampError(
    'ERR_WIDGET_BLOCKED',
    'The browser blocked the checkout window: it allows one only inside a click, not after an await. A link replaces it.',
  );
  const onLinkClick = () => {
    if (isOver) return;
    trigger?.focus({ preventScroll: true });
    emit('opened');
    end();
  };
  setState({ status: 'blocked', url, error, onLinkClick });
  emit('blocked', error);
}

/** Returns the time after which the widget may be usable without a load event. */
function getUsableAt({ display, blank }: Opening): number {
  if (display === 'modal' || display === 'inline') return performance.now() + LOAD_MS;
  return blank ? performance.now() : Number.POSITIVE_INFINITY;
}

/** Returns the notice of a closed checkout that may have been paid and whose state the backend can return. */
function createNotice(
  { request, options: { credentials, headers } }: CheckoutSession,
  { options: { api } }: Opening,
  reference: string | undefined,
  reason: Reason | undefined,
): CheckoutNotice | undefined {
  if (!reason || !reference || api == null) return undefined;
  return { reason, api, credentials, headers, request };
}

/** Creates the function that emits the events of one view. */
function createEmitter(
  session: CheckoutSession,
  opening: Opening,
  reference: string | undefined,
): (type: EventType, error?: RampError) => void {
  const { display, isResumed, options } = opening;
  const { api } = options;
  return (type, error) => {
    // Before the page's callbacks: they may unmount the button. After a redirect the checkout is watched once the
    // page is shown again.
    if (reference && type === 'opened' && api != null) addOpenedCheckout(api, reference);
    if (reference && !isResumed && type === (display === 'redirect' ? 'closed' : 'opened'))
      notifyStatusChanges(session, opening, reference);
    emitCheckoutEvent(opening, type, reference, error);
  };
}

/** Creates the callbacks of a move to a new window. */
function createMoveActions(
  session: CheckoutSession,
  opening: Opening,
  messages: CheckoutMessages,
  reference: string | undefined,
  close: (emitsClosed: boolean, reason?: Reason) => void,
) {
  const { api, maxAgeSeconds = 60 } = opening.options;
  return {
    resume:
      reference && api != null
        ? (signal: AbortSignal) =>
            continueCheckout(
              { ...session.options, api, request: session.request },
              reference,
              signal,
            )
        : undefined,
    openBlank() {
      const opened = window.open('about:blank', '_blank', 'popup,width=480,height=760');
      prepareWindow(opened, messages);
      return opened?.closed ? null : opened;
    },
    onResumed(signed: SignedCheckout, blank: Window | null) {
      close(true);
      const resumed: Opening = { ...opening, display: 'window', blank, isResumed: true };
      session.opening = resumed;
      const seconds = Math.min(maxAgeSeconds, signed.expiresInSeconds ?? maxAgeSeconds);
      showView(session, resumed, messages, signed, seconds * 1000);
    },
    onPaid: (isKnown: boolean) => close(true, isKnown ? 'paid' : 'closed'),
    onRestart() {
      close(true);
      session.open('window', opening.trigger);
    },
  };
}
