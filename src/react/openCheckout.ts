import { type CheckoutMessages, checkoutEnglish } from '../messages/CheckoutMessages.js';
import { RampError } from '../protocol/ramp-error.js';
import { CheckoutNote } from './CheckoutNote.js';
import type { CheckoutState, SignedCheckout } from './checkout-types.js';
import type { CheckoutSession, Opening, Shown, ViewRequest } from './checkout-view.js';
import { checkoutUrl } from './checkoutUrl.js';
import { followCheckout } from './followCheckout.js';
import { linkInstead } from './linkInstead.js';
import { openDialog } from './openDialog.js';
import { openInline } from './openInline.js';
import { openWindow } from './openWindow.js';
import { redirect } from './redirect.js';
import { signatureFor } from './signatureFor.js';
import { type EventType, tellEvent } from './tellEvent.js';
import { toRampError } from './toRampError.js';

export { preconnect } from './preconnect.js';

/** Waits for the signature and shows the widget: the part of a click that may take its time. */
export async function openCheckout(session: CheckoutSession, opening: Opening): Promise<void> {
  const { options, blank } = opening;
  const messages = { ...checkoutEnglish, ...options.messages };
  const isCurrent = () => session.opening === opening;
  try {
    // A blank page says nothing; this one is ours until it is sent on.
    if (blank && !blank.closed) {
      blank.document.title = blank.document.body.textContent = messages.opening;
      centre(blank);
    }
    const signed = await signatureFor(opening, session.ask(options));
    if (!isCurrent()) return;
    if (!blank?.closed) return show(session, opening, messages, signed);
    // The shopper did not wait. The signature has opened nothing, and serves the next click.
    session.opening = undefined;
    session.become({ status: 'idle' });
  } catch (cause) {
    if (!isCurrent()) return;
    // What failed is not kept for the next try, nor waited for any longer.
    session.forget();
    blank?.close();
    const failed = 'The checkout failed to open; see the cause.';
    const error = toRampError(cause, 'ERR_WIDGET_LOAD', failed);
    session.become({ status: 'error', error, Note: CheckoutNote });
    tellEvent(opening, 'failed', undefined, error);
  }
}

/** In the middle of the page's own window, on whichever screen that is. A tab stays where it is. */
function centre(blank: Window): void {
  blank.moveTo(
    screenX + (outerWidth - blank.outerWidth) / 2,
    screenY + (outerHeight - blank.outerHeight) / 2,
  );
}

/** The one place that tells of a view and changes the state with it. */
function show(
  session: CheckoutSession,
  opening: Opening,
  messages: CheckoutMessages,
  signed: SignedCheckout | undefined,
): void {
  const { display, trigger, blank } = opening;
  const url = checkoutUrl(opening, signed);
  const freshMs = signed ? session.freshMs() : Number.POSITIVE_INFINITY;
  // Each signature serves one opening.
  session.forget();
  const reference = signed?.reference;
  const become = (state: CheckoutState) =>
    session.become({ ...state, reference, Note: CheckoutNote });
  const tell = (type: EventType, error?: RampError) => {
    // Before the page is told: it may take the button away. One that is left for the widget follows once
    // it is back.
    if (reference && type === (display === 'redirect' ? 'closed' : 'opened'))
      followCheckout(session, opening, reference);
    tellEvent(opening, type, reference, error);
  };
  const fail = (error: RampError) => tell('failed', error);

  const isBlocked = display === 'window' && !blank;
  let isOver = false;
  const end = (tells = !isBlocked) => {
    if (isOver) return;
    isOver = true;
    shown.remove();
    if (session.opening === opening) {
      session.opening = session.view = undefined;
      become({ status: 'idle' });
    }
    if (tells) tell('closed');
  };
  const shown: Shown = (isBlocked ? linkInstead : viewFor(opening))({
    ...opening,
    url,
    messages,
    freshMs,
    onLoaded: () => tell('loaded'),
    onTrouble: fail,
    onEnd: end,
    openNewWindow() {
      end();
      session.open('window', trigger);
    },
  });
  session.view = {
    isOpen: shown.isOpen,
    focus: shown.focus,
    end,
    letGo: display === 'window' ? shown.letGo : end,
  };
  if (!isBlocked) {
    become({ status: 'open' });
    tell('opened');
    return;
  }
  const error = new RampError(
    'ERR_WIDGET_BLOCKED',
    'The browser blocked the checkout window: it lets one through only inside a click, not after an await. A link takes its place.',
  );
  const linkUsed = () => {
    if (isOver) return;
    trigger?.focus({ preventScroll: true });
    tell('opened');
    end();
  };
  become({ status: 'blocked', url, error, linkUsed });
  tell('blocked', error);
}

function viewFor({ display, container }: Opening): (request: ViewRequest) => Shown {
  if (display === 'window') return openWindow;
  if (display === 'redirect') return redirect;
  if (display !== 'inline') return openDialog;
  if (container) return openInline;
  // Without a place in the page it is shown over it.
  if (process.env.NODE_ENV !== 'production')
    import('./sayError.js').then(({ sayNoPlace }) => sayNoPlace());
  return openDialog;
}
