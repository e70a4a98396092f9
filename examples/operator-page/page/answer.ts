import { messages } from '@partner-ramp/react/messages/en';
import type { OperatorCheckout, OperatorDetails, OperatorOrder } from './operatorData.js';
import {
  describePastReason,
  formatNextAttempt,
  formatTime,
  formatTries,
  OUTCOME_LABELS,
  REASONS,
} from './texts.js';

/** The answer to "I paid and got nothing": what is known, and what to do next. */
export interface Answer {
  readonly tone: 'good' | 'waiting' | 'wrong';
  readonly title: string;
  readonly text: string;
  /** Whether a sync may change the answer, by finding an order that the shop does not know yet. */
  readonly canSync: boolean;
}

/** @param now - Unix seconds. */
export function findAnswer(details: OperatorDetails, now: number): Answer {
  const { checkout, order } = details;
  const main = order ?? (checkout && selectMainOrder(checkout));
  if (main) return answerOrder(main, checkout);
  if (checkout) return answerUnpaid(checkout, details, now);
  return { tone: 'waiting', title: 'Nothing is known.', text: '', canSync: true };
}

const URGENCY: readonly OperatorOrder['fulfilment'][] = [
  'needs-attention',
  'retrying',
  'processing',
  'unconfirmed',
  'unmatched',
  'unrecorded',
  'handled',
  'delivered',
];

/** Of the orders of a checkout, returns the one that needs the most attention. It decides the answer. */
export const selectMainOrder = ({ orders }: OperatorCheckout): OperatorOrder | undefined =>
  [...orders].sort((a, b) => URGENCY.indexOf(a.fulfilment) - URGENCY.indexOf(b.fulfilment))[0];

const NEXT_STEP = 'Refund it at the service, or complete it by hand. Then mark it as handled.';

const ASK_ABOUT_STATUS =
  'Ask the service with the order number whether the payment stands. Then mark it as handled.';

const ADVICE: Readonly<Record<NonNullable<OperatorOrder['case']>['reason'], string>> = {
  widget: NEXT_STEP,
  wallet: `Ask the shopper whether that wallet is theirs. If it is, nothing is left to do. If not, ask the service. Then mark it as handled.`,
  amount: NEXT_STEP,
  currency: NEXT_STEP,
  nft: NEXT_STEP,
  'second-order':
    'The first order is completed. Refund this one at the service, then mark it as handled.',
  'sold-before':
    'The print exists once. Refund this order at the service, then mark it as handled.',
  'paid-again':
    'Both are completed. Ask the shopper whether that was a mistake. If it was, refund one at the service. Then mark it as handled.',
  'unknown-status': ASK_ABOUT_STATUS,
  'status-after-end': ASK_ABOUT_STATUS,
  'no-checkout':
    'Another system may sell with the same partner ID: then nothing is left to do. If not, compare time, amount and wallet, ask the service, and refund it or complete it by hand. Then mark it as handled.',
  delivery:
    'Booking matters only for what the shop itself still owes. If it keeps failing, do that by hand, then mark it as handled.',
};

/** Says what the service has sent to the shopper. Returns undefined if nothing was sent or the order is not matched. */
export function describeSent(order: OperatorOrder): string | undefined {
  const { matchStatus, sentTime, transaction, title, bought } = order;
  if (matchStatus !== 'matched' || (sentTime === undefined && !transaction)) return undefined;
  return `The service sent ${isTopUp(order) ? bought : `“${title}”`} to the shopper’s wallet.`;
}

const isTopUp = ({ title }: Pick<OperatorOrder, 'title'>): boolean => title === 'Top-up';

/** Says how many attempts to book an order failed, and when the shop tries again. */
function describeAttempts({ delivery }: OperatorOrder): string {
  if (!delivery || delivery.tries === 0) return '';
  return `${formatTries(delivery.tries)}; ${formatNextAttempt(delivery.nextAttemptAt)}.`;
}

const joinSentences = (...sentences: readonly (string | undefined)[]): string =>
  sentences.filter(Boolean).join(' ');

