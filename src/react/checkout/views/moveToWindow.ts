import type { CheckoutMessages } from '../../../messages/CheckoutMessages.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import type { SignedCheckout } from '../../backend/CheckoutSigner.js';
import { createSheet } from './createSheet.js';

/** The input of {@link moveToWindow}, and its callbacks. */
export interface MoveRequest {
  /** The element with the widget's frame; the question is shown over it. */
  readonly container: HTMLElement;
  readonly messages: CheckoutMessages;
  /** Whether the shopper may have paid in the widget by now. */
  readonly mayBePaid: boolean;
  /** Requests a new signature of the same checkout; `undefined` when the backend cannot provide one. */
  readonly resume:
    | ((signal: AbortSignal) => Promise<SignedCheckout | 'paid' | 'ended'>)
    | undefined;
  /** Opens the window. Called inside the click, or the browser would block it. */
  openBlank(): Window | null;
  onResumed(signed: SignedCheckout, blank: Window | null): void;
  /** Called when the shopper confirms the payment, or (`isKnown`) the backend has the order. */
  onPaid(isKnown: boolean): void;
  /** Opens a new checkout in a new window. Called inside the click. */
  onRestart(): void;
  /** Called when the question is removed, with or without a result. */
  onDone(): void;
}

/**
 * Moves an open checkout to a new window. If the shopper may have paid, it asks for confirmation first. For
 * any reply, the backend signs nothing once it has an order. If the widget was used, it opens a new checkout
 * only when the shopper chooses to.
 *
 * @returns A function that aborts the move.
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
      // Dismissed meanwhile, which also closed the window.
      if (controller.signal.aborted) return;
      if (typeof result === 'object') {
        const target = blank;
        // The shopper closed the window: the checkout stays in the page.
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
