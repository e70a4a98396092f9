import type { Order } from '../protocol/resources.js';
import type {
  CheckoutIntent,
  CheckoutMark,
  CheckoutRecord,
  OrderEvent,
  OrderStore,
  PendingChange,
} from './OrderStore.js';
import { changeKey } from './orders/changeKey.js';
import { judgeOrder, namesOf } from './orders/judgeOrder.js';
import type { OrderRecord } from './orders/OrderRecord.js';

interface Checkout {
  readonly intent: CheckoutIntent;
  mark?: CheckoutMark;
}

interface Queued extends Omit<PendingChange, 'intent'> {
  tries: number;
  notBefore: number;
}

/** How long a checkout that expired is kept, as its order may come late. */
const KEPT_SECONDS = 7 * 86_400;

const RANK: Readonly<Record<CheckoutMark, number>> = { unconfirmed: 1, expired: 2 };

/**
 * Keeps everything in this process: for development and tests. A restart forgets it.
 *
 * @example
 * const handler = createRampHandler({ signer, policy, allowedOrigins, store: memoryOrderStore() });
 */
export function memoryOrderStore(): OrderStore {
  const checkouts = new Map<string, Checkout>();
  const records = new Map<string, OrderRecord>();
  /** Records by the reference of their checkout, oldest first. */
  const ordersOf = new Map<string, string[]>();
  /** The newest checkout of each order number of the partner's marketplace. */
  const byOrderNo = new Map<string, string>();
  const queue = new Map<string, Queued>();
  const replays = new Map<string, number>();
  let events: OrderEvent[] = [];
  let lastId = 0;
  let watermark: number | undefined;
  let isSweeping = false;

  const log = (entry: Omit<OrderEvent, 'id'>) => events.push({ id: ++lastId, ...entry });
  const recordsOf = (reference: string) =>
    (ordersOf.get(reference) ?? []).map((id) => records.get(id) as OrderRecord);
  const matchedOrderId = (reference: string) =>
    recordsOf(reference).find(({ standing }) => standing === 'matched')?.order.orderId;
  const isOpen = ({ intent, mark }: Checkout, now: number) =>
    mark !== 'expired' && intent.expiresAt > now && !matchedOrderId(intent.reference);

  function record(order: Order, at: number): boolean {
    const { reference, merchantOrderNo } = namesOf(order);
    const checkout =
      checkouts.get(reference ?? '') ?? checkouts.get(byOrderNo.get(merchantOrderNo ?? '') ?? '');
    const intent = checkout?.intent;
    const known = {
      record: records.get(order.orderId),
      intent,
      matchedOrderId: intent && matchedOrderId(intent.reference),
    };
    const made = judgeOrder(order, known, at);
    if (!made) return false;
    const of = made.standing === 'foreign' ? undefined : made.reference;
    if (of && !known.record) ordersOf.set(of, [...(ordersOf.get(of) ?? []), order.orderId]);
    records.set(order.orderId, made);
    log({ at, ...(of && { reference: of }), record: made });
    const key = changeKey(made);
    queue.set(key, { key, record: made, tries: 0, notBefore: 0 });
    return true;
  }

  function mark(checkout: Checkout, next: CheckoutMark, at: number): boolean {
    const { reference } = checkout.intent;
    if (matchedOrderId(reference)) return false;
    if (checkout.mark && RANK[checkout.mark] >= RANK[next]) return false;
    checkout.mark = next;
    log({ at, reference, mark: next });
    return true;
  }

  /** A map keeps the order of insertion: the oldest stand first, and the walk ends early. */
  function forget(before: number): void {
    for (const [reference, { intent }] of checkouts) {
      if (intent.expiresAt >= before) return;
      if (ordersOf.has(reference)) continue;
      checkouts.delete(reference);
      const { merchantOrderNo = '' } = intent.params;
      if (byOrderNo.get(merchantOrderNo) === reference) byOrderNo.delete(merchantOrderNo);
    }
  }

  return {
    async saveIntent(intent) {
      const { reference, params } = intent;
      if (checkouts.has(reference)) throw new Error('This checkout reference is taken.');
      forget(intent.createdAt - KEPT_SECONDS);
      checkouts.set(reference, { intent: structuredClone(intent) });
      if (params.merchantOrderNo) byOrderNo.set(params.merchantOrderNo, reference);
    },
    async findCheckout(reference) {
      const checkout = checkouts.get(reference);
      if (!checkout) return undefined;
      return structuredClone<CheckoutRecord>({ ...checkout, orders: recordsOf(reference) });
    },
    async recordOrders(orders, at) {
      return orders.filter((order) => record(order, at)).length;
    },
    async markCheckout(reference, next, at) {
      const checkout = checkouts.get(reference);
      if (checkout) mark(checkout, next, at);
    },
    async expireCheckouts(now) {
      const over = [...checkouts.values()].filter(({ intent }) => intent.expiresAt <= now);
      return over.filter((checkout) => mark(checkout, 'expired', now)).length;
    },
    async hasOpenCheckouts(now) {
      return [...checkouts.values()].some((checkout) => isOpen(checkout, now));
    },
    async oldestUnsettled(since) {
      const times = [...records.values()].flatMap(({ order: { kind, state, finishTime } }) =>
        kind === 'nft' && state !== 'settled' && finishTime && finishTime >= since
          ? [finishTime]
          : [],
      );
      return times.length > 0 ? Math.min(...times) : undefined;
    },
    async eventsAfter(id, limit) {
      return structuredClone(events.filter((event) => event.id > id).slice(0, limit));
    },
    async lastEventId() {
      return lastId;
    },
    async pendingChanges(now, limit) {
      const due = [...queue.values()].filter(({ notBefore }) => notBefore <= now).slice(0, limit);
      return due.map(({ key, record, tries }) => {
        const intent =
          record.standing === 'foreign' ? undefined : checkouts.get(record.reference)?.intent;
        return structuredClone<PendingChange>({ key, record, tries, ...(intent && { intent }) });
      });
    },
    async settleChange(key) {
      queue.delete(key);
    },
    async postponeChange(key, notBefore) {
      const queued = queue.get(key);
      if (queued) Object.assign(queued, { notBefore, tries: queued.tries + 1 });
    },
    async readWatermark() {
      return watermark;
    },
    async moveWatermark(to) {
      watermark = to;
    },
    async runAlone(sweep) {
      if (isSweeping) return false;
      isSweeping = true;
      try {
        await sweep();
      } finally {
        isSweeping = false;
      }
      return true;
    },
    async listOrders({ standing, before = Number.POSITIVE_INFINITY, limit }) {
      const found = [...records.values()].filter(
        (one) => one.changedAt < before && (!standing || one.standing === standing),
      );
      found.sort((a, b) => b.changedAt - a.changedAt);
      return structuredClone(found.slice(0, limit));
    },
    async rememberReplay(hash, keepUntil, now) {
      for (const [known, until] of replays) if (until <= now) replays.delete(known);
      if (replays.has(hash)) return false;
      replays.set(hash, keepUntil);
      return true;
    },
    async purge(before) {
      forget(before);
      events = events.filter(({ at }) => at >= before);
    },
  };
}
