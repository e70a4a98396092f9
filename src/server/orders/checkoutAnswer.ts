import type {
  CheckoutAnswer,
  CheckoutProgress,
  ShownOrder,
} from '../../protocol/handler-answers.js';
import type { Order } from '../../protocol/resources.js';
import type { CheckoutRecord } from '../OrderStore.js';

/**
 * What a shopper is shown of a checkout, and nothing else: no wallet, no user, none of the partner's own
 * data, nothing of an order that is not as agreed.
 *
 * @param now - Unix seconds.
 */
export function checkoutAnswer(checkout: CheckoutRecord, now: number): CheckoutAnswer {
  const { reference, widget } = checkout.intent;
  const orders = checkout.orders
    .filter(({ standing }) => standing === 'matched')
    .map(({ order }) => shown(order));
  return { reference, widget, progress: progressOf(checkout, orders, now), orders };
}

const RANK = ['unconfirmed', 'finished', 'settlement', 'settled'] as const;

function progressOf(
  { intent, mark, orders: all }: CheckoutRecord,
  orders: readonly ShownOrder[],
  now: number,
): CheckoutProgress {
  const furthest = RANK.findLast((state) => orders.some((order) => order.state === state));
  if (furthest) return furthest;
  if (all.length > 0) return 'review';
  if (mark === 'expired' || intent.expiresAt <= now) return 'expired';
  return mark ?? 'waiting';
}

function shown(order: Order): ShownOrder {
  const { fiatCurrency, currencyAmount, cryptoCurrency, cryptoCurrencyAmount } = order;
  const { network, finishTime, state } = order;
  const transactionUrl = transactionUrlOf(order);
  const known = { fiatCurrency, currencyAmount, cryptoCurrency, cryptoCurrencyAmount, network };
  return {
    state: state === 'unknown' ? 'unconfirmed' : state,
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
    ...(transactionUrl && { transactionUrl }),
    ...(finishTime !== undefined && { finishTime }),
  };
}

/** The explorer's address with the hash behind it, when it is one that a shopper may be sent to. */
function transactionUrlOf({ blockchainExplorer = '', txHash = '' }: Order): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(txHash)) return undefined;
  try {
    const url = new URL(blockchainExplorer + txHash);
    return url.protocol === 'https:' && !url.username && !url.password ? url.href : undefined;
  } catch {
    return undefined;
  }
}
