import { fillText } from '../../../protocol/fillText.js';
import type { OrderSummary } from '../../../protocol/handler/CheckoutResponse.js';
import type { StatusView } from './createStatusView.js';

/** Returns the title of the state, and a hint that explains it to the shopper. */
export function describeStatus(view: StatusView): readonly [title: string, hint: string] {
  const { checkout, trouble, messages } = view;
  if (!checkout)
    return trouble === 'lost'
      ? [messages.connectionLost, messages.connectionLostHint]
      : [messages.unknownOrder, messages.unknownOrderHint];
  switch (checkout.progress) {
    case 'waiting':
      return [messages.waiting, messages.waitingHint];
    case 'unconfirmed':
      return [messages.unconfirmed, messages.unconfirmedHint];
    case 'expired':
      return [messages.expired, messages.expiredHint];
    case 'review':
      return [messages.review, messages.reviewHint];
    default:
  }
  if (checkout.widget !== 'nft')
    return [messages.delivered, describeDelivery(view, checkout.orders)];
  switch (checkout.progress) {
    case 'finished':
      return [messages.purchased, messages.purchasedHint];
    case 'settlement':
      return [messages.settling, messages.settlingHint];
    default:
      return [messages.settled, messages.settledHint];
  }
}

function describeDelivery(
  { messages, formats }: StatusView,
  orders: readonly OrderSummary[],
): string {
  const [order, ...others] = orders;
  if (!order?.cryptoCurrencyAmount || !order.cryptoCurrency || others.length > 0)
    return messages.deliveredHint;
  const amount = formats.coin(order.cryptoCurrencyAmount, order.cryptoCurrency);
  // A longer amount is shown only below, where it has room.
  return amount.length > 24
    ? messages.deliveredHint
    : fillText(messages.deliveredAmount, { amount });
}
