import { createConfigError, RampError } from '../../../protocol/errors/RampError.js';
import type { Runtime } from '../../internal/runtime.js';
import { matchOrders } from '../matchOrder.js';
import { publishOrderChanges } from '../orderMessages.js';
import {
  getReference,
  getUnsettledSince,
  type OrderRecord,
  toChangeKey,
} from '../store/OrderRecord.js';
import {
  MAX_BACKOFF_SECONDS,
  type OrderStore,
  type StoredSyncState,
  type StorePartner,
  toPendingChange,
} from '../store/OrderStore.js';
import {
  announceOrder,
  copyData,
  createMemoryTables,
  isAwaitingOrder,
  type MemoryChange,
  type MemoryTables,
  memoryCheckouts,
  purgeCheckouts,
} from './memoryCheckouts.js';

/**
 * Marks a memory store. The property is not enumerable, so a copy such as `{ ...store }` does not get it. The copy
 * shares the data of the original, but two different objects that have the mark never share data.
 */
const MEMORY = Symbol('memory');

/**
 * Creates a store that keeps everything in the memory of this process, for development and tests. A restart loses all
 * data.
 *
 * @example
 * const ramp = createRamp({ ...options, store: memoryOrderStore() });
 */
export function memoryOrderStore(): OrderStore<undefined> {
  const tables = createMemoryTables();
  const store: OrderStore<undefined> = {
    ...memoryCheckouts(tables),
    ...memoryOrders(tables),
    ...memoryDeliveries(tables),
    ...memorySyncState(tables),
    ...memoryReplays(tables),
    purge: async (limits) => purgeCheckouts(tables, limits),
  };
  return Object.defineProperty(store, MEMORY, { value: tables });
}

/** Returns the data of a memory store, or undefined for another store. */
export const getMemoryTables = (store: object): MemoryTables | undefined =>
  (store as { readonly [MEMORY]?: MemoryTables })[MEMORY];

/** Reports once in each process, and only in production, that a store keeps its data in memory. */
export function reportMemoryStore(
  runtime: Runtime,
  store: object,
  report: (error: unknown) => void,
): void {
  if (process.env.NODE_ENV !== 'production' || !getMemoryTables(store)) return;
  if (!runtime.isFirst('memory store')) return;
  report(
    createConfigError(
      'createRamp',
      'has a memoryOrderStore(), so it keeps checkouts and orders in the memory of this process: a restart loses them, and other instances cannot read them. Pass a store, such as sqlOrderStore(), in production.',
    ),
  );
}

const memoryOrders = (tables: MemoryTables): Pick<OrderStore, 'recordOrders'> => {
  const { checkouts, records, byOrderNo } = tables;
  // Names are used as keys unchanged, because a map accepts any text.
  const toKey = (name: string) => name;
  const context = { records, byReference: checkouts, byOrderNo, toKey };
  return {
    async recordOrders(orders, at) {
      const matched = matchOrders(orders, context, at);
      for (const record of matched.records) addChange(tables, record, at);
      for (const [orderId, record] of matched.latest) records.set(orderId, record);
      for (const [reference, orderId] of matched.claims) {
        const checkout = checkouts.get(reference);
        if (checkout) checkout.matchedOrderId = orderId;
      }
      publishOrderChanges(matched.records);
      return matched.records.length;
    },
  };
};

function addChange(tables: MemoryTables, record: OrderRecord, at: number): void {
  const { orderId } = record.order;
  const reference = getReference(record);
  const checkout = tables.checkouts.get(reference ?? '');
  checkout?.orderIds.add(orderId);
  // A checkout that has an order must have been opened, even if no page reported it.
  if (checkout) checkout.openedAt ??= at;
  const key = toChangeKey(record);
  tables.changes.set(key, { key, record, tries: 0, notBefore: 0 });
}

type DeliveryMethods = Pick<
  OrderStore<undefined>,
  'listPendingChanges' | 'handleChange' | 'postponeChange'
>;

