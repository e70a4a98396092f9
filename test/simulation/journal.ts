import type { OrderStore, PendingChange } from '../../src/server/orders/store/OrderStore.js';
import { getWatermark, parseSyncState } from '../../src/server/orders/tracker/syncState.js';
import type { PartnerApi } from '../../src/server/partner-api/createPartnerApi.js';
import type { Plan } from './plan.js';
import type { Service, ServiceOrder, Webhook, Widget } from './service.js';
import type { WorldProcess } from './world.js';

export interface Item {
  readonly wallet: string;
  readonly amount: string;
  /** Whether the order must have this amount. */
  readonly isBound: boolean;
  readonly token: string;
  readonly orderNo: string | undefined;
}

export interface SignedCheckout {
  readonly reference: string;
  readonly widget: Widget;
  readonly item: Item;
  readonly user: string;
  readonly params: Readonly<Record<string, string>>;
  readonly atMs: number;
  /** The orders that its shopper paid. */
  readonly orders: ServiceOrder[];
}

/** One call of `deliver` or `review`. */
export interface DeliveryCall {
  /** The key of the order that the call has. */
  readonly key: string;
  readonly orderId: string;
  readonly atMs: number;
  /** The wall clock of the process, Unix milliseconds. */
  readonly clockMs: number;
  readonly process: WorldProcess;
  isOver: boolean;
}

/** An order that the partner has delivered or reviewed. */
interface Booking {
  /** The match status of the order. */
  readonly status: string;
  readonly atMs: number;
}

/** An erasure of a user, which calls `eraseSubject` until it succeeds. */
export interface Erasure {
  readonly user: string;
  readonly fromMs: number;
  /** Undefined until a call has succeeded. */
  doneMs?: number;
}

/** A sync of an instance. */
interface RunningSync {
  readonly fromMs: number;
  /** Whether the instance has the lease, by its own clock. */
  readonly hasLease: () => boolean;
  /** Whether a range of the order list was read to its end. */
  hasRead: boolean;
}

/** What an independent observer writes down during a run. The audit compares it with the store. */
export interface Journal {
  readonly signed: SignedCheckout[];
  readonly webhooks: { readonly webhook: Webhook; readonly atMs: number }[];
  readonly calls: DeliveryCall[];
  /** What the partner has booked, by the key of the call. */
  readonly bookings: Map<string, Booking>;
  /** When a call last failed, hung or was slow, by its key. */
  readonly failedDeliveries: Map<string, number>;
  /** The change that each process handles. */
  readonly handling: Map<WorldProcess, PendingChange>;
  /** The last booking of each process, until its transaction is committed. */
  readonly uncommitted: Map<WorldProcess, { readonly key: string; readonly booking: Booking }>;
  /** Who handled a call whose transaction was committed, by its key. */
  readonly acknowledged: Map<string, WorldProcess>;
  /** Whether a webhook has counted as new, by the hash under which it is stored. */
  readonly replays: Map<string, boolean>;
  /** Who stored a checkout, by its reference. */
  readonly granters: Map<string, WorldProcess>;
  /** The references of the checkouts that were opened. */
  readonly opened: Set<string>;
  /** The running sync of each instance that has got the lease. */
  readonly leases: Map<WorldProcess, RunningSync>;
  /** The references of the checkouts that an instance has begun to record as unconfirmed. */
  readonly unconfirmed: Set<string>;
  /** The IDs of the orders whose resolution an operator tried to record. */
  readonly noted: Set<string>;
  /** The last resolution of each order, by order ID. Missing while nobody knows whether the last call took effect. */
  readonly resolutions: Map<string, { readonly outcome: string; readonly atMs: number }>;
  /** The users whom the shop erases or has erased. */
  readonly erasures: Map<string, Erasure>;
  readonly errors: {
    readonly atMs: number;
    readonly by: string;
    readonly message: string;
  }[];
  /** The requests whose policy returned when the store already knew an order or an announcement of the checkout. */
  readonly knownAfterPolicy: WeakSet<Request>;
  /** Is called when an instance begins to record a later state of an order. */
  onAdvance: (orderId: string) => void;
  /** When which instance has read the order list up to the present. */
  readonly syncs: { readonly atMs: number; readonly by: WorldProcess }[];
  /** The last state of each order that an instance has begun to record, by order ID. */
  readonly states: Map<string, string>;
  /** When the faults have ended: at `plan.activeMs`, or with the last freeze, crash or boot if that is later. */
  faultsEndMs: number;
  /** When all machines last woke up. Requests that were pending at that time fail. */
  wokeAtMs: number;
}

export const createJournal = ({ activeMs }: Plan): Journal => ({
  signed: [],
  webhooks: [],
  calls: [],
  bookings: new Map(),
  failedDeliveries: new Map(),
  handling: new Map(),
  uncommitted: new Map(),
  acknowledged: new Map(),
  replays: new Map(),
  granters: new Map(),
  opened: new Set(),
  leases: new Map(),
  unconfirmed: new Set(),
  noted: new Set(),
  resolutions: new Map(),
  erasures: new Map(),
  errors: [],
  knownAfterPolicy: new WeakSet(),
  syncs: [],
  onAdvance() {},
  states: new Map(),
  faultsEndMs: activeMs,
  wokeAtMs: 0,
});

