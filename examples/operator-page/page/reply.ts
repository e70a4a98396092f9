import { messages } from '@partner-ramp/react/messages/en';
import { describeSent, selectMainOrder } from './answer.js';
import type { OperatorCheckout, OperatorDetails, OperatorOrder } from './operatorData.js';
import { formatTime } from './texts.js';

/** Returns a reply to the shopper that says the same as `findAnswer` tells the operator. */
export function findReply({ checkout, order, others }: OperatorDetails, now: number): string {
  const main = order ?? (checkout && selectMainOrder(checkout));
  const lines = main
    ? replyAboutOrder(main, checkout)
    : checkout
      ? replyAboutUnpaid(checkout, others, now)
      : [];
  return ['Hello,', ...lines, 'Fieldnote Prints'].join('\n\n');
}

const DONT_PAY_AGAIN = 'Please don’t pay again.';
const NOTHING_TO_DO = 'You don’t need to do anything.';

function replyAboutOrder(
  order: OperatorOrder,
  checkout: OperatorCheckout | undefined,
): readonly string[] {
  const { case: found, fulfilment, paid } = order;
  const arrived = `Your payment of ${paid} has arrived.`;
  switch (fulfilment) {
    case 'needs-attention':
      return replyAboutCase(order, checkout, arrived);
    case 'handled': {
      const { outcome = 'closed' } = found ?? {};
      if (outcome === 'refunded') return [`${arrived} ${messages.refundedHint}`];
      return [
        `${arrived} ${outcome === 'delivered' ? messages.deliveredByHandHint : 'We have checked it, and nothing is left to do. Write to us if you have a question.'}`,
      ];
    }
    case 'delivered':
      return [`${arrived} ${tellSent(order)}`, ...tellTransaction(order)];
    case 'processing':
    case 'retrying':
      return [`${arrived} ${tellSent(order)} ${NOTHING_TO_DO}`, ...tellTransaction(order)];
    case 'unconfirmed':
      return replyAboutUnknown(paid);
    case 'unrecorded':
      return [
        `We have found your order of ${paid}, and are checking it. We’ll write to you. ${DONT_PAY_AGAIN}`,
      ];
    default:
      return replyAboutUnmatched();
  }
}

const replyAboutUnknown = (paid: string) => [
  `We have found your order, but the payment service has not confirmed your payment of ${paid} yet. We’re asking the service, and will write to you. ${DONT_PAY_AGAIN}`,
];

const replyAboutUnmatched = () => [
  'We have found a payment that may be yours, but it belongs to no order in our shop. Please send us the time and the amount of your payment, and your wallet. ' +
    DONT_PAY_AGAIN,
];

function replyAboutCase(
  order: OperatorOrder,
  checkout: OperatorCheckout | undefined,
  arrived: string,
): readonly string[] {
  const { reason = 'delivery' } = order.case ?? {};
  switch (reason) {
    case 'unknown-status':
    case 'status-after-end':
      return replyAboutUnknown(order.paid);
    case 'no-checkout':
      return replyAboutUnmatched();
    case 'delivery':
      return [
        `${arrived} ${tellSent(order)} Our shop has not finished booking your order; we’re working on that. ${NOTHING_TO_DO}`,
        ...tellTransaction(order),
      ];
    case 'wallet':
      return [
        `${arrived} The crypto was sent to another wallet than the one in our shop:`,
        [
          `Sent to: ${order.wallet ?? 'unknown'}`,
          `Wallet in our shop: ${checkout?.wallet ?? 'unknown'}`,
        ].join('\n'),
        `Is the first wallet yours, too? Then your purchase is there, and nothing is left to do. If it isn’t, tell us, and we’ll ask the payment service. ${DONT_PAY_AGAIN}`,
        ...tellTransaction(order),
      ];
    case 'second-order':
      return [
        `${arrived} It is the second payment for the same order, and the first one was enough. We’ll refund the second one, and write to you when that is done.`,
      ];
    case 'sold-before':
      return [
        `${arrived} I’m sorry: another shopper paid for “${order.title}” just before you, and it exists only once. We’ll refund your payment, and write to you when that is done.`,
      ];
    case 'paid-again':
      return [
        `${arrived} You paid the same order twice, and received your purchase twice. Was that a mistake? Then tell us, and we’ll see what we can refund.`,
      ];
    default:
      return [
        `${arrived} Some details differ from your order, so we’re reviewing it, and will write to you. ${DONT_PAY_AGAIN}`,
      ];
  }
}

function replyAboutUnpaid(
  { announcedAt, outcome, expiresAt }: OperatorCheckout,
  others: OperatorDetails['others'],
  now: number,
): readonly string[] {
  if (announcedAt !== undefined)
    return [
      `The payment service has told us about your payment, and is confirming it. That may take some minutes. ${DONT_PAY_AGAIN} Your order will appear in “Your orders”.`,
    ];
  const [paid] = others.flatMap(({ orders }) => orders);
  if (paid)
    return [
      `This order is not paid, but you paid another one with the same account: ${paid.title}, ${paid.paid}, ${formatTime(paid.finishTime ?? paid.changedAt)}. Is that the payment you mean? It is in “Your orders”.`,
    ];
  const isExpired = outcome === 'expired' || expiresAt <= now;
  return [
    `We have not received a payment for this order. If you have paid, please send us the receipt of the payment service, and don’t pay again. ${isExpired ? 'If you haven’t, you can order again: this order can’t be paid any more.' : 'If you haven’t, you can still pay in “Your orders”.'}`,
  ];
}

const tellSent = (order: OperatorOrder): string =>
  describeSent(order)?.replace(
    'the shopper’s wallet',
    `your wallet ${order.wallet ?? ''}`.trim(),
  ) ?? 'Your order is being completed.';

function tellTransaction({ transaction }: OperatorOrder): readonly string[] {
  return transaction ? [`The transaction: ${transaction.url ?? transaction.hash}`] : [];
}

/** Returns what the service needs to know about an order whose crypto was sent to another wallet. */
export function describeForService(
  { orderId, transaction, wallet, paid, bought }: OperatorOrder,
  checkout: OperatorCheckout | undefined,
): string {
  return [
    `Order: ${orderId}`,
    ...(checkout ? [`Reference: ${checkout.reference}`] : []),
    `Paid: ${paid} for ${bought}`,
    `Transaction: ${transaction?.hash ?? 'none'}`,
    `Wallet of the checkout: ${checkout?.wallet ?? 'unknown'}`,
    `Sent to: ${wallet ?? 'unknown'}`,
  ].join('\n');
}
