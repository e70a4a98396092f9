import type { CheckoutMessages } from '../../../messages/CheckoutMessages.js';
import { isConnectionError, isFinalError } from '../../../protocol/errors/errorKinds.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import type { SignedCheckout } from '../../backend/createHttpSigner.js';
import type { Continuation } from '../continueCheckout.js';
import type { MoveTarget } from '../view.js';
import { createDomButton, createDomElement } from './domElements.js';
import { openBlank, showText } from './window.js';

export interface MoveRequest {
  /** The element with the widget's frame; the question is shown over it. */
  readonly container: HTMLElement;
  readonly target: MoveTarget;
  /** The button that opened the checkout. A new window copies the button's colour scheme. */
  readonly trigger: HTMLElement | undefined;
  readonly messages: CheckoutMessages;
  /** Whether the shopper may have paid in the widget by now. */
  readonly mayBePaid: boolean;
  /**
   * Requests a new signature for the same checkout, and calls `onWait` before the request is repeated. `undefined` if
   * no backend can sign the checkout again. Rejects only with a RampError.
   */
  readonly requestContinuation:
    | ((signal: AbortSignal, onWait: () => void) => Promise<Continuation>)
    | undefined;
  onContinued(signed: SignedCheckout, blank: Window | null): void;
  /** Called when the backend has an order for the checkout (`isKnown`), or when the shopper says that it is paid. */
  onPaid(isKnown: boolean): void;
  /** Opens a new checkout. Called during a click, so that the browser allows a window. */
  onRestart(): void;
  /** Called when `requestContinuation` has failed. The sheet shows the failure to the shopper. */
  onFailed(error: RampError): void;
  /** Called when the question is removed, with or without a result. */
  onDone(): void;
}

/**
 * Moves an open checkout to a new window or a new frame, without letting the shopper pay twice.
 *
 * If the shopper may have paid, a sheet over the widget asks first. After the answer "no", the checkout continues only
 * with a new signature. The backend refuses that signature if the checkout has an order, or while the backend cannot
 * tell whether it has one. If the checkout cannot continue, the shopper can start a new one.
 *
 * If the widget was not used and no backend can sign the checkout again, a new checkout opens without a question.
 *
 * @returns A function that aborts the move.
 */
export function moveCheckout(request: MoveRequest): () => void {
  const { container, target, messages, mayBePaid, requestContinuation } = request;
  const isWindow = target === 'window';
  const cannotContinue = isWindow ? messages.cannotContinue : messages.checkoutEnded;
  const title = isWindow ? messages.newWindow : messages.retry;
  if (!mayBePaid && !requestContinuation) {
    request.onRestart();
    return () => {};
  }
  const controller = new AbortController();
  const { signal } = controller;
  let blank: Window | null = null;
  const stop = () => {
    if (signal.aborted) return;
    controller.abort();
    sheet.remove();
    request.onDone();
  };
  const dismiss = () => {
    blank?.close();
    stop();
  };
  const sheet = createSheet(container, dismiss);
  const stay = [messages.stayHere, dismiss] as const;
  const stopThen = (then: () => void) => () => {
    stop();
    then();
  };
  const restart = stopThen(request.onRestart);

  async function move(next: NonNullable<typeof requestContinuation>): Promise<void> {
    // Open the window during the click. Later, the browser would block it.
    if (isWindow) blank = openBlank(messages, request.trigger);
    sheet.showBusy(messages.opening);
    try {
      const result = await next(signal, () => {
        // If the shopper has closed the window, the checkout stays in the page.
        if (blank?.closed) return dismiss();
        sheet.showBusy(messages.checkingPayment);
        showText(blank, messages.checkingPayment);
      });
      // The move has been dismissed, which also closed the window.
      if (signal.aborted) return;
      if (typeof result === 'object') {
        const opened = blank;
        if (opened?.closed) return dismiss();
        stop();
        return request.onContinued(result, opened);
      }
      blank?.close();
      if (result === 'paid') return stopThen(() => request.onPaid(true))();
      sheet.show({
        title,
        hint: cannotContinue,
        buttons: [[messages.startNew, restart], stay],
      });
    } catch (cause) {
      blank?.close();
      if (signal.aborted) return;
      const error = cause as RampError;
      const retry = () => move(next);
      sheet.show(describeFailure(error, messages, retry, dismiss));
      request.onFailed(error);
    }
  }

  const warning = messages.doNotPayAgain;
  if (mayBePaid)
    sheet.show({
      title: messages.paidQuestion,
      hint: requestContinuation ? warning : `${warning} ${cannotContinue}`,
      buttons: [
        [messages.paid, stopThen(() => request.onPaid(false))],
        requestContinuation
          ? [isWindow ? messages.notPaid : messages.notPaidHere, () => move(requestContinuation)]
          : [messages.startNew, restart],
        stay,
      ],
    });
  else if (requestContinuation) {
    sheet.show({ title, hint: '', buttons: [stay] });
    move(requestContinuation);
  }
  return dismiss;
}