function answerOrder(order: OperatorOrder, checkout: OperatorCheckout | undefined): Answer {
  const { case: found, fulfilment, deliveredAt, matchStatus } = order;
  const sent = describeSent(order);
  const attempts = describeAttempts(order);
  switch (fulfilment) {
    case 'needs-attention': {
      const { reason = 'delivery' } = found ?? {};
      const isKnownPaid =
        reason === 'delivery'
          ? matchStatus === 'matched'
          : reason !== 'unknown-status' && reason !== 'status-after-end';
      const title = joinSentences(
        isKnownPaid ? 'Paid.' : undefined,
        reason === 'delivery' ? sent : undefined,
        REASONS[reason],
      );
      const check =
        reason === 'delivery'
          ? sent
            ? 'Look at the transaction before you refund anything: the shopper has most likely received it.'
            : 'Ask the service before you refund anything.'
          : undefined;
      const text = joinSentences(attempts, check, ADVICE[reason]);
      return { tone: 'wrong', title, text, canSync: false };
    }
    case 'handled': {
      const { outcome = 'closed', handledAt = 0, reason = 'delivery' } = found ?? {};
      return {
        tone: 'good',
        title: `Handled: ${OUTCOME_LABELS[outcome].toLowerCase()}.`,
        text: `Handled at ${formatTime(handledAt)}. ${describePastReason(reason)}`,
        canSync: false,
      };
    }
    case 'delivered':
      return {
        tone: 'good',
        title: 'Paid and completed.',
        text: joinSentences(
          sent,
          `The shop booked the order at ${formatTime(deliveredAt ?? order.changedAt)}.`,
          describeWebhook(checkout),
          order.transaction ? 'Send the shopper the transaction.' : undefined,
        ),
        canSync: false,
      };
    case 'processing':
    case 'retrying':
      return {
        tone: 'waiting',
        title: joinSentences('Paid.', sent, 'Booking the order in the shop is under way.'),
        text: `${attempts || 'It usually takes seconds.'} You don’t need to do anything.`,
        canSync: false,
      };
    case 'unconfirmed':
      return {
        tone: 'waiting',
        title: 'The service does not say yet whether it is paid.',
        text: 'The order is in a state that this shop does not know. Ask the service with the order number.',
        canSync: true,
      };
    case 'unrecorded':
      return {
        tone: 'waiting',
        title: 'The shop has no record of this order.',
        text: 'The data of this shopper may have been erased.',
        canSync: false,
      };
    default:
      return {
        tone: 'waiting',
        title: 'This order belongs to no checkout of this shop.',
        text: 'Another system may sell with the same partner ID. If a shopper asks for it, compare time, amount and wallet, and ask the service.',
        canSync: false,
      };
  }
}

const describeWebhook = (checkout: OperatorCheckout | undefined): string | undefined =>
  checkout && checkout.announcedAt === undefined
    ? 'The service’s message to the shop was lost, so it took until the next sync.'
    : undefined;

/** The age up to which the last sync is recent, so that no other sync is needed. */
const RECENT_SECONDS = 60;

function answerUnpaid(
  checkout: OperatorCheckout,
  { others, syncedAt }: OperatorDetails,
  now: number,
): Answer {
  if (checkout.announcedAt !== undefined)
    return {
      tone: 'waiting',
      title: 'A payment was announced, but is not confirmed.',
      text: `The service announced it at ${formatTime(checkout.announcedAt)}, and its order list does not have it yet. Wait some minutes before you do anything, then ask the service with the reference.`,
      canSync: true,
    };
  const paid = others.find(({ orders }) => orders.length > 0);
  const known =
    syncedAt === undefined
      ? 'The shop has not synced with the service yet.'
      : `The service has no order for it, as of ${formatTime(syncedAt)}.`;
  const [order] = paid?.orders ?? [];
  if (order)
    return {
      tone: 'waiting',
      title: 'Not paid. But the same shopper paid another checkout.',
      text: `${known} Look at the other one first: ${order.title}, ${order.paid}, ${formatTime(order.finishTime ?? order.changedAt)}. It may be the payment that the shopper means, made on another device or in another tab.`,
      canSync: true,
    };
  const isRecent = syncedAt !== undefined && syncedAt > now - RECENT_SECONDS;
  const isExpired = checkout.outcome === 'expired' || checkout.expiresAt <= now;
  return {
    tone: 'waiting',
    title: 'Not paid.',
    text: `${known} ${isExpired ? 'The checkout has expired.' : 'The shopper can still pay it.'} If the shopper has a receipt of the service, ${isRecent ? '' : 'sync now, then '}search for its order number.`,
    canSync: true,
  };
}

/**
 * Returns the title and the text that the shopper reads on the status card of a checkout, in English. While the widget
 * of an unpaid checkout is open, the card says something else; a shopper who writes has closed it.
 */
export function findShopperText(
  checkout: OperatorCheckout,
  now: number,
): readonly [string, string] {
  const { orders, announcedAt, outcome, expiresAt } = checkout;
  const isResolved = orders.length > 0 && orders.every(({ resolution }) => resolution);
  const resolution = isResolved ? orders.at(-1)?.resolution : undefined;
  if (resolution === 'refunded') return [messages.refunded, messages.refundedHint];
  if (resolution === 'delivered') return [messages.delivered, messages.deliveredByHandHint];
  if (resolution === 'closed') return [messages.closed, messages.closedHint];
  const isNft = checkout.title !== 'Top-up';
  if (orders.some(({ matchStatus }) => matchStatus === 'matched'))
    return isNft
      ? [messages.purchased, messages.purchasedHint]
      : [messages.delivered, messages.deliveredHint];
  if (orders.some(({ matchStatus }) => matchStatus === 'unknown'))
    return [messages.unconfirmed, messages.unconfirmedHint];
  if (orders.length > 0) return [messages.review, messages.reviewHint];
  if (outcome === 'expired' || expiresAt <= now) return [messages.expired, messages.expiredHint];
  return announcedAt !== undefined && outcome === 'unconfirmed'
    ? [messages.unconfirmed, messages.unconfirmedHint]
    : [messages.unpaid, messages.unpaidHint];
}
