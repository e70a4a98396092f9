import { type CheckoutMessages, checkoutEnglish } from '../../messages/CheckoutMessages.js';
import { RampError } from '../../protocol/errors/RampError.js';
import { addOpenedCheckout } from '../status/openedCheckouts.js';
import { awaitSignature } from './awaitSignature.js';
import { buildCheckoutUrl } from './buildCheckoutUrl.js';
import { CheckoutNote } from './CheckoutNote.js';
import type { CheckoutNotice, CheckoutState, SignedCheckout } from './CheckoutOptions.js';
import type { CheckoutSession, Opening, ViewHandle, ViewRequest } from './CheckoutSession.js';
import { continueCheckout } from './continueCheckout.js';
import { type EventType, emitCheckoutEvent } from './emitCheckoutEvent.js';
import { notifyStatusChanges } from './notifyStatusChanges.js';
import { toRampError } from './toRampError.js';
import { moveToWindow } from './views/moveToWindow.js';
import { openDialog } from './views/openDialog.js';
import { openInline } from './views/openInline.js';
import { openWindow } from './views/openWindow.js';
import { redirect } from './views/redirect.js';
import { showBlockedLink } from './views/showBlockedLink.js';

export { preconnect } from './preconnect.js';

/** Shown for this long, a widget may have taken a payment. */
const USED_MS = 5000;
/** A frame that has not loaded by now may be usable all the same: one slow image holds its event back. */
const LOAD_MS = 8000;

/** Waits for the signature and shows the widget: the part of a click that may take its time. */
export async function openCheckout(session: CheckoutSession, opening: Opening): Promise<void> {
  const { options, blank } = opening;
  const messages = { ...checkoutEnglish, ...options.messages };
  const isCurrent = () => session.opening === opening;
  try {
    prepareWindow(blank, messages);
    const signed = await awaitSignature(opening, session.requestSignature(options));
    if (!isCurrent()) return;
    if (!blank?.closed)
      return showView(session, opening, messages, signed, session.signatureTtlMs());
    // The shopper did not wait. The signature has opened nothing, and serves the next click.
    session.opening = undefined;
    session.setState({ status: 'idle' });
  } catch (cause) {
    if (!isCurrent()) return;
    // What failed is not kept for the next try, nor waited for any longer.
    session.discardSignature();
    blank?.close();
    const failed = 'The checkout failed to open; see the cause.';
    const error = toRampError(cause, 'ERR_WIDGET_LOAD', failed);
    session.setState({ status: 'error', error, Note: CheckoutNote });
    emitCheckoutEvent(opening, 'failed', undefined, error);
  }
}

/**
 * Names a blank window, which is ours until it is navigated, and centres it in the page's own window, on
 * whichever screen that is. A tab stays where it is.
 */
function prepareWindow(blank: Window | null | undefined, messages: CheckoutMessages): void {
  if (!blank || blank.closed) return;
  blank.document.title = blank.document.body.textContent = messages.opening;
  blank.moveTo(
    screenX + (outerWidth - blank.outerWidth) / 2,
    screenY + (outerHeight - blank.outerHeight) / 2,
  );
}

