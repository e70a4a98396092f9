import { type CheckoutEvent, useCheckoutStatus } from '@partner-ramp/react';
import { type ReactNode, useState } from 'react';

type Progress = NonNullable<ReturnType<typeof useCheckoutStatus>['data']>['progress'];

const isDelivered = (progress: Progress | undefined): boolean =>
  progress === 'finished' || progress === 'settlement' || progress === 'settled';

export interface CheckoutFeedback {
  /**
   * A live region that is empty until the delivery and then shows a message. Until then the button itself shows the
   * progress. Always render the region, so that screen readers announce its changes.
   */
  readonly message: ReactNode;
  /** Whether a checkout is open, or a message about a failed checkout is still shown. */
  readonly isUnderWay: boolean;
  /** Whether a checkout was open and has been closed. */
  readonly wasOpen: boolean;
  /** Whether the order list contains a finished order of the checkout. */
  readonly isDelivered: boolean;
  /** Props for the button. */
  readonly callbacks: { readonly onEvent: (event: CheckoutEvent) => void };
}

interface CheckoutFeedbackOptions {
  /** A wallet of the signed-in shopper, which identifies the shopper. */
  readonly shopper: string | undefined;
  readonly deliveredText: string;
  readonly onFailed?: () => void;
}

interface Latest {
  readonly of: string | undefined;
  readonly last?: CheckoutEvent['type'];
  readonly reference?: string | undefined;
}

/** Follows the last checkout of a button, even after the widget was closed. */
export function useCheckoutFeedback({
  shopper,
  deliveredText,
  onFailed,
}: CheckoutFeedbackOptions): CheckoutFeedback {
  const [latest, setLatest] = useState<Latest>({ of: shopper });
  // Ignore the last checkout if another shopper opened it.
  const { last, reference }: Latest = latest.of === shopper ? latest : { of: shopper };
  const { data: checkout } = useCheckoutStatus(reference);
  const onEvent = (event: CheckoutEvent) => {
    const opened = event.type === 'opened' ? event.reference : undefined;
    setLatest((known) => ({
      of: shopper,
      last: event.type,
      reference: opened ?? (known.of === shopper ? known.reference : undefined),
    }));
    if (event.type === 'failed') onFailed?.();
  };
  const isFinished = isDelivered(checkout?.progress);
  return {
    isUnderWay: last !== undefined && last !== 'closed',
    wasOpen: last === 'closed',
    isDelivered: isFinished,
    callbacks: { onEvent },
    message: (
      <p className="checkout-feedback" role="status">
        {isFinished && (
          <>
            {deliveredText} <a href="#bought">See the order</a>
          </>
        )}
      </p>
    ),
  };
}
