import type { CheckoutMessages } from '../../../messages/CheckoutMessages.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import type { SignedCheckout } from '../../backend/CheckoutSigner.js';
import { createSheet } from './createSheet.js';

export interface MoveRequest {
  /** Holds the widget's frame, and the question over it. */
  readonly container: HTMLElement;
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
  onRestart(): void;
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
  const { container, messages, mayBePaid, resume } = request;
  if (!mayBePaid && !resume) {
    request.onRestart();
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
  const sheet = createSheet(container, dismiss);
  const keepOpen = [messages.stayHere, dismiss] as const;
  const stopThen = (then: () => void) => () => {
    stop();
    then();
  };

  async function move(next: NonNullable<typeof resume>): Promise<void> {
    blank = request.openBlank();
    sheet.showBusy(messages.opening);
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
      if (result === 'paid') return stopThen(() => request.onPaid(true))();
      sheet.show({
        title: messages.newWindow,
        hint: messages.cannotContinue,
        buttons: [[messages.startNew, stopThen(request.onRestart)], keepOpen],
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
      title: messages.paidQuestion,
      hint: resume
        ? messages.doNotPayAgain
        : `${messages.doNotPayAgain} ${messages.cannotContinue}`,
      buttons: [
        [messages.paid, stopThen(() => request.onPaid(false))],
        [messages.notPaid, resume ? () => move(resume) : stopThen(request.onRestart)],
        keepOpen,
      ],
    });
  else if (resume) {
    sheet.show({ title: messages.newWindow, hint: '', buttons: [keepOpen] });
    move(resume);
  }
  return dismiss;
}