function memoryDeliveries({ changes, checkouts, histories }: MemoryTables): DeliveryMethods {
  /** The IDs of the orders that are being delivered. */
  const delivering = new Set<string>();
  const toChange = ({ record, tries }: MemoryChange) => {
    const checkout = checkouts.get(getReference(record) ?? '')?.terms;
    return copyData(toPendingChange(record, checkout, tries));
  };
  return {
    async listPendingChanges(now, limit) {
      const latest = now + MAX_BACKOFF_SECONDS;
      const due = [...changes.values()].filter(
        ({ notBefore }) => notBefore <= now || notBefore > latest,
      );
      due.sort((a, b) => a.notBefore - b.notBefore);
      return due.slice(0, limit).map(toChange);
    },
    async handleChange({ key, record }, handle) {
      const { orderId } = record.order;
      const change = changes.get(key);
      if (!change) return false;
      if (delivering.has(orderId))
        throw new RampError('ERR_TIMEOUT', `The order ${orderId} is still being delivered.`);
      delivering.add(orderId);
      try {
        histories.set(
          orderId,
          await handle(toChange(change), histories.get(orderId) ?? {}, undefined),
        );
      } finally {
        delivering.delete(orderId);
      }
      changes.delete(key);
      return true;
    },
    async postponeChange(key, notBefore) {
      const change = changes.get(key);
      if (change) Object.assign(change, { notBefore, tries: change.tries + 1 });
    },
  };
}

type SyncMethods = Pick<
  OrderStore,
  'claimPartner' | 'readSyncState' | 'writeSyncState' | 'findWork' | 'withSyncLease'
>;

function memorySyncState({ checkouts, records, changes }: MemoryTables): SyncMethods {
  let stored: StoredSyncState = { revision: 0, state: undefined };
  let isLeased = false;
  let partner: StorePartner = { partnerId: undefined, environment: undefined };
  return {
    async claimPartner({ partnerId, environment }) {
      partner = {
        partnerId: partner.partnerId ?? partnerId,
        environment: partner.environment ?? environment,
      };
      return partner;
    },
    async readSyncState() {
      return stored;
    },
    async writeSyncState({ revision, state }) {
      if (stored.revision !== revision) return false;
      stored = { revision: revision + 1, state };
      return true;
    },
    async findWork({ announcedSince, unsettledSince }) {
      const all = [...checkouts.values()];
      const announced = all.filter((checkout) => isAwaitingOrder(checkout, announcedSince));
      const unsettled = [...records.values()].flatMap((record) => getUnsettledSince(record) ?? []);
      return {
        newestCheckoutAt: all.at(-1)?.terms.createdAt,
        hasOpenCheckouts: all.some((one) => one.outcome !== 'expired' && !one.matchedOrderId),
        announcedAt: findExtreme(
          announced.map(({ announcedAt = 0 }) => announcedAt),
          Math.max,
        ),
        nextDeliveryAt: findExtreme(
          [...changes.values()].map(({ notBefore }) => notBefore),
          Math.min,
        ),
        unsettledSince: findExtreme(
          unsettled.filter((time) => time >= unsettledSince),
          Math.min,
        ),
      };
    },
    async withSyncLease(sync) {
      if (isLeased) return false;
      isLeased = true;
      try {
        await sync(() => true);
      } finally {
        isLeased = false;
      }
      return true;
    },
  };
}

const findExtreme = (times: readonly number[], choose: (a: number, b: number) => number) =>
  times.length === 0 ? undefined : times.reduce((a, b) => choose(a, b));

function memoryReplays(tables: MemoryTables): Pick<OrderStore, 'claimReplay'> {
  /** When each hash may be deleted, Unix seconds. */
  const replays = new Map<string, number>();
  return {
    async claimReplay(hash, keepUntil, now, announced) {
      for (const [known, until] of replays) {
        // All hashes are kept for about the same time, so the oldest ones expire first.
        if (until > now) break;
        replays.delete(known);
      }
      if (announced !== undefined) announceOrder(tables, announced, now);
      if ((replays.get(hash) ?? now) > now) return false;
      replays.set(hash, keepUntil);
      return true;
    },
  };
}
