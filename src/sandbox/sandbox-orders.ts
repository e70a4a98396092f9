import { createHmac, randomBytes } from 'node:crypto';
import { boundedMap } from './bounded-map.js';
import type { OrderTerms } from './check-purchase.js';
import type { OrderProgress } from './order-progress.js';
import { quote } from './quote.js';
import type { SandboxOrder } from './SandboxOrder.js';
import type { WidgetSession } from './widget-sessions.js';

const MAX_ORDERS = 10_000;

/** All orders of one sandbox. They advance by the clock alone, looked at when they are read. */
export interface SandboxOrders {
  /** Takes the payment, at the price of this moment. The same terms twice while the first order is under way are one order. */
  place(session: WidgetSession, terms: OrderTerms): OrderProgress;
  find(orderId: string): OrderProgress | undefined;
  /** Oldest first. */
  finished(): SandboxOrder[];
}

interface Entry {
  readonly order: SandboxOrder;
  readonly paidAtMs: number;
  readonly hidesWallet: boolean;
}

export interface OrderSettings {
  readonly now: () => number;
  readonly stepMs: number;
}

export function sandboxOrders({ now, stepMs }: OrderSettings): SandboxOrders {
  const entries = boundedMap<Entry>(MAX_ORDERS);
  const latest = new WeakMap<WidgetSession, { terms: string; entry: Entry }>();
  const userKey = randomBytes(16);
  const stepsDone = ({ paidAtMs }: Entry) =>
    stepMs === 0 ? 2 : Math.max(0, Math.floor((now() - paidAtMs) / stepMs));

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

  return {
    place(session, terms) {
      const text = JSON.stringify(terms);
      const before = latest.get(session);
      // A second click, or a retry after a lost answer, must not pay twice.
      if (before?.terms === text && stepsDone(before.entry) < 2) return progress(before.entry);
      const paidAtMs = now();
      const secondsAt = (step: number) => Math.floor((paidAtMs + step * stepMs) / 1000);
      const userId = createHmac('sha256', userKey).update(terms.email.toLowerCase()).digest('hex');
      const entry: Entry = {
        paidAtMs,
        hidesWallet: session.offer.walletHidden,
        order: {
          orderId: randomBytes(16).toString('hex'),
          orderStatus: 3,
          userId: userId.slice(0, 16),
          payTime: secondsAt(0),
          deliverTime: secondsAt(1),
          finishTime: secondsAt(2),
          ...boughtFields(terms, paidAtMs),
          ext: session.offer.ext,
        },
      };
      entries.add(entry.order.orderId, entry);
      latest.set(session, { terms: text, entry });
      return progress(entry);
    },
    find(orderId) {
      const entry = entries.get(orderId);
      return entry && progress(entry);
    },
    finished: () =>
      entries
        .values()
        .filter((entry) => stepsDone(entry) >= 2)
        .map(({ order }) => ({ ...order })),
  };
}

function boughtFields(terms: OrderTerms, atMs: number) {
  const { crypto, option, walletAddress } = terms;
  const { cryptoFees, network, ...price } = quote(terms, atMs);
  const hash = randomBytes(32).toString('hex');
  return {
    ...price,
    walletAddress,
    ...cryptoFees,
    gasFeeUnit: crypto.symbol,
    platformFeeUnit: crypto.symbol,
    totalFeeUnit: crypto.symbol,
    payment: option.name,
    txHash: crypto.family === 'evm' ? `0x${hash}` : hash,
    network,
    blockchainExplorer: `https://explorer.example/${network.replace(/_.*/, '')}/tx/`,
  };
}
