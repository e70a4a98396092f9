import { RequestRefused } from '../server/http-errors.js';
import { boundedMap } from './bounded-map.js';
import type { OrderTerms } from './check-purchase.js';
import { newOrder } from './new-order.js';
import type { OrderProgress } from './order-progress.js';
import type { Quote } from './quote.js';
import { randomHex } from './random-hex.js';
import type { SandboxOrder } from './SandboxOrder.js';
import type { NftSession, WidgetSession } from './widget-sessions.js';

const MAX_ORDERS = 10_000;

/** All orders of one sandbox. They advance by the clock alone, looked at when they are read. */
export interface SandboxOrders {
  /**
   * Takes the payment. The same terms twice while the first order is under way are one order. An
   * NFT is bought once by its URL: any other order for it is refused.
   *
   * @throws RequestRefused 409
   */
  place(session: WidgetSession, terms: OrderTerms, price: Quote): OrderProgress;
  find(orderId: string): OrderProgress | undefined;
  /** What the URL of an NFT session has bought, from whichever opening of it. */
  bought(session: NftSession): OrderProgress | undefined;
  /** Oldest first. */
  finished(): SandboxOrder[];
}

interface Entry {
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

export function sandboxOrders({ now, stepMs, settleMs }: OrderSettings): SandboxOrders {
  const entries = boundedMap<Entry>(MAX_ORDERS);
  const latest = new WeakMap<WidgetSession, Entry>();
  /** By the signature of the URL that bought them. */
  const nfts = boundedMap<Entry>(MAX_ORDERS);
  /** By e-mail address. */
  const userIds = boundedMap<string>(MAX_ORDERS);
  const stepsDone = ({ paidAtMs }: Entry) => timesPassed(stepMs, now() - paidAtMs);

  const progress = (entry: Entry): OrderProgress => {
    const { order, hidesWallet } = entry;
    const done = stepsDone(entry);
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
  /** An NFT order is settled with the partner after it is finished. */
  const asOfNow = ({ order, paidAtMs }: Entry): SandboxOrder => {
    if (!order.nftDetails) return { ...order };
    const settled = timesPassed(settleMs, now() - paidAtMs - 2 * stepMs);
    return { ...order, orderStatus: settled >= 2 ? 3 : settled === 1 ? 2 : 1 };
  };

  const userIdOf = (email: string): string => {
    const user = email.toLowerCase();
    const userId = userIds.get(user) ?? randomHex(8);
    if (!userIds.get(user)) userIds.add(user, userId);
    return userId;
  };

  return {
    place(session, terms, price) {
      const nft = session.widget === 'nft';
      const before = nft ? nfts.get(session.signature) : latest.get(session);
      const text = JSON.stringify(terms);
      // A second click, or a retry after a lost answer, must not pay twice.
      if (before?.terms === text && stepsDone(before) < 2) return progress(before);
      if (nft && before)
        throw new RequestRefused(
          409,
          'This checkout has been paid for. Its URL buys once: open a new one from the shop.',
        );
      const paidAtMs = now();
      const { ext } = session.offer;
      const entry: Entry = {
        order: newOrder(terms, price, { userId: userIdOf(terms.email), ext, paidAtMs, stepMs }),
        terms: text,
        paidAtMs,
        // The wallet of an NFT order is the partner's.
        hidesWallet: session.widget === 'nft' || session.offer.walletHidden,
      };
      entries.add(entry.order.orderId, entry);
      if (session.widget === 'nft') nfts.add(session.signature, entry);
      else latest.set(session, entry);
      return progress(entry);
    },
    find(orderId) {
      const entry = entries.get(orderId);
      return entry && progress(entry);
    },
    bought({ signature }) {
      const entry = nfts.get(signature);
      return entry && progress(entry);
    },
    finished: () =>
      entries
        .values()
        .filter((entry) => stepsDone(entry) >= 2)
        .map(asOfNow),
  };
}

/** How often `everyMs` has gone by; what takes no time has all gone by. */
const timesPassed = (everyMs: number, elapsedMs: number): number =>
  everyMs === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(elapsedMs / everyMs));
