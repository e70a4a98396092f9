import type { OperatorCheckout, OperatorOrder } from './operatorData.js';
import { formatTries, OUTCOME_LABELS } from './texts.js';

/** A step in the life of a checkout. Without a time it has not happened; `text` says what is known instead. */
export interface TimelineStep {
  readonly name: string;
  /** Unix seconds. */
  readonly at?: number;
  readonly text?: string;
  readonly isWrong?: true;
}

/** Returns the steps of a checkout and of one of its orders, in the sequence in which they usually happen. */
export function createTimeline(
  checkout: OperatorCheckout | undefined,
  order: OperatorOrder | undefined,
): readonly TimelineStep[] {
  const steps: TimelineStep[] = [];
  const add = (name: string, at: number | undefined, missing?: string, isWrong?: boolean) => {
    if (at === undefined && missing === undefined) return;
    steps.push({
      name,
      ...(at === undefined ? { text: missing ?? '' } : { at }),
      ...(isWrong && { isWrong }),
    });
  };
  if (checkout) {
    add('Checkout created', checkout.createdAt);
    add('Opened by the shopper', checkout.openedAt, 'Never');
  }
  if (order) {
    add('Paid at the service', order.payTime);
    add('Sent by the service', order.sentTime);
    add('Confirmed by the service', order.finishTime);
  }
  if (checkout)
    add('The service’s message to the shop', checkout.announcedAt, order ? 'Lost' : 'None');
  add('Found in the service’s order list', order?.recordedAt, 'No');
  if (!order) return steps;
  const { deliveredAt, settledAt, case: found } = order;
  const missing = describeMissingBooking(order);
  add('Booked in the shop', deliveredAt, missing, order.fulfilment === 'needs-attention');
  add('Settled', settledAt);
  if (found?.handledAt !== undefined)
    add(`Handled: ${OUTCOME_LABELS[found.outcome ?? 'closed'].toLowerCase()}`, found.handledAt);
  return steps;
}

function describeMissingBooking({ delivery, matchStatus, case: found }: OperatorOrder): string {
  if (found && found.reason !== 'delivery') return 'No, held for review';
  if (delivery) return delivery.tries === 0 ? 'Not yet' : formatTries(delivery.tries);
  if (found) return 'No, taken over by a person';
  return matchStatus === 'unmatched' ? 'No, it has no checkout' : 'No';
}
