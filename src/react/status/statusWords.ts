import type { ShownOrder } from '../../protocol/handler-answers.js';
import { fillText } from '../quote/fillText.js';
import type { StatusView } from './statusView.js';

/** The state in a few words, and what it means for the shopper. */
export function statusWords(view: StatusView): readonly [title: string, hint: string] {
  const { answer, trouble, messages } = view;
  if (!answer)
    return trouble === 'lost'
      ? [messages.lost, messages.lostHint]
      : [messages.unknownOrder, messages.unknownOrderHint];
  switch (answer.progress) {
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
  if (answer.widget !== 'nft') return [messages.delivered, delivered(view, answer.orders)];
  switch (answer.progress) {
    case 'finished':
      return [messages.purchased, messages.purchasedHint];
    case 'settlement':
      return [messages.settling, messages.settlingHint];
    default:
      return [messages.settled, messages.settledHint];
  }
}

function delivered({ messages, formats }: StatusView, orders: readonly ShownOrder[]): string {
  const [order, ...others] = orders;
  if (!order?.cryptoCurrencyAmount || !order.cryptoCurrency || others.length > 0)
    return messages.deliveredHint;
  const amount = formats.coin(order.cryptoCurrencyAmount, order.cryptoCurrency);
  // One that fills the line by itself stands below, where it has room.
  return amount.length > 24
    ? messages.deliveredHint
    : fillText(messages.deliveredAmount, { amount });
}
