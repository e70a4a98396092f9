import type {
  Evidence,
  Fulfilment,
  OperatorCheckout,
  OperatorOrder,
  Outcome,
} from './operatorData.js';

export const FULFILMENT_LABELS: Readonly<Record<Fulfilment, string>> = {
  delivered: 'Completed',
  processing: 'Processing',
  retrying: 'Retrying',
  'needs-attention': 'Needs attention',
  handled: 'Handled',
  unconfirmed: 'Unconfirmed',
  unmatched: 'No checkout',
  unrecorded: 'No record',
};

export const OUTCOME_LABELS: Readonly<Record<Outcome, string>> = {
  refunded: 'Refunded',
  delivered: 'Completed by hand',
  closed: 'Nothing to do',
};

/**
 * What the operator must know before recording an outcome. It is recorded first, because only one of two colleagues can,
 * and because the shop does not book the order afterwards.
 */
export const OUTCOME_HINTS: Readonly<Record<Outcome, string>> = {
  refunded: 'This only records it. Then refund it at the service.',
  delivered: 'This only records it. Then complete it.',
  closed: 'This only records that you have checked it.',
};

type CaseReason = NonNullable<OperatorOrder['case']>['reason'];

/** Why an order needs a person, in one sentence. */
export const REASONS: Readonly<Record<CaseReason, string>> = {
  widget: 'The order is of another kind than its checkout.',
  wallet: 'The crypto was sent to another wallet.',
  amount: 'The shopper paid another amount.',
  currency: 'The shopper paid in another currency.',
  nft: 'The order is for another print.',
  'second-order': 'This checkout was already paid.',
  'sold-before': 'Another shopper paid for this print first.',
  'paid-again': 'The shopper paid this checkout twice.',
  'unknown-status': 'The service reports a status that this shop does not know.',
  'status-after-end':
    'The service reports an unknown status after the order was completed or handled.',
  'no-checkout': 'This order belongs to no checkout of this shop.',
  delivery: 'Booking the order in the shop keeps failing.',
};

/** Like {@link REASONS}, but for a handled case: a reason that has ended is in the past tense. */
export const describePastReason = (reason: CaseReason): string =>
  reason === 'delivery' ? 'Booking the order in the shop kept failing.' : REASONS[reason];

/** Returns the labels of the expected and the actual value. */
export const getEvidenceLabels = ({ field }: Evidence): readonly [string, string] =>
  field === 'walletAddress' ? ['Expected', 'Sent to'] : ['Expected', 'Paid'];

const FIELDS: Readonly<Record<string, string>> = {
  walletAddress: 'Wallet',
  currencyAmount: 'Amount',
  fiatCurrency: 'Currency',
  widget: 'Kind',
  'second-order': 'Order',
};

/** Returns a plain name for a field, or the service's name if there is no plainer one. */
export const getFieldLabel = ({ field }: Evidence): string => FIELDS[field] ?? field;

/**
 * Returns the second line of a status. A case shows its outcome or its reason instead of the match, because the match
 * could contradict the first line.
 */
export function describeMatch({
  case: found,
  delivery,
  matchStatus,
  settledAt,
}: OperatorOrder): string {
  if (found?.outcome) return OUTCOME_LABELS[found.outcome];
  if (found && found.reason !== 'delivery') return REASONS[found.reason];
  if (delivery && delivery.tries > 0)
    return `${formatTries(delivery.tries)}, ${formatNextAttempt(delivery.nextAttemptAt)}`;
  if (settledAt !== undefined) return 'Settled';
  if (matchStatus === 'erased') return 'Data of the shopper erased';
  return matchStatus === 'matched' ? 'Matched' : '';
}

export const formatTries = (tries: number): string =>
  tries === 1 ? '1 booking attempt failed' : `${tries} booking attempts failed`;

/** Formats the earliest time of the next attempt. Each sync makes the attempts that are due. */
export const formatNextAttempt = (at: number, now = Date.now() / 1000): string =>
  at <= now ? 'the next is due with the next sync' : `the next is at ${formatTime(at)}`;

/** What the page says after the operator has retried the booking of an order, for each result. */
export const RETRY_RESULTS = {
  delivered: 'Booked.',
  failed: 'It failed again.',
  pending: 'The attempt follows with the next sync. The page updates by itself.',
} as const;

export const describeReopening = (reason: CaseReason): string =>
  reason === 'delivery'
    ? 'Opens the case again, for the shopper too. The shop tries again to book the order.'
    : 'Opens the case again, for the shopper too.';

export interface CheckoutStatus {
  readonly status: 'not-paid' | 'announced';
  readonly label: string;
  readonly detail: string;
}

/** Describes a checkout that has no order. */
export function describeUnpaid(
  { announcedAt, outcome, expiresAt }: OperatorCheckout,
  now: number,
): CheckoutStatus {
  if (announcedAt !== undefined)
    return { status: 'announced', label: 'Announced', detail: 'Not in the order list yet' };
  const isExpired = outcome === 'expired' || expiresAt <= now;
  return {
    status: 'not-paid',
    label: 'Not paid',
    detail: isExpired ? 'Expired' : `Can be paid until ${formatTime(expiresAt)}`,
  };
}

const timeOfDay = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const timeWithSeconds = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });
const dayAndTime = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const dateAndTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** Formats Unix seconds: a time of today without the date, a time of this year without the year. */
export function formatTime(at: number, { seconds = false, now = Date.now() } = {}): string {
  const [date, today] = [new Date(at * 1000), new Date(now)];
  if (date.toDateString() === today.toDateString())
    return (seconds ? timeWithSeconds : timeOfDay).format(date);
  return (date.getFullYear() === today.getFullYear() ? dayAndTime : dateAndTime).format(date);
}
