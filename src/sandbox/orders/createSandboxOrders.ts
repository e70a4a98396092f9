import { RequestError } from '../../server/internal/RequestError.js';
import type { SandboxQuote } from '../catalog/pricing/createOnRampQuote.js';
import { createBoundedMap } from '../internal/createBoundedMap.js';
import { createRandomHex } from '../internal/createRandomHex.js';
import { createOrder } from './createOrder.js';
import type { OrderProgress } from './OrderProgress.js';
import type { OrderTerms } from './OrderTerms.js';
import type { SandboxOrder } from './SandboxOrder.js';

const MAX_ORDERS = 10_000;

/** The part of a widget session that an order needs. */
type OrderingSession =
  | {
      readonly widget: 'on-ramp';
      readonly offer: { readonly ext: string; readonly walletHidden: boolean };
    }
  | {
      readonly widget: 'nft';
      /** The signature of its URL. One signed URL is one purchase. */
      readonly signature: string;
      readonly offer: { readonly ext: string };
    };

/** The orders of one sandbox. Their status is computed from the clock when they are read. */
export interface SandboxOrders {
  /**
   * Accepts the payment. Repeated terms return the order in progress. An NFT is bought once per URL:
   * any other order for it is rejected.
   *
   * @throws RequestError 409
   */
  place(session: OrderingSession, terms: OrderTerms, price: SandboxQuote): OrderProgress;
  find(orderId: string): OrderProgress | undefined;
  /** Returns the order of an NFT URL, from any opening of it. */
  findByUrl(session: { readonly signature: string }): OrderProgress | undefined;
  /** Returns the finished orders, oldest first. */
  listFinished(): SandboxOrder[];
}

interface OrderEntry {
  readonly order: SandboxOrder;
  readonly terms: string;
  readonly paidAtMs: number;
  readonly hidesWallet: boolean;
}

export interface OrderSettings {
  readonly now: () => number;
  readonly stepMs: number;
  readonly settleMs: number;
}

export function createSandboxOrders({ now, stepMs, settleMs }: OrderSettings): SandboxOrders {
  const entries = createBoundedMap<OrderEntry>(MAX_ORDERS);
  const latest = new WeakMap<OrderingSession, OrderEntry>();
  /** By the signature of the paid URL. */
  const nfts = createBoundedMap<OrderEntry>(MAX_ORDERS);
  /** By e-mail address. */
  const userIds = createBoundedMap<string>(MAX_ORDERS);
  const countSteps = ({ paidAtMs }: OrderEntry) => countIntervals(stepMs, now() - paidAtMs);

  const toProgress = (entry: OrderEntry): OrderProgress => {
    const { order, hidesWallet } = entry;
    const done = countSteps(entry);
    return {
      orderId: order.orderId,
      step: done >= 2 ? 'finished' : done === 1 ? 'sending' : 'paid',
      payTime: order.payTime,
      ...(done >= 1 && { deliverTime: order.deliverTime, txHash: order.txHash }),
      ...(done >= 2 && { finishTime: order.finishTime }),
      fiatCurrency: order.fiatCurrency,
      currencyAmount: order.currencyAmount,
      cryptoCurrencyCode: order.cryptoCurrencyCode,
      cryptoCurrencyAmount: order.cryptoCurrencyAmount,
      ...(!hidesWallet && { walletAddress: order.walletAddress }),
    };
  };
  /** Adds the settlement with the partner, which follows an NFT order. */
  const toCurrentOrder = ({ order, paidAtMs }: OrderEntry): SandboxOrder => {
    if (!order.nftDetails) return { ...order };
    const settled = countIntervals(settleMs, now() - paidAtMs - 2 * stepMs);
    return { ...order, orderStatus: settled >= 2 ? 3 : settled === 1 ? 2 : 1 };
  };

  const getUserId = (email: string): string => {
    const user = email.toLowerCase();
    const userId = userIds.get(user) ?? createRandomHex(8);
    if (!userIds.get(user)) userIds.add(user, userId);
    return userId;
  };

  return {
    place(session, terms, price) {
      const nft = session.widget === 'nft';
      const before = nft ? nfts.get(session.signature) : latest.get(session);
      const text = JSON.stringify(terms);
      // A second click, or a retry after a lost response, must not pay twice.
      if (before?.terms === text && countSteps(before) < 2) return toProgress(before);
      if (nft && before)
        throw new RequestError(409, 'This checkout is already paid. Open a new one from the shop.');
      const paidAtMs = now();
      const { ext } = session.offer;
      const entry: OrderEntry = {
        order: createOrder(terms, price, { userId: getUserId(terms.email), ext, paidAtMs, stepMs }),
        terms: text,
        paidAtMs,
        // The wallet of an NFT order belongs to the partner.
        hidesWallet: session.widget === 'nft' || session.offer.walletHidden,
      };
      entries.add(entry.order.orderId, entry);
      if (session.widget === 'nft') nfts.add(session.signature, entry);
      else latest.set(session, entry);
      return toProgress(entry);
    },
    find(orderId) {
      const entry = entries.get(orderId);
      return entry && toProgress(entry);
    },
    findByUrl({ signature }) {
      const entry = nfts.get(signature);
      return entry && toProgress(entry);
    },
    listFinished: () =>
      entries
        .values()
        .filter((entry) => countSteps(entry) >= 2)
        .map(toCurrentOrder),
  };
}

/** Returns the number of elapsed intervals of `everyMs`. Intervals of 0 ms have all elapsed. */
const countIntervals = (everyMs: number, elapsedMs: number): number =>
  everyMs === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(elapsedMs / everyMs));
