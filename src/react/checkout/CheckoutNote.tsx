import { useEffect, useRef, useState } from 'react';
import type { CheckoutState } from '../../client/checkout/checkoutStates.js';
import { isConnectionError } from '../../protocol/errors/errorKinds.js';
import { createComponent } from '../card/createComponent.js';
import { createLazyPart } from '../card/createLazyPart.js';
import { callPage } from '../card/PageNodes.js';
import type { RampSettings } from '../provider/RampProvider.js';
import { noteCode } from './noteCode.js';

const useNoteCode = /* @__PURE__ */ createLazyPart(noteCode.load);

/** Props of {@link CheckoutNote}. */
export interface CheckoutNoteProps {
  /** The checkout: the result of {@link useCheckout}. */
  readonly checkout: CheckoutState &
    Pick<RampSettings, 'errorAction' | 'messages'> & {
      /** Called once the browser is online again, to remove the error. */
      readonly close?: (() => void) | undefined;
    };
  /** Called by the button "Try again", or by the page's `errorAction`. @default the checkout's `retry` */
  readonly onRetry?: (() => void) | undefined;
  /** Called when the notice learns that the backend has an order for the checkout. */
  readonly onOrder?: (() => void) | undefined;
}

/**
 * Shows what the shopper must know about a checkout beside your own button, and announces it to screen readers. An
 * error comes with its next step: the page's `errorAction`, a button "Try again", or the link that replaces a blocked
 * window. Without an error, the note tells the shopper about a checkout that is open in another window or may have been
 * paid. Always render the note, because its live region must exist before its text.
 *
 * `OnRampButton` and `NftCheckout` already include it.
 *
 * @example
 * const checkout = useCheckout({ widget: 'on-ramp', params: { amount: '100' } });
 * <>
 *   <button onClick={checkout.open}>Top up</button>
 *   <CheckoutNote checkout={checkout} />
 * </>
 */
export const CheckoutNote = /* @__PURE__ */ createComponent(
  'CheckoutNote',
  function CheckoutNote(props: CheckoutNoteProps, _ref) {
    return <CheckoutNoteContent {...props} />;
  },
);

/** The note inside another component of this package, which has its own error boundary. */
export function CheckoutNoteContent({ checkout, onRetry, onOrder }: CheckoutNoteProps) {
  const { status, error, retry, url, notice, messages, errorAction, close } = checkout;
  const isNeeded = status !== 'idle' || notice !== undefined;
  const [wasNeeded, setWasNeeded] = useState(false);
  if (isNeeded && !wasNeeded) setWasNeeded(true);
  const { part, error: loadError } = useNoteCode(!isNeeded);
  const isOffline = error && isConnectionError(error);
  // The effect must not run again on each render. If another listener for the event rendered the page, React would
  // replace this listener before the browser called it.
  useEffect(() => {
    if (!isOffline || !close) return;
    addEventListener('online', close);
    return () => removeEventListener('online', close);
  }, [isOffline, close]);
  const line = useRef<HTMLSpanElement>(null);
  if (!isNeeded && !wasNeeded) return null;
  if (!error)
    return (
      <span
        ref={line}
        className="ramp-notice"
        role="status"
        aria-live={notice?.isAnnounced ? 'off' : undefined}
      >
        {part && notice && (
          <part.OrderNotice notice={notice} messages={messages} line={line} onOrder={onOrder} />
        )}
      </span>
    );
  // Without `retry` or a link, the code of the checkout could not be loaded.
  const again = onRetry ?? retry;
  const isLost = loadError || !(again || url);
  const action = again && !url && !isLost ? callPage(() => errorAction?.(error, again)) : undefined;
  return (
    <span className="ramp-note" role="alert">
      {isLost ? (
        <span>{messages?.reload ?? error.message}</span>
      ) : (
        part && (
          <part.ErrorNote state={checkout} messages={messages} onRetry={again} action={action} />
        )
      )}
    </span>
  );
}
