import type { CheckoutMessages } from '../../messages/CheckoutMessages.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { SignedCheckout } from '../backend/createHttpSigner.js';
import { toOpeningError } from '../backend/responses.js';
import type { Checkout } from './Checkout.js';
import type { CheckoutNotice } from './CheckoutNotice.js';
import { continueCheckout } from './continueCheckout.js';
import type { Opening } from './Opening.js';
import type { MoveTarget } from './view.js';
import { moveCheckout } from './views/moveCheckout.js';

interface MovedWidget {
  /** Returns the checkout of the button that shows the widget now, and its opening. */
  getOwner(): { readonly checkout: Checkout; readonly opening: Opening };
  readonly reference: string | undefined;
  readonly messages: CheckoutMessages;
  /** Removes the widget. */
  close(reason?: CheckoutNotice['reason']): void;
  /** Shows the widget of the continued checkout. */
  show(opening: Opening, signed: SignedCheckout): void;
  onFailed(error: RampError): void;
}

/** Creates the functions that start and abort a move of this checkout to a new window or a new frame. */
export function createMover({ getOwner, reference, messages, close, show, onFailed }: MovedWidget) {
  let abort: (() => void) | undefined;
  return {
    stop: () => abort?.(),
    move(container: HTMLElement, target: MoveTarget, mayBePaid: boolean): void {
      if (abort) return;
      const { checkout, opening } = getOwner();
      const { trigger, options } = opening;
      const { api } = options;
      const isMoved = target === 'window';
      const display = isMoved ? 'window' : opening.display;
      const earlier = reference ? { reference, mayBePaid, isMoved } : undefined;
      abort = moveCheckout({
        container,
        target,
        trigger,
        messages,
        mayBePaid,
        requestContinuation:
          reference && api != null
            ? (signal, onWait) =>
                continueCheckout(checkout.getBackend(api), reference, signal, onWait)
            : undefined,
        onContinued(signed, blank) {
          close();
          const continued: Opening = { ...opening, display, blank, earlier };
          checkout.change({ type: 'clicked', opening: continued, reference });
          try {
            show(continued, signed);
          } catch (cause) {
            blank?.close();
            const error = toOpeningError(cause);
            // Retry the same checkout, never a new one, because it may still get an order.
            const retry = () => {
              if (reference) checkout.reopen(continued, reference);
            };
            checkout.change({ type: 'failed', opening: continued, error, retry, reference });
            onFailed(error);
          }
        },
        onPaid: (isKnown) => close(isKnown ? 'paid' : 'closed'),
        onRestart() {
          close();
          checkout.open({ display, trigger }, earlier);
        },
        onFailed,
        onDone() {
          abort = undefined;
        },
      });
    },
  };
}
