import { type CheckoutEvent, useCheckoutStatus } from '@partner-ramp/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { recordCheckout } from '../shop/recordCheckout.js';

type Progress = NonNullable<ReturnType<typeof useCheckoutStatus>['checkout']>['progress'];

/** What the page itself sees of a checkout, in a sentence for the shopper. */
const eventMessages: Readonly<Record<CheckoutEvent['type'], string>> = {
  opened: 'The checkout is open.',
  loaded: 'The checkout is open.',
  // The page cannot see a payment: the shop's server learns of it, and then this changes.
  closed: 'The checkout was closed. If you paid, do not pay again: this changes to delivered.',
  blocked: 'Your browser blocked the window. The link above opens it.',
  failed: 'The checkout did not open, and nothing was charged.',
};

/** What the shop's server knows of it. */
const progressMessages: Partial<Record<Progress, string>> = {
  unconfirmed: 'Your payment is being confirmed. There is nothing you need to do.',
  review: 'Your order is being checked by somebody at the shop. Please do not pay again.',
};

const isDelivered = (progress: Progress | undefined): boolean =>
  progress === 'finished' || progress === 'settlement' || progress === 'settled';

/** The news of one button's checkouts. */
export interface CheckoutFeedback {
  /** Its place is there from the start, so that a screen reader tells what comes into it. */
  readonly message: ReactNode;
  /** What the button did last is still to be seen at it: a checkout that is open, or why there is none. */
  readonly isUnderWay: boolean;
  /** It was open and is closed. */
  readonly wasOpen: boolean;
  /** The order list has it as paid and delivered. */
  readonly isDelivered: boolean;
  /** What the button needs to tell of them. */
  readonly callbacks: { readonly onEvent: (event: CheckoutEvent) => void };
}

interface CheckoutFeedbackOptions {
  /** Whose wallet is bought for. */
  readonly shopper: string | undefined;
  /** Says that it is there. */
  readonly deliveredText: string;
  readonly onFailed?: () => void;
}

interface Latest {
  readonly of: string | undefined;
  readonly last?: CheckoutEvent['type'];
  readonly reference?: string | undefined;
}

/** Follows the checkout that a button opened last, also when its widget has been closed. */
export function useCheckoutFeedback({
  shopper,
  deliveredText,
  onFailed,
}: CheckoutFeedbackOptions): CheckoutFeedback {
  const [latest, setLatest] = useState<Latest>({ of: shopper });
  // What one shopper has bought is no news for the next.
  const { last, reference }: Latest = latest.of === shopper ? latest : { of: shopper };
  const { checkout } = useCheckoutStatus(reference);
  const onEvent = (event: CheckoutEvent) => {
    const opened = event.type === 'opened' ? event.reference : undefined;
    setLatest((known) => ({
      of: shopper,
      last: event.type,
      reference: opened ?? (known.of === shopper ? known.reference : undefined),
    }));
    if (event.type === 'failed') onFailed?.();
    recordCheckout(event);
  };
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // It may be below the edge of the window, and the dialog was over it.
    if (last === 'closed') line.current?.scrollIntoView({ block: 'nearest' });
  }, [last]);
  const progress = checkout?.progress;
  const sentence = isDelivered(progress)
    ? deliveredText
    : ((progress && progressMessages[progress]) ?? (last && eventMessages[last]));
  return {
    isUnderWay: last !== undefined && last !== 'closed',
    wasOpen: last === 'closed',
    isDelivered: isDelivered(progress),
    callbacks: { onEvent },
    message: (
      <p
        ref={line}
        className="checkout-feedback"
        role="status"
        data-delivered={isDelivered(progress) || undefined}
      >
        {sentence}
        {sentence && reference && (
          <>
            {' '}
            <a href="/orders">Your orders</a>
          </>
        )}
      </p>
    ),
  };
}
