import type { Order } from '../../protocol/api/resources.js';
import { canAdvance } from './canAdvance.js';
import { getUnsettledSince } from './getUnsettledSince.js';
import { claimsIntent, matchOrder, orderKeys } from './matchOrder.js';
import type { OrderRecord } from './OrderRecord.js';
import {
  type CheckoutIntent,
  type CheckoutOutcome,
  type CheckoutRecord,
  MAX_BACKOFF_SECONDS,
  type OrderCursor,
  type OrderEvent,
  type OrderStore,
  type PendingChange,
} from './OrderStore.js';
import { toChangeKey } from './toChangeKey.js';
import { addMemoryStore } from './trackerStores.js';

interface Checkout {
  readonly intent: CheckoutIntent;
  outcome?: CheckoutOutcome;
  openedAt?: number;
  /** The order that it was matched with first. */
  matchedOrderId?: string;
}

interface Queued extends Omit<PendingChange, 'intent'> {
  tries: number;
  notBefore: number;
}

/** Many change within a second, so their names decide. */
const compareNewestFirst = (a: OrderCursor, b: OrderCursor): number =>
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
  let isSyncing = false;

  const appendEvent = (entry: Omit<OrderEvent, 'id'>) => events.push({ id: ++lastId, ...entry });
  const isOpen = ({ intent, outcome: setOutcome, matchedOrderId }: Checkout, now: number) =>
    setOutcome !== 'expired' && intent.expiresAt > now && !matchedOrderId;

  function recordOrder(order: Order, at: number): boolean {
    const known = records.get(order.orderId);
    const { reference, merchantOrderNo } = orderKeys(order, known);
    const checkout =
      checkouts.get(reference ?? '') ?? checkouts.get(byOrderNo.get(merchantOrderNo ?? '') ?? '');
    const { intent, matchedOrderId } = checkout ?? {};
    const made = matchOrder(order, { record: known, intent, matchedOrderId }, at);
    if (!made) return false;
    const of = made.matchStatus === 'unmatched' ? undefined : made.reference;
    if (of) ordersOf.set(of, (ordersOf.get(of) ?? new Set()).add(order.orderId));
    if (checkout && claimsIntent(made)) checkout.matchedOrderId ??= order.orderId;
    records.set(order.orderId, made);
    appendEvent({ at, ...(of && { reference: of }), record: made });
    const key = toChangeKey(made);
    queue.set(key, { key, record: made, tries: 0, notBefore: 0 });
    return true;
  }

  function outcome(checkout: Checkout, next: CheckoutOutcome, at: number): boolean {
    const { intent, outcome, matchedOrderId } = checkout;
    if (!canAdvance({ outcome, isMatched: matchedOrderId !== undefined }, next)) return false;
    checkout.outcome = next;
    // Its order was announced, so somebody has paid.
    if (next === 'unconfirmed') checkout.openedAt ??= at;
    appendEvent({ at, reference: intent.reference, outcome: next });
    return true;
  }

  /** A map keeps the order of insertion: the oldest come first, and the walk ends early. */
  function purgeCheckouts(before: number, unopenedBefore = before): void {
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
      purgeCheckouts(intent.createdAt - KEPT_SECONDS);
      checkouts.set(reference, { intent: structuredClone(intent) });
      if (params.merchantOrderNo) byOrderNo.set(params.merchantOrderNo, reference);
    },
    async findCheckout(reference) {
      const checkout = checkouts.get(reference);
      if (!checkout) return undefined;
      const { intent, outcome, openedAt } = checkout;
      const ids = [...(ordersOf.get(reference) ?? [])];
      const orders = ids.map((id) => records.get(id) as OrderRecord);
      const known = { ...(outcome && { outcome }), ...(openedAt !== undefined && { openedAt }) };
      return structuredClone<CheckoutRecord>({ intent, ...known, orders });
    },
    async markOpened(reference, at) {
      const checkout = checkouts.get(reference);
      if (checkout) checkout.openedAt ??= at;
    },
    async recordOrders(orders, at) {
      return orders.filter((order) => recordOrder(order, at)).length;
    },
    async recordOutcome(reference, next, at) {
      const checkout = checkouts.get(reference);
      if (checkout) outcome(checkout, next, at);
    },
    async expireCheckouts(now) {
      const over = [...checkouts.values()].filter(({ intent }) => intent.expiresAt <= now);
      return over.filter((checkout) => outcome(checkout, 'expired', now)).length;
    },
    async hasOpenCheckouts(now) {
      return [...checkouts.values()].some((checkout) => isOpen(checkout, now));
    },
    async findOldestUnsettled(since) {
      const times = [...records.values()].flatMap(({ order }) => getUnsettledSince(order) ?? []);
      const later = times.filter((time) => time >= since);
      return later.length > 0 ? Math.min(...later) : undefined;
    },
    async listEventsAfter(id, limit) {
      return structuredClone(events.filter((event) => event.id > id).slice(0, limit));
    },
    async lastEventId() {
      return lastId;
    },
    async listPendingChanges(now, limit) {
      const latest = now + MAX_BACKOFF_SECONDS;
      const due = [...queue.values()].filter(
        ({ notBefore }) => notBefore <= now || notBefore > latest,
      );
      due.sort((a, b) => a.notBefore - b.notBefore);
      return due.slice(0, limit).map(({ key, record, tries }) => {
        const intent =
          record.matchStatus === 'unmatched' ? undefined : checkouts.get(record.reference)?.intent;
        return structuredClone<PendingChange>({ key, record, tries, ...(intent && { intent }) });
      });
    },
    async acknowledgeChanges(keys) {
      for (const key of keys) queue.delete(key);
    },
    async postponeChange(key, notBefore) {
      const queued = queue.get(key);
      if (queued) Object.assign(queued, { notBefore, tries: queued.tries + 1 });
    },
    async readWatermark() {
      return watermark;
    },
    async writeWatermark(to) {
      watermark = to;
    },
    async withSyncLease(sync) {
      if (isSyncing) return false;
      isSyncing = true;
      try {
        await sync(() => true);
      } finally {
        isSyncing = false;
      }
      return true;
    },
    async listOrders({ matchStatus, before, limit }) {
      const found = [...records.values()].filter(
        (one) =>
          (!before || compareNewestFirst(one, before) > 0) &&
          (!matchStatus || one.matchStatus === matchStatus),
      );
      found.sort(compareNewestFirst);
      return structuredClone(found.slice(0, limit));
    },
    async claimReplay(hash, keepUntil, now) {
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
      purgeCheckouts(before, unopenedBefore);
      events = events.filter(({ at }) => at >= before);
    },
  });
}
