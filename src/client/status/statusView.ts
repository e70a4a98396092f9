import { retry as retryEnglish } from '../../messages/EntryMessages.js';
import type { RampMessages } from '../../messages/RampMessages.js';
import { type StatusMessages, statusEnglish } from '../../messages/StatusMessages.js';
import { isFinalError } from '../../protocol/errors/errorKinds.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import { fillText } from '../../protocol/fillText.js';
import type { CheckoutResponse, OrderSummary } from '../../protocol/handler/CheckoutResponse.js';
import { toKnownProgress } from '../../protocol/handler/progress.js';
import { completeMessages } from '../completeMessages.js';
import { type AmountFormats, createAmountFormats } from '../format/createAmountFormats.js';
import { createTimeFormat } from '../format/createTimeFormat.js';
import { getPageLocale } from '../pageLocale.js';
import type { CheckoutStatusState } from './CheckoutStatusState.js';

export interface StatusView {
  /** The checkout. A progress that this version does not know is replaced with `unconfirmed`. */
  readonly checkout: CheckoutResponse | undefined;
  /**
   * Why the last request failed. `lost`: there is no connection. `refused`: the backend refused the request. `broken`:
   * the page is misconfigured.
   */
  readonly trouble: 'lost' | 'refused' | 'broken' | undefined;
  readonly retry: (() => void) | undefined;
  readonly messages: StatusMessages & { readonly retry: string };
  readonly formats: AmountFormats;
  readonly time: ReturnType<typeof createTimeFormat>;
}

/** Adds the card's texts to its state, and the functions that format amounts and times in the shopper's language. */
export function createStatusView(
  { data: checkout, error, retry }: Partial<CheckoutStatusState>,
  messages: Partial<RampMessages> | undefined,
  locale: string | undefined,
): StatusView {
  const language = locale || getPageLocale();
  return {
    // A newer backend may return other states. They must not look like a missing payment, so show `unconfirmed`.
    checkout: checkout && { ...checkout, progress: toKnownProgress(checkout.progress) },
    trouble: error && classifyTrouble(error),
    retry,
    messages: completeMessages({ retry: retryEnglish, ...statusEnglish }, messages),
    formats: createAmountFormats(language),
    time: createTimeFormat(language, Date.now()),
  };
}

const classifyTrouble = (error: RampError): StatusView['trouble'] => {
  if (error.code === 'ERR_CONFIG_INVALID') return 'broken';
  return isFinalError(error) ? 'refused' : 'lost';
};

/**
 * Returns the title of the state, and a hint that explains it to the shopper.
 *
 * @param offersContinuation - Whether the widget is closed, and a button beside the text opens it again.
 */
export function describeStatus(
  view: StatusView,
  offersContinuation = false,
): readonly [title: string, hint: string] {
  const { checkout, trouble, messages } = view;
  if (!checkout)
    return trouble === 'lost'
      ? [messages.connectionLost, messages.connectionLostHint]
      : [messages.unknownOrder, messages.unknownOrderHint];
  // Compare with each known value, because a newer backend may send others.
  if (checkout.resolution === 'refunded') return [messages.refunded, messages.refundedHint];
  if (checkout.resolution === 'delivered')
    return [messages.delivered, messages.deliveredByHandHint];
  if (checkout.resolution === 'closed') return [messages.closed, messages.closedHint];
  switch (checkout.progress) {
    case 'waiting':
      return offersContinuation
        ? [messages.unpaid, messages.unpaidHint]
        : [messages.waiting, messages.waitingHint];
    case 'unconfirmed':
      return [messages.unconfirmed, messages.unconfirmedHint];
    case 'expired':
      return [messages.expired, messages.expiredHint];
    case 'review':
      return [messages.review, messages.reviewHint];
    default:
  }
  return checkout.widget === 'nft'
    ? [messages.purchased, messages.purchasedHint]
    : [messages.delivered, describeDelivery(view, checkout.orders)];
}

function describeDelivery(
  { messages, formats }: StatusView,
  orders: readonly OrderSummary[],
): string {
  const [order, ...others] = orders;
  if (!order?.cryptoCurrencyAmount || !order.cryptoCurrency || others.length > 0)
    return messages.deliveredHint;
  const amount = formats.coin(order.cryptoCurrencyAmount, order.cryptoCurrency);
  // There is no room for a longer amount here. The details of the order show it.
  return amount.length > 24
    ? messages.deliveredHint
    : fillText(messages.deliveredAmount, { amount });
}