/** The one place that tells of a view and changes the state with it. */
function showView(
  session: CheckoutSession,
  opening: Opening,
  messages: CheckoutMessages,
  signed: SignedCheckout | undefined,
  signatureMs: number,
): void {
  const { display, trigger, blank, options } = opening;
  const { api } = options;
  const url = buildCheckoutUrl(opening, signed);
  const signatureTtlMs = signed ? signatureMs : Number.POSITIVE_INFINITY;
  // Each signature serves one opening.
  session.discardSignature();
  const reference = signed?.reference;
  const setState = (state: CheckoutState) =>
    session.setState({ ...state, reference, Note: CheckoutNote });
  const emit = (type: EventType, error?: RampError) => {
    // Before the page is told: it may take the button away. One that is left for the widget follows once
    // it is back.
    if (reference && type === 'opened' && api != null) addOpenedCheckout(api, reference);
    if (reference && !opening.isResumed && type === (display === 'redirect' ? 'closed' : 'opened'))
      notifyStatusChanges(session, opening, reference);
    emitCheckoutEvent(opening, type, reference, error);
  };
  const fail = (error: RampError) => emit('failed', error);

  const isBlocked = display === 'window' && !blank;
  let isOver = false;
  let stopMoving: (() => void) | undefined;
  const isFrame = display === 'modal' || display === 'inline';
  let usableAt =
    isFrame || blank ? performance.now() + (isFrame ? LOAD_MS : 0) : Number.POSITIVE_INFINITY;
  const mayBePaid = () => performance.now() - usableAt >= USED_MS;
  const close = (tells: boolean, reason?: CheckoutNotice['reason']) => {
    if (isOver) return;
    isOver = true;
    stopMoving?.();
    shown.remove();
    if (session.opening === opening) {
      session.opening = session.view = undefined;
      const { credentials, headers } = session.options;
      const canFollow = reason && reference && api != null;
      const url = session.backend.buildBackendUrl(api ?? '', '/checkouts');
      const notice = canFollow ? { reason, url, api, credentials, headers } : undefined;
      setState({ status: 'idle', notice });
    }
    if (tells) emit('closed');
  };
  const end = (tells = !isBlocked) => close(tells, mayBePaid() ? 'closed' : undefined);
  const shown: ViewHandle = (isBlocked ? showBlockedLink : selectView(opening))({
    ...opening,
    url,
    messages,
    signatureTtlMs,
    onLoaded() {
      usableAt = performance.now();
      emit('loaded');
    },
    onLoadError(error) {
      // The browser refused to show it, so nobody can have paid.
      usableAt = Number.POSITIVE_INFINITY;
      fail(error);
    },
    onEnd: end,
    openNewWindow(container) {
      stopMoving ||= moveToWindow({
        container,
        messages,
        mayBePaid: mayBePaid(),
        resume:
          reference && api != null
            ? (signal) =>
                continueCheckout(session.backend, { ...session.options, api }, reference, signal)
            : undefined,
        openBlank() {
          const opened = window.open('about:blank', '_blank', 'popup,width=480,height=760');
          prepareWindow(opened, messages);
          return opened?.closed ? null : opened;
        },
        onResumed(next, opened) {
          close(true);
          const resumed = {
            ...opening,
            display: 'window',
            blank: opened,
            isResumed: true,
          } as const;
          session.opening = resumed;
          const { maxAgeSeconds = 60 } = options;
          const seconds = Math.min(maxAgeSeconds, next.expiresInSeconds ?? maxAgeSeconds);
          showView(session, resumed, messages, next, seconds * 1000);
        },
        onPaid: (isKnown) => close(true, isKnown ? 'paid' : 'closed'),
        onRestart() {
          close(true);
          session.open('window', trigger);
        },
        onDone() {
          stopMoving = undefined;
        },
      });
    },
  });
  session.view = {
    isOpen: shown.isOpen,
    focus: shown.focus,
    end,
    detach: display === 'window' ? shown.detach : end,
  };
  if (!isBlocked) {
    setState({ status: 'open' });
    emit('opened');
    return;
  }
  const error = new RampError(
    'ERR_WIDGET_BLOCKED',
    'The browser blocked the checkout window: it lets one through only inside a click, not after an await. A link takes its place.',
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

function selectView({ display, container }: Opening): (request: ViewRequest) => ViewHandle {
  if (display === 'window') return openWindow;
  if (display === 'redirect') return redirect;
  if (display !== 'inline') return openDialog;
  if (container) return openInline;
  // Without a place in the page it is shown over it.
  if (process.env.NODE_ENV !== 'production')
    import('../dev/warnInDev.js').then(({ warnMissingContainer }) => warnMissingContainer());
  return openDialog;
}