/** Returns whether the shop has begun to erase the user of a checkout. */
export const isUserErased = (
  { signed, erasures }: Journal,
  reference: string | undefined,
): boolean =>
  signed.some((checkout) => checkout.reference === reference && erasures.has(checkout.user));

/** Returns a copy of a store that writes down what the store has confirmed. */
export function observeStore(
  store: OrderStore,
  process: WorldProcess,
  journal: Journal,
  { database, slowDatabase }: Plan,
): OrderStore {
  const { world } = process;
  const hasFaults = database > 0 || slowDatabase > 0;
  const ifAlive = <T>(value: T): T | Promise<T> =>
    process.isDead ? new Promise<T>(() => {}) : value;
  return {
    ...store,
    withSyncLease: (sync) =>
      store.withSyncLease(async (hasLease) => {
        for (const [other, lease] of journal.leases) {
          if (other.isDead || other === process) continue;
          // A suspended machine cannot know that another instance took its lease.
          if (other.suspendedMs > 0 || process.suspendedMs > 0) continue;
          // An instance that loses its lease reads on, and delivers nothing.
          // It may also have frozen between getting its lease and beginning its sync.
          const isExcused =
            hasFaults ||
            other.frozenUntilMs >= lease.fromMs ||
            process.frozenUntilMs > world.nowMs - 20_000;
          if (!isExcused || (lease.hasLease() && hasLease()))
            world.violate('lease-shared', `${process.name} got the lease of ${other.name}`);
        }
        journal.leases.set(process, { fromMs: world.nowMs, hasLease, hasRead: false });
        try {
          return await sync(hasLease);
        } finally {
          journal.leases.delete(process);
        }
      }),
    markUnconfirmed(references) {
      for (const reference of references) journal.unconfirmed.add(reference);
      return store.markUnconfirmed(references);
    },
    recordOrders(orders, ...rest) {
      for (const { orderId, state } of orders) {
        const hasAdvanced = (journal.states.get(orderId) ?? state) !== state;
        journal.states.set(orderId, state);
        if (hasAdvanced) journal.onAdvance(orderId);
      }
      return store.recordOrders(orders, ...rest);
    },
    async handleChange(pending, handle) {
      journal.uncommitted.delete(process);
      const isHandled = await store.handleChange(pending, async (change, ...rest) => {
        journal.handling.set(process, change);
        const { key } = change;
        const isSecond = key.includes(':unknown:');
        const { orderId, state, orderStatus } = change.record.order;
        if (key !== `${orderId}:${state}${isSecond ? `:${orderStatus}` : ''}`)
          world.violate('key', `${key} does not name ${orderId} in the state ${state}`);
        return handle(change, ...rest);
      });
      const done = journal.uncommitted.get(process);
      journal.uncommitted.delete(process);
      if (isHandled && done) {
        if (!journal.bookings.has(done.key)) journal.bookings.set(done.key, done.booking);
        journal.acknowledged.set(done.key, process);
      }
      return ifAlive(isHandled);
    },
    async saveCheckout(checkout) {
      await store.saveCheckout(checkout);
      journal.granters.set(checkout.reference, process);
      return ifAlive(undefined);
    },
    async markOpened(reference, now) {
      await store.markOpened(reference, now);
      journal.opened.add(reference);
      return ifAlive(undefined);
    },
    async claimReplay(hash, ...rest) {
      const isNew = await store.claimReplay(hash, ...rest);
      const wasNew = journal.replays.get(hash) === true;
      if (isNew && wasNew) world.violate('replay-new', hash);
      journal.replays.set(hash, isNew || wasNew);
      return ifAlive(isNew);
    },
    async writeSyncState(next) {
      const before = getWatermark(parseSyncState((await store.readSyncState()).state));
      const isWritten = await store.writeSyncState(next);
      const watermark = getWatermark(parseSyncState(next.state));
      if (isWritten && watermark !== before) journal.syncs.push({ atMs: world.nowMs, by: process });
      world.tell(
        `${process.name} ${isWritten ? 'stores' : 'cannot store'} its sync, read up to ${watermark}`,
      );
      return ifAlive(isWritten);
    },
  };
}

/** Returns a copy of an API client that compares each complete reading of the order list with the service. */
export function observeApi(
  api: PartnerApi,
  process: WorldProcess,
  service: Service,
  journal: Journal,
): PartnerApi {
  const { world } = process;
  return {
    ...api,
    readOrders(range, options) {
      process.readings++;
      return api.readOrders(range, options);
    },
    async *eachOrder(range, options) {
      process.readings++;
      const fromMs = world.nowMs;
      const listed = new Set<string>();
      for await (const order of api.eachOrder(range, options)) {
        listed.add(order.orderId);
        yield order;
      }
      const sync = journal.leases.get(process);
      if (sync) sync.hasRead = true;
      for (const id of service.findListed(range, fromMs))
        if (!listed.has(id)) world.violate('reading-incomplete', `${process.name} missed ${id}`);
    },
  };
}
