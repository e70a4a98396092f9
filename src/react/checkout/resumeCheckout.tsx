import type { SignedCheckout } from '../../client/backend/createHttpSigner.js';
import { toOpeningError } from '../../client/backend/responses.js';
import { getCheckoutChoices } from '../../client/checkout/checkoutChoices.js';
import { continueCheckout } from '../../client/checkout/continueCheckout.js';
import { emitCheckoutEvent } from '../../client/checkout/events.js';
import { getPurchaseKey } from '../../client/checkout/purchases.js';
import {
  type CheckoutSession,
  createErrorState,
  type Opening,
} from '../../client/checkout/session.js';
import { showView } from '../../client/checkout/view.js';
import { prepareWindow, showText } from '../../client/checkout/views/window.js';
import { checkoutEnglish } from '../../messages/CheckoutMessages.js';
import { RampError } from '../../protocol/errors/RampError.js';
import { fillText } from '../../protocol/fillText.js';
import { CheckoutNote, type CheckoutNoteProps } from './CheckoutNote.js';

/** How long a signature may be used if neither the page nor the backend limits it, in seconds. */
const MAX_AGE_SECONDS = 60;

/**
 * Requests a new signature for a checkout that waits for its payment, and opens the widget with it. If the checkout has
 * an order or has ended, or the backend cannot tell, nothing is opened, and the note beside the button says so.
 */
export async function resumeCheckout(
  session: CheckoutSession,
  clicked: Opening,
  reference: string,
  signal: AbortSignal,
): Promise<void> {
  session.Note = CheckoutNote;
  // The component was unmounted while this code was loading.
  if (session.opening !== clicked) return;
  let opening = clicked;
  const { options, blank } = opening;
  const messages = { ...checkoutEnglish, ...options.messages };
  const isCurrent = () => session.opening === opening;
  prepareWindow(blank, messages);
  try {
    const backend = { ...session.options, request: session.request };
    const onWait = () => showText(blank, messages.checkingPayment);
    const result = await continueCheckout(backend, reference, signal, onWait);
    if (!isCurrent()) return;
    if (typeof result !== 'object') throw createOutcome(result);
    if (blank?.closed) {
      session.opening = undefined;
      return session.setState({ status: 'idle' });
    }
    opening = addChoices(opening, reference, result);
    session.opening = opening;
    const { maxAgeSeconds = MAX_AGE_SECONDS } = options;
    const seconds = Math.min(maxAgeSeconds, result.expiresInSeconds ?? maxAgeSeconds);
    showView(session, opening, messages, result, seconds * 1000);
  } catch (cause) {
    if (!isCurrent()) return;
    session.opening = undefined;
    blank?.close();
    const error = toOpeningError(cause);
    session.setState({ ...createErrorState(session, opening, error), reference, Note: ResumeNote });
    if (!isOutcome(error)) emitCheckoutEvent(opening, 'failed', reference, error);
  }
}

/**
 * Adds what the shopper chose when the checkout was opened, such as the coin, and the purchase. The parameters that the
 * backend signed take precedence.
 */
function addChoices(opening: Opening, reference: string, { selection }: SignedCheckout): Opening {
  const { options } = opening;
  const { api = '', widget } = options;
  const unsignedParams = getCheckoutChoices(api, reference, widget, selection);
  const purchaseKey = getPurchaseKey(reference);
  return { ...opening, purchaseKey, options: { ...options, unsignedParams } };
}

const createOutcome = (result: 'paid' | 'ended') =>
  result === 'paid'
    ? new RampError('ERR_ORDER_EXISTS', 'The checkout already has an order.')
    : new RampError(
        'ERR_CHECKOUT_EXPIRED',
        'The checkout has ended, or the backend cannot sign it again.',
      );

/** Returns whether an error only says how the checkout ended, and so is not reported as a failure. */
const isOutcome = ({ code }: RampError) =>
  code === 'ERR_ORDER_EXISTS' || code === 'ERR_CHECKOUT_EXPIRED';

/** Shows why the checkout did not continue, and the next step if there is one. */
function ResumeNote({ state, messages: given, onRetry }: CheckoutNoteProps) {
  const messages = { ...checkoutEnglish, ...given };
  const { code, retryAfterSeconds: seconds } = state.error as RampError;
  if (code === 'ERR_ORDER_EXISTS') return <span>{messages.paymentReceived}</span>;
  if (code === 'ERR_CHECKOUT_EXPIRED') return <span>{messages.checkoutEnded}</span>;
  // The order list could not be read, so the checkout may be paid.
  if (code === 'ERR_API_RESPONSE')
    return (
      <>
        <span>{`${messages.couldNotCheck} `}</span>
        {seconds ? (
          <span>{`${fillText(messages.retryIn, { seconds: `${seconds}` })} `}</span>
        ) : null}
        <button type="button" onClick={onRetry}>
          {messages.retry}
        </button>
      </>
    );
  return <CheckoutNote state={state} messages={given} onRetry={onRetry} />;
}
