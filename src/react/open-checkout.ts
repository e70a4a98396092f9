import { messages as english } from '../messages/en.js';
import { isRampError } from '../protocol/is-ramp-error.js';
import { RampError } from '../protocol/ramp-error.js';
import { CheckoutNote } from './CheckoutNote.js';
import type { CheckoutSession, CheckoutView, Opening } from './checkout-session.js';
import type { CheckoutEvent, CheckoutState } from './checkout-types.js';
import { checkoutUrl } from './checkout-url.js';
import { openDialog } from './open-dialog.js';
import { openWindow } from './open-window.js';
import { signatureFor } from './signature-for.js';

/** What a view is given, and what it tells. */
export interface ViewRequest extends Opening {
  readonly url: string;
  tell(type: CheckoutEvent['type']): void;
  fail(error: RampError): void;
  onClosed(): void;
  openNewWindow(): void;
}

/** Waits for the signature and shows the widget: the part of a click that may take its time. */
export async function openCheckout(session: CheckoutSession, opening: Opening): Promise<void> {
  const { display, options, blank } = opening;
  const isCurrent = () => session.opening === opening;
  const become = (state: CheckoutState) => session.become({ ...state, Note: CheckoutNote });
  const fail = (error: RampError) => apart(() => options.onError?.(error));
  try {
    // A blank page says nothing; this one is ours until it is sent on.
    if (blank) blank.document.body.textContent = { ...english, ...options.messages }.opening;
    const signed = await signatureFor(opening);
    if (!isCurrent()) return;
    // Each signature serves one opening.
    session.forget();
    const reference = signed?.reference;
    const url = checkoutUrl(opening, signed);
    const show = display === 'window' ? openWindow : openDialog;
    const view: CheckoutView = show({
      ...opening,
      url,
      fail,
      tell: (type) => apart(() => options.onEvent?.({ type, display, reference })),
      onClosed() {
        if (!isCurrent()) return;
        session.opening = session.view = undefined;
        become({ status: 'idle', reference });
      },
      openNewWindow() {
        view.close();
        session.open('window', opening.trigger);
      },
    });
    session.view = view;
    const { blocked } = view;
    become(
      blocked
        ? { status: 'blocked', url, reference, error: blocked }
        : { status: 'open', reference },
    );
    if (blocked) fail(blocked);
  } catch (cause) {
    if (!isCurrent()) return;
    blank?.close();
    const error = isRampError(cause)
      ? cause
      : new RampError('ERR_SIGNER', 'The signer failed; see the cause.', { cause });
    become({ status: 'error', error });
    fail(error);
  }
}

/** A fault in the page's own callback is the page's: it must not undo a checkout that is open. */
function apart(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    reportError(error);
  }
}