/**
 * Returns the content of the sheet after a failed request. If the policy refused, the checkout is not paid, so the
 * sheet shows the policy's message. After any other failure, the sheet says that the payment could not be checked.
 */
function describeFailure(
  error: RampError,
  messages: CheckoutMessages,
  retry: () => void,
  dismiss: () => void,
): SheetContent {
  const { code, message } = error;
  const keepOpen = [messages.keepOpen, dismiss] as const;
  const buttons = isFinalError(error) ? [keepOpen] : [[messages.retry, retry] as const, keepOpen];
  if (code === 'ERR_POLICY_REFUSED') return { title: messages.failed, hint: message, buttons };
  if (code === 'ERR_SIGNED_OUT') return { title: messages.failed, hint: messages.signIn, buttons };
  const hint = isConnectionError(error) ? messages.offline : messages.doNotPayAgain;
  return { title: messages.couldNotCheck, hint, buttons };
}

interface SheetContent {
  readonly title: string;
  readonly hint: string;
  /** The last button dismisses the sheet. */
  readonly buttons: readonly (readonly [label: string, onClick: () => void])[];
}

/** A question that covers the widget. The widget stays open underneath. */
interface Sheet {
  show(content: SheetContent): void;
  /** Shows a message while a request is pending, and disables all buttons except the last. */
  showBusy(text: string): void;
  remove(): void;
}

let count = 0;

/**
 * Creates a sheet over the widget's frame in `container`. The focus moves into the sheet, and back to the previous
 * element when the sheet is removed. Escape dismisses only the sheet, not the dialog around it.
 */
function createSheet(container: HTMLElement, onDismiss: () => void): Sheet {
  const host = container.parentElement ?? container;
  const covered = host.querySelectorAll<HTMLElement>(
    '.ramp-frame, .ramp-bar-window, .ramp-frame-foot',
  );
  const setCovered = (isCovered: boolean) => {
    for (const each of covered) each.inert = isCovered;
  };
  const root = host.getRootNode() as Document | ShadowRoot;
  const before = root.activeElement as HTMLElement | null;
  const sheet = createDomElement('div', 'ramp-sheet');
  sheet.tabIndex = -1;
  sheet.setAttribute('role', 'alertdialog');
  const id = `ramp-sheet-${++count}`;
  sheet.setAttribute('aria-labelledby', id);
  sheet.setAttribute('aria-describedby', `${id}-hint`);
  const busy = createDomElement('p', 'ramp-sheet-busy');
  busy.setAttribute('role', 'status');

  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // Prevent the default action of the key, which would close the dialog.
    event.preventDefault();
    event.stopPropagation();
    onDismiss();
  };
  // A phone's back gesture emits `cancel` on the dialog, but no key event.
  const onCancel = (event: Event) => {
    event.preventDefault();
    onDismiss();
  };
  host.addEventListener('keydown', onKey, true);
  host.addEventListener('cancel', onCancel);

  return {
    show({ title, hint, buttons }) {
      const heading = createDomElement('p', 'ramp-sheet-title', title);
      heading.id = id;
      const text = createDomElement('p', 'ramp-sheet-hint', hint);
      text.id = `${id}-hint`;
      const row = createDomElement('div', 'ramp-sheet-buttons');
      row.append(...buttons.map(([label, onClick]) => createDomButton('', label, onClick)));
      busy.textContent = '';
      const card = createDomElement('div', 'ramp-sheet-card');
      card.append(heading, text, busy, row);
      sheet.replaceChildren(card);
      setCovered(true);
      container.append(sheet);
      sheet.focus();
    },
    showBusy(text) {
      sheet.focus();
      busy.textContent = text;
      const buttons = [...sheet.querySelectorAll('button')].slice(0, -1);
      for (const each of buttons) each.disabled = true;
    },
    remove() {
      host.removeEventListener('keydown', onKey, true);
      host.removeEventListener('cancel', onCancel);
      setCovered(false);
      const hadFocus = sheet.matches(':focus-within');
      sheet.remove();
      if (hadFocus) before?.focus();
    },
  };
}
