import type { Order } from '../protocol/resources.js';
import {
  type CheckoutIntent,
  type CheckoutMark,
  type CheckoutRecord,
  MAX_POSTPONE_SECONDS,
  type OrderEvent,
  type OrderPlace,
  type OrderStore,
  type PendingChange,
} from './OrderStore.js';
import { changeKey } from './orders/changeKey.js';
import { judgeOrder, namesOf, takesPlace } from './orders/judgeOrder.js';
import { moves } from './orders/moves.js';
import type { OrderRecord } from './orders/OrderRecord.js';
import { addMemoryStore } from './orders/trackerStores.js';
import { unsettledSince } from './orders/unsettledSince.js';

interface Checkout {
  readonly intent: CheckoutIntent;
  mark?: CheckoutMark;
  openedAt?: number;
  /** The order that it was matched with first. */
  matchedOrderId?: string;
}

interface Queued extends Omit<PendingChange, 'intent'> {
  tries: number;
  notBefore: number;
}

/** Many change within a second, so their names decide. */
const newestFirst = (a: OrderPlace, b: OrderPlace): number =>
  b.changedAt - a.changedAt || (a.order.orderId < b.order.orderId ? 1 : -1);

/** How long a checkout that expired is kept, as its order may come late. */
const KEPT_SECONDS = 7 * 86_400;

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
  const ordersOf = new Map<string, Set<string>>();
  /** The newest checkout of each order number of the partner's marketplace. */
  const byOrderNo = new Map<string, string>();
  const queue = new Map<string, Queued>();
  const replays = new Map<string, number>();
  let events: OrderEvent[] = [];
  let lastId = 0;
  let watermark: number | undefined;
  let isSweeping = false;

  const log = (entry: Omit<OrderEvent, 'id'>) => events.push({ id: ++lastId, ...entry });
  const isOpen = ({ intent, mark, matchedOrderId }: Checkout, now: number) =>
    mark !== 'expired' && intent.expiresAt > now && !matchedOrderId;

  function record(order: Order, at: number): boolean {
    const known = records.get(order.orderId);
    const { reference, merchantOrderNo } = namesOf(order, known);
    const checkout =
      checkouts.get(reference ?? '') ?? checkouts.get(byOrderNo.get(merchantOrderNo ?? '') ?? '');
    const { intent, matchedOrderId } = checkout ?? {};
    const made = judgeOrder(order, { record: known, intent, matchedOrderId }, at);
    if (!made) return false;
    const of = made.standing === 'foreign' ? undefined : made.reference;
    if (of) ordersOf.set(of, (ordersOf.get(of) ?? new Set()).add(order.orderId));
    if (checkout && takesPlace(made)) checkout.matchedOrderId ??= order.orderId;
    records.set(order.orderId, made);
    log({ at, ...(of && { reference: of }), record: made });
    const key = changeKey(made);
    queue.set(key, { key, record: made, tries: 0, notBefore: 0 });
    return true;
  }

  function mark(checkout: Checkout, next: CheckoutMark, at: number): boolean {
    const { intent, mark, matchedOrderId } = checkout;
    if (!moves({ mark, isMatched: matchedOrderId !== undefined }, next)) return false;
    checkout.mark = next;
    // Its order was announced, so somebody has paid.
    if (next === 'unconfirmed') checkout.openedAt ??= at;
    log({ at, reference: intent.reference, mark: next });
    return true;
  }

  /** A map keeps the order of insertion: the oldest come first, and the walk ends early. */
  function forget(before: number, unopenedBefore = before): void {
    for (const [reference, { intent, openedAt }] of checkouts) {
      if (intent.expiresAt >= Math.max(before, unopenedBefore)) return;
      const isKept = intent.expiresAt >= (openedAt === undefined ? unopenedBefore : before);
      if (isKept || ordersOf.has(reference)) continue;
      checkouts.delete(reference);
      const { merchantOrderNo = '' } = intent.params;
      if (byOrderNo.get(merchantOrderNo) === reference) byOrderNo.delete(merchantOrderNo);
    }
  }

  return addMemoryStore({
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
      const { intent, mark, openedAt } = checkout;
      const ids = [...(ordersOf.get(reference) ?? [])];
      const orders = ids.map((id) => records.get(id) as OrderRecord);
      const known = { ...(mark && { mark }), ...(openedAt !== undefined && { openedAt }) };
      return structuredClone<CheckoutRecord>({ intent, ...known, orders });
    },
    async markOpened(reference, at) {
      const checkout = checkouts.get(reference);
      if (checkout) checkout.openedAt ??= at;
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
      const times = [...records.values()].flatMap(({ order }) => unsettledSince(order) ?? []);
      const later = times.filter((time) => time >= since);
      return later.length > 0 ? Math.min(...later) : undefined;
    },
    async eventsAfter(id, limit) {
      return structuredClone(events.filter((event) => event.id > id).slice(0, limit));
    },
    async lastEventId() {
      return lastId;
    },
    async pendingChanges(now, limit) {
      const latest = now + MAX_POSTPONE_SECONDS;
      const due = [...queue.values()].filter(
        ({ notBefore }) => notBefore <= now || notBefore > latest,
      );
      due.sort((a, b) => a.notBefore - b.notBefore);
      return due.slice(0, limit).map(({ key, record, tries }) => {
        const intent =
          record.standing === 'foreign' ? undefined : checkouts.get(record.reference)?.intent;
        return structuredClone<PendingChange>({ key, record, tries, ...(intent && { intent }) });
      });
    },
    async settleChanges(keys) {
      for (const key of keys) queue.delete(key);
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
        await sweep(() => true);
      } finally {
        isSweeping = false;
      }
      return true;
    },
    async listOrders({ standing, before, limit }) {
      const found = [...records.values()].filter(
        (one) =>
          (!before || newestFirst(one, before) > 0) && (!standing || one.standing === standing),
      );
      found.sort(newestFirst);
      return structuredClone(found.slice(0, limit));
    },
    async rememberReplay(hash, keepUntil, now) {
      for (const [known, until] of replays) {
        // They are kept for as long as each other, so what stands first ends first.
        if (until > now) break;
        replays.delete(known);
      }
      if ((replays.get(hash) ?? now) > now) return false;
      replays.set(hash, keepUntil);
      return true;
    },
    async purge(before, unopenedBefore) {
      forget(before, unopenedBefore);
      events = events.filter(({ at }) => at >= before);
    },
  });
}
