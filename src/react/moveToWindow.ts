import type { CheckoutMessages } from '../messages/CheckoutMessages.js';
import type { RampError } from '../protocol/ramp-error.js';
import type { SignedCheckout } from './checkout-types.js';
import { createSheet } from './createSheet.js';

export interface MoveRequest {
  /** Holds the widget's frame, and the question over it. */
  readonly place: HTMLElement;
  readonly messages: CheckoutMessages;
  /** Whether the shopper may have paid in the widget by now. */
  readonly mayBePaid: boolean;
  /** Requests a new signature of the same checkout; none where the backend cannot be asked. */
  readonly resume:
    | ((signal: AbortSignal) => Promise<SignedCheckout | 'paid' | 'ended'>)
    | undefined;
  /** Opens the window. It is called inside the click, or the browser blocks it. */
  openBlank(): Window | null;
  onResumed(signed: SignedCheckout, blank: Window | null): void;
  /** The shopper says so, or the backend knows the order. */
  onPaid(isKnown: boolean): void;
  /** Opens a new checkout in a new window. It is called inside the click. */
  onAnew(): void;
  /** The question went away, with or without a result. */
  onDone(): void;
}

/**
 * Moves an open checkout to a new window. Where the shopper may have paid, it asks first; whatever the
 * reply, the backend signs nothing once it knows an order. It never opens a new checkout unasked when the
 * widget was used.
 *
 * @returns A function that gives up.
 */
export function moveToWindow(request: MoveRequest): () => void {
  const { place, messages, mayBePaid, resume } = request;
  if (!mayBePaid && !resume) {
    request.onAnew();
    return () => {};
  }
  const controller = new AbortController();
  let blank: Window | null = null;
  const stop = () => {
    if (controller.signal.aborted) return;
    controller.abort();
    sheet.remove();
    request.onDone();
  };
  const dismiss = () => {
    blank?.close();
    stop();
  };
  const sheet = createSheet(place, dismiss);
  const keepOpen = [messages.keepOpen, dismiss] as const;
  const ending = (then: () => void) => () => {
    stop();
    then();
  };

  async function move(next: NonNullable<typeof resume>): Promise<void> {
    blank = request.openBlank();
    sheet.wait(messages.opening);
    try {
      const result = await next(controller.signal);
      // Dismissed meanwhile, and the window with it.
      if (controller.signal.aborted) return;
      if (typeof result === 'object') {
        const target = blank;
        // The shopper closed the window: the checkout stays where it is.
        if (target?.closed) return dismiss();
        stop();
        return request.onResumed(result, target);
      }
      blank?.close();
      if (result === 'paid') return ending(() => request.onPaid(true))();
      sheet.show({
        title: messages.newWindow,
        hint: messages.anew,
        buttons: [[messages.startNew, ending(request.onAnew)], keepOpen],
      });
    } catch (error) {
      blank?.close();
      if (controller.signal.aborted) return;
      const { code, message } = error as RampError;
      sheet.show({
        title: messages.failed,
        hint: code === 'ERR_POLICY_REFUSED' ? message : messages.offline,
        buttons: [[messages.retry, () => move(next)], keepOpen],
      });
    }
  }

  if (mayBePaid)
    sheet.show({
      title: messages.askPaid,
      hint: resume ? messages.doNotPayAgain : `${messages.doNotPayAgain} ${messages.anew}`,
      buttons: [
        [messages.paid, ending(() => request.onPaid(false))],
        [messages.notPaid, resume ? () => move(resume) : ending(request.onAnew)],
        keepOpen,
      ],
    });
  else if (resume) {
    sheet.show({ title: messages.newWindow, hint: '', buttons: [keepOpen] });
    move(resume);
  }
  return dismiss;
}
