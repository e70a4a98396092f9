import type {
  CheckoutProgress,
  CheckoutResponse,
  OrderSummary,
} from '../../protocol/handler/CheckoutResponse.js';
import type { OrderRecord } from '../orders/store/OrderRecord.js';
import type { CheckoutRecord } from '../orders/store/OrderStore.js';

/**
 * Returns the state of a checkout for its shopper, without the wallet, the user, the partner's data and the
 * orders that did not match.
 *
 * @param now - Unix seconds.
 */
export function toCheckoutResponse(checkout: CheckoutRecord, now: number): CheckoutResponse {
  const { reference, widget } = checkout.intent;
  const orders = checkout.orders
    .filter(({ matchStatus }) => matchStatus === 'matched')
    .map(toOrderSummary);
  const underReview = checkout.orders.length - orders.length;
  return {
    reference,
    widget,
    progress: findProgress(checkout, orders, now),
    orders,
    ...(orders.length > 0 && underReview > 0 && { underReview }),
  };
}

const RANK = ['unconfirmed', 'finished', 'settlement', 'settled'] as const;

function findProgress(
  { intent, outcome, orders: all }: CheckoutRecord,
  orders: readonly OrderSummary[],
  now: number,
): CheckoutProgress {
  const furthest = RANK.findLast((state) => orders.some((order) => order.state === state));
  if (furthest) return furthest;
  if (all.length > 0) return 'review';
  if (outcome === 'expired' || intent.expiresAt <= now) return 'expired';
  return outcome ?? 'waiting';
}

function toOrderSummary({ order, changedAt }: OrderRecord): OrderSummary {
  const { state, fiatCurrency, currencyAmount, cryptoCurrency, cryptoCurrencyAmount } = order;
  const { network, payTime, deliverTime, finishTime, txHash = '' } = order;
  const transactionHash = HASH.test(txHash) ? txHash : undefined;
  const known = {
    fiatCurrency,
    currencyAmount,
    cryptoCurrency,
    cryptoCurrencyAmount,
    network,
    transactionHash,
    transactionUrl: transactionHash && getTransactionUrl(order.blockchainExplorer, transactionHash),
    payTime,
    deliverTime,
    finishTime,
    changedAt: /^settle/.test(state) ? changedAt : undefined,
  };
  return {
    state: state === 'unknown' ? 'unconfirmed' : state,
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
  };
}

/** Characters that are safe in a URL and in text. */
const HASH = /^[A-Za-z0-9_-]+$/;

/** Returns the explorer's URL of a transaction if it is safe to link: https, without credentials. */
function getTransactionUrl(explorer = '', hash: string): string | undefined {
  try {
    const url = new URL(explorer + hash);
    return url.protocol === 'https:' && !url.username && !url.password ? url.href : undefined;
  } catch {
    return undefined;
  }
}
