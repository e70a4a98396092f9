import type { Order } from '../../../protocol/api/resources.js';
import type { OrderResolution } from '../../../protocol/handler/CheckoutResponse.js';
import type { CheckoutSelection } from '../../../protocol/handler/selection.js';
import type { Widget } from '../../../protocol/widget/widgetParameters.js';
import type { OrderHistory } from '../outcomes.js';
import type { EraseOptions, ErasureResult } from './erasure.js';
import { type MatchStatus, type OrderRecord, toChangeKey } from './OrderRecord.js';

/**
 * A store of checkouts, orders, deliveries, sync state and replays. A promise resolves only when its change
 * is durable. All times are Unix seconds, all amounts are decimal strings.
 *
 * `Transaction` is what `deliver` and `review` write your own rows with: a Kysely instance for `sqlOrderStore`, and
 * undefined for a store that has none.
 */
export interface OrderStore<Transaction = unknown>
  extends CheckoutStore,
    OrderRecordStore,
    DeliveryStore<Transaction>,
    SyncStateStore,
    ReplayStore,
    SupportStore {
  /**
   * Creates or updates what the store needs, such as tables. Is called before the first sync of a process, never in a
   * request of a shopper.
   */
  migrate?(): Promise<void>;
  /**
   * Deletes old data: checkouts that expired before `before` without an order (before `unopenedBefore` if they were
   * never opened), log entries older than `before`, and replays that were to be kept until `expired`. Also finishes what
   * `eraseSubject` has begun.
   *
   * @param before - Unix seconds.
   * @param unopenedBefore - Unix seconds, `before` by default.
   * @param expired - Unix seconds, `before` by default.
   */
  purge(before: number, unopenedBefore?: number, expired?: number): Promise<void>;
  /**
   * Erases the data of a subject. Call it only in your backend, after you have ended the sessions of this user: a
   * checkout that is granted later is not erased.
   *
   * Checkouts without a reason to stay (`KeptReason`) immediately lose their subject, parameters, proposal, selection,
   * metadata and the log entries of their orders. Of each order, only the ID, the state, amounts and times remain, so
   * that it is never recorded or delivered again. Other checkouts are returned in `kept`. They are not signed again, and
   * `purge` erases them when the reason has ended, unless `openCases` or `keepOrders` keeps them. You may call this
   * method any number of times. Orders that match no checkout have no subject, so they are not found.
   *
   * @throws RampError `ERR_CONFIG_INVALID` when the subject is not text, or an option is malformed.
   * @example
   * const { erased, kept } = await store.eraseSubject(user.id, { keepOrders: true });
   */
  eraseSubject(subject: string, options?: EraseOptions): Promise<ErasureResult>;
}

/** The part of an {@link OrderStore} that the handler uses. */
export interface HandlerStore
  extends Pick<
      CheckoutStore,
      'saveIntent' | 'findCheckout' | 'listCheckouts' | 'markOpened' | 'announceOrder'
    >,
    Pick<OrderRecordStore, 'recordOrders'>,
    Pick<SyncStateStore, 'readSyncState' | 'claimPartner'>,
    ReplayStore {}

/** The part of an {@link OrderStore} that the tracker uses: all but replays, support and `eraseSubject`. */
export interface TrackerStore<Transaction = unknown>
  extends CheckoutStore,
    OrderRecordStore,
    DeliveryStore<Transaction>,
    SyncStateStore,
    Pick<OrderStore, 'purge' | 'migrate'> {}

/** The terms of a granted checkout: stored before the widget opens, and compared with its orders later. */
export interface CheckoutIntent {
  /** 128 random bits, base64url. The order returns it in `ext`. */
  readonly reference: string;
  readonly widget: Widget;
  /** The partner's id of the user or session that owns the checkout. */
  readonly subject: string;
  /** The parameters that the policy granted, without timestamp, nonce and signature. */
  readonly params: Readonly<Record<string, string>>;
  /** The parameters that the page proposed. The policy is called with them again when the checkout is continued. */
  readonly proposal?: Readonly<Record<string, string>> | undefined;
  /** What the shopper had selected on the page. The policy is called with it again, too. */
  readonly selection?: CheckoutSelection | undefined;
  /** The fiat amount that the order must have, a decimal string. */
  readonly expectedAmount?: string | undefined;
  /** The fiat currency that the order must have. */
  readonly expectedFiatCurrency?: string | undefined;
  /** The partner's data: any JSON value. */
  readonly metadata?: unknown;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Unix seconds. An order may still arrive later. */
  readonly expiresAt: number;
}

/** The outcome of a checkout without a matched order. It may change from `unconfirmed` to `expired`, but never back. */
export type CheckoutOutcome = 'unconfirmed' | 'expired';

/** A stored checkout. Its orders take precedence over `outcome`, because an order may arrive after the expiry. */
export interface CheckoutRecord {
  readonly intent: CheckoutIntent;
  readonly outcome?: CheckoutOutcome | undefined;
  /**
   * When the page reported that it opened the checkout, or an order of it was announced or recorded, Unix seconds.
   */
  readonly openedAt?: number | undefined;
  /**
   * When a verified webhook announced an order of the checkout, Unix seconds. From then on the checkout is not signed
   * again, its progress is `unconfirmed` instead of `waiting`, and for a day trackers keep polling until an order is
   * recorded. The body of a webhook may be unsigned, so nothing is delivered because of it. If a sync does not find the
   * order, `outcome` becomes `unconfirmed`.
   */
  readonly announcedAt?: number | undefined;
  /** Set while the checkout waits for a `purge` to erase it. Such a checkout is not signed again. */
  readonly isErasing?: true | undefined;
  /** Oldest first. */
  readonly orders: readonly OrderRecord[];
}

/** What {@link CheckoutStore.listCheckouts} reads. */
export interface CheckoutsQuery {
  /** The owner of the checkouts. Without it, `references` are those of any subject, and `limit` must be 0. */
  readonly subject?: string | undefined;
  /** The references of the checkouts to read, each of them once. */
  readonly references?: readonly string[] | undefined;
  /** How many of the newest opened checkouts to list. */
  readonly limit: number;
  /** The last checkout of the previous page of the list. */
  readonly before?: CheckoutCursor | undefined;
}

/** Checkouts with their orders. */
export interface CheckoutsResult {
  /**
   * The newest opened checkouts, newest first; those of the same second are sorted by reference. A pointer that rests on
   * a button already creates a checkout, so unopened checkouts are left out.
   */
  readonly newest: readonly CheckoutRecord[];
  /** The checkouts of `references` that exist and belong to the subject, in any order. */
  readonly named: readonly CheckoutRecord[];
}

/** The position of a checkout in `listCheckouts`. The next page begins after it. */
export type CheckoutCursor = Pick<CheckoutIntent, 'createdAt' | 'reference'>;

/**
 * Compares two checkouts, newest first. Several may be created in the same second, so then their references decide.
 */
export const compareNewestFirst = (a: CheckoutCursor, b: CheckoutCursor): number =>
  b.createdAt - a.createdAt ||
  Number(a.reference < b.reference) - Number(b.reference < a.reference);

/**
 * The part of an {@link OrderStore} that stores checkouts: their intents, when they were opened, and their
 * outcomes. All times are Unix seconds. A promise resolves only when its change is durable.
 */
export interface CheckoutStore {
  /** Stores a new intent. Rejects when a checkout with its reference exists. */
  saveIntent(intent: CheckoutIntent): Promise<void>;
  /**
   * Returns the checkout with this reference, or undefined if there is none or it was purged or erased. With `subject`,
   * it returns only a checkout of that subject. The store must compare the subject before it reads orders, so that the
   * duration of the call does not tell a stranger whether the checkout has orders.
   */
  findCheckout(
    reference: string,
    owner?: { readonly subject?: string | undefined },
  ): Promise<CheckoutRecord | undefined>;
  /**
   * Reads what a page watches: the newest opened checkouts of a subject, and the checkouts with given references, opened
   * or not. Every waiting page calls it every few seconds, so a store should need one indexed query.
   *
   * As in `findCheckout`, the store must compare the subject before it reads orders.
   */
  listCheckouts(query: CheckoutsQuery): Promise<CheckoutsResult>;
  /** Records when a checkout was opened. Only the first call for a checkout has an effect. */
  markOpened(reference: string, at: number): Promise<void>;
  /**
   * Records that an order of a checkout was announced, which also counts as opening it. Does nothing if an order was
   * announced before, or if there is no such checkout.
   */
  announceOrder(reference: string, at: number): Promise<void>;
  /**
   * Lists the references of checkouts whose order was announced at or after `since`, oldest first. Leaves out checkouts
   * that have an outcome, or whose order is already recorded.
   */
  listAnnouncedOrders(since: number, limit: number): Promise<readonly string[]>;
  /**
   * Records the outcome of a checkout, and adds an entry to the log. Does nothing if the checkout already has this or a
   * later outcome, or has a matched order.
   */
  recordOutcome(reference: string, outcome: CheckoutOutcome, at: number): Promise<void>;
  /**
   * Records the outcome `expired` for each checkout that expired by `now` without a matched order. Returns the number
   * of these checkouts.
   */
  expireCheckouts(now: number): Promise<number>;
}

/** An entry of the log: the record of an order, or the outcome of a checkout. */
export interface OrderEvent {
  /** Increases with each entry. There may be gaps. */
  readonly id: number;
  /** Unix seconds. */
  readonly at: number;
  /** Absent for an unmatched order. */
  readonly reference?: string | undefined;
  /** The record, if the entry is about an order. */
  readonly record?: OrderRecord | undefined;
  /** The outcome, if the entry is about a checkout. */
  readonly outcome?: CheckoutOutcome | undefined;
}

/** The position of a record in `listOrders`. The next page begins after it. */
export interface OrderCursor {
  readonly changedAt: number;
  readonly order: Pick<Order, 'orderId'>;
}

/**
 * The part of an {@link OrderStore} that stores the records of orders and the event log. All times are Unix
 * seconds.
 */
export interface OrderRecordStore {
  /**
   * Records the orders of a page of the order list atomically. If an order is new, has advanced, has a status that this
   * package does not know, or was unmatched and has a checkout now, it is matched with the checkouts (see
   * {@link OrderMatch}), and its record, a log entry and a pending change are added. Other orders are ignored. A
   * checkout with an order, even a quarantined one, counts as opened. If the checkout was erased, a new order is
   * recorded as `erased` only, without a log entry or a change.
   *
   * @returns The number of changes.
   */
  recordOrders(orders: readonly Order[], at: number): Promise<number>;
  /** Lists the newest records, for an operator. `before` is the last record of the previous page. */
  listOrders(query: {
    readonly matchStatus?: MatchStatus | undefined;
    readonly before?: OrderCursor | undefined;
    readonly limit: number;
  }): Promise<readonly OrderRecord[]>;
  /** Lists the entries of the log after `id`, oldest first. */
  listEventsAfter(id: number, limit: number): Promise<readonly OrderEvent[]>;
  /** Returns the id of the newest entry of the log, or 0 before the first entry. */
  lastEventId(): Promise<number>;
}

/** The type of a change for one match status, so that a check of `matchStatus` also narrows `record` and `intent`. */
interface ChangeOf<Status extends MatchStatus> {
  /** Identifies the order and its state, and is the same at each delivery of the change. */
  readonly key: string;
  /** The match status of the record. Deliver the order only if it is `matched`. */
  readonly matchStatus: Status;
  /** The order in its new state, and its match. */
  readonly record: Extract<OrderRecord, { readonly matchStatus: Status }>;
  /** The number of failed deliveries since the change was recorded, or since `retryUndelivered`. */
  readonly tries: number;
}

/**
 * A change of an order that neither `deliver` nor `review` has handled yet. It has the intent of the order, unless the
 * order is unmatched.
 */
export type PendingChange =
  | (ChangeOf<'matched'> & { readonly intent: CheckoutIntent })
  | (ChangeOf<'unknown'> & { readonly intent: CheckoutIntent })
  | (ChangeOf<'quarantined'> & { readonly intent: CheckoutIntent })
  | (ChangeOf<'unmatched'> & { readonly intent?: undefined });

/**
 * Returns the change of a record. `intent` is undefined only for an unmatched order, because the intent of any other
 * order is never purged.
 */
export const toPendingChange = (
  record: OrderRecord,
  intent: CheckoutIntent | undefined,
  tries: number,
): PendingChange => {
  const { matchStatus } = record;
  const known = matchStatus !== 'unmatched' && intent && { intent };
  return { key: toChangeKey(record), matchStatus, record, tries, ...known } as PendingChange;
};

/** The longest backoff. A change that is postponed by more was postponed while the clock was ahead. */
export const MAX_BACKOFF_SECONDS = 3600;

/**
 * The part of an {@link OrderStore} that stores the undelivered changes. All times are Unix seconds.
 */
export interface DeliveryStore<Transaction = unknown> {
  /**
   * Lists the due changes: first the untried ones, oldest first, then the failed ones by due time. A change that is
   * postponed by more than `MAX_BACKOFF_SECONDS` from now is due as well, because it was postponed while the clock was
   * ahead.
   */
  listPendingChanges(now: number, limit: number): Promise<readonly PendingChange[]>;
  /**
   * Handles a change in one transaction: calls `handle` with the change as it is now and with what became of its order
   * so far, stores what `handle` resolves with, and removes the change. If `handle` rejects, nothing is stored, and
   * neither is what it wrote with the transaction.
   *
   * While `handle` runs, no other instance may handle or resolve this order.
   *
   * @param change - The change to handle. Its key and its order say which one.
   * @returns False if there is no such change any more.
   */
  handleChange(
    change: PendingChange,
    handle: (
      change: PendingChange,
      history: OrderHistory,
      transaction: Transaction,
    ) => Promise<OrderHistory>,
  ): Promise<boolean>;
  /** Postpones a change after a failed delivery until `notBefore`, and counts the failure. */
  postponeChange(key: string, notBefore: number): Promise<void>;
}

/** The partner to whom the checkouts and orders of a store belong. */
export interface StorePartner {
  readonly partnerId: string | undefined;
  /** The host of the partner API, which differs between test and production. */
  readonly environment: string | undefined;
}

/** What one sync leaves to the next. */
export interface StoredSyncState {
  /** Increases with each write. */
  readonly revision: number;
  /** Text of at most 4 KB, whose format only the tracker knows. Undefined before the first sync. */
  readonly state: string | undefined;
}

/** What a sync may find to do. Times are Unix seconds, absent if there is nothing. */
export interface SyncWork {
  /** When the newest checkout was created. */
  readonly newestCheckoutAt?: number | undefined;
  /** Whether an order may still match a checkout: it has none, and is not recorded as `expired`. */
  readonly hasOpenCheckouts: boolean;
  /** When the newest order was announced that is not recorded. */
  readonly announcedAt?: number | undefined;
  /** When the first undelivered change is due. */
  readonly nextDeliveryAt?: number | undefined;
  /** The earliest finish time of the NFT orders that await settlement. */
  readonly unsettledSince?: number | undefined;
}

/** How far back {@link SyncStateStore.findWork} looks, Unix seconds. */
export interface SyncWorkQuery {
  readonly announcedSince: number;
  readonly unsettledSince: number;
}

/**
 * The part of an {@link OrderStore} that the syncs of all instances share: their state, what they have to do, and the
 * lease.
 */
export interface SyncStateStore {
  /**
   * Records the partner and the environment of the store, unless they are recorded already. Returns what is recorded.
   */
  claimPartner(partner: StorePartner): Promise<StorePartner>;
  /** Returns the state of the syncs, and its revision. */
  readSyncState(): Promise<StoredSyncState>;
  /**
   * Replaces the state if the stored revision is `revision`, and increases that by one.
   *
   * @returns False if another process has written meanwhile. Then nothing is changed.
   */
  writeSyncState(next: StoredSyncState): Promise<boolean>;
  /** Returns what a sync may find to do. It is called before each sync and about once a minute: use one query. */
  findWork(query: SyncWorkQuery): Promise<SyncWork>;
  /**
   * Runs a sync, unless one is running on any instance. Resolves with true if it ran. The sync is called with
   * `hasLease`, which returns false once this instance was frozen or disconnected for so long that another instance may
   * have the lease.
   */
  withSyncLease(sync: (hasLease: () => boolean) => Promise<void>): Promise<boolean>;
}

/** The part of an {@link OrderStore} that stores the hashes of verified webhooks. */
export interface ReplayStore {
  /**
   * Stores the hash of a webhook until `keepUntil`. Resolves with true if the hash is new. Of several concurrent calls
   * with the same hash, exactly one resolves with true. Times are Unix seconds.
   *
   * @param announced - The reference of the checkout whose order the webhook announces. The same transaction announces
   * that order, as `announceOrder` does, also if the hash is known: the hash does not cover the body, so two webhooks
   * of one second with the same nonce have the same one. If that fails, the hash is not stored either, so the webhook
   * does not count as a replay when it is sent again.
   */
  claimReplay(
    hash: string,
    keepUntil: number,
    now: number,
    announced?: string | undefined,
  ): Promise<boolean>;
}

/** The checkouts and orders that {@link SupportStore.search} found. */
export interface SearchResult {
  readonly checkouts: readonly CheckoutRecord[];
  /** The orders that were found and belong to no checkout, or to an erased one. */
  readonly unmatched: readonly OrderRecord[];
}

/** An entry of {@link SupportStore.listUndelivered}, which also lists changes that are not due yet. */
export type UndeliveredChange = PendingChange & {
  /** The earliest time of the next attempt, Unix seconds. 0 before the first attempt and after `retryUndelivered`. */
  readonly notBefore: number;
};

/** The result of {@link SupportStore.resolveOrder}. */
export interface ResolvedOrder {
  /** When `deliver` had succeeded for the order, Unix seconds. Undefined if it was not delivered. */
  readonly deliveredAt?: number | undefined;
}

/**
 * The part of an {@link OrderStore} for the people who answer "I paid and got nothing", such as an operator page. It
 * reads the checkouts of every subject, so call it only for your own staff. All times are Unix seconds.
 */
export interface SupportStore {
  /**
   * Finds opened checkouts and recorded orders by a reference, an order ID, the buyer's wallet, or the hash of the
   * transaction. The text is the whole value or its beginning, in upper or lower case; `%` and `_` have no special
   * meaning. A whole reference also finds a checkout that was never opened. A checkout is found by its orders too, and
   * comes with all of them.
   *
   * @param query - `limit` is the maximum number of checkouts, and also that of unmatched orders. An empty text finds
   * nothing.
   */
  search(query: { readonly text: string; readonly limit: number }): Promise<SearchResult>;
  /**
   * Lists checkouts of all shoppers that were opened and are not paid, oldest first, for reminders. Leaves out a checkout
   * with any order, one whose order a webhook has announced, and one that is being erased.
   *
   * @param query - `before`: only checkouts that were created before this time, Unix seconds. `after`: the last checkout
   * of the previous page, or `{ createdAt, reference: '' }` to begin at a time.
   * @example
   * // Yesterday's, a hundred at a time.
   * let after: CheckoutCursor = { createdAt: now - 48 * 3600, reference: '' };
   * for (;;) {
   *   const unpaid = await store.listUnpaidCheckouts({ after, before: now - 24 * 3600, limit: 100 });
   *   for (const checkout of unpaid) await remindOnce(checkout.subject, checkout.reference);
   *   const last = unpaid.at(-1);
   *   if (!last) break;
   *   after = last;
   * }
   */
  listUnpaidCheckouts(query: {
    readonly after?: CheckoutCursor | undefined;
    readonly before: number;
    readonly limit: number;
  }): Promise<readonly CheckoutIntent[]>;
  /** Lists the undelivered changes of these orders, oldest first. Without `orderIds`, lists those of all orders. */
  listUndelivered(query: {
    readonly orderIds?: readonly string[] | undefined;
    readonly limit: number;
  }): Promise<readonly UndeliveredChange[]>;
  /**
   * Makes the undelivered changes of these orders due now, as if no delivery had failed, so that the next sync delivers
   * them first. Call it when the cause of the failure is fixed, then `ramp.sync()`.
   *
   * @returns The number of undelivered changes.
   */
  retryUndelivered(orderIds: readonly string[]): Promise<number>;
  /**
   * Records how the shop resolved an order by hand, or takes that back with `null`, and adds an entry to the log, so
   * that open pages of the shopper show it. The resolution stays in the later states of the order.
   *
   * A resolved order is neither delivered nor reviewed, unless the service reports an unknown status for it. The call
   * waits while the order is being delivered, so look at `deliveredAt` of the result before you pay back. With `null`,
   * an order that was not delivered becomes due again.
   *
   * @returns Undefined if there is no such order.
   */
  resolveOrder(
    orderId: string,
    resolution: OrderResolution | null,
    at: number,
  ): Promise<ResolvedOrder | undefined>;
}

const RANK: Readonly<Record<CheckoutOutcome, number>> = { unconfirmed: 1, expired: 2 };

/** Returns whether a checkout can advance to the outcome `next`. It cannot once an order has matched it. */
export const canAdvance = (
  checkout: { readonly outcome: CheckoutOutcome | null | undefined; readonly isMatched: boolean },
  next: CheckoutOutcome,
): boolean => !checkout.isMatched && (!checkout.outcome || RANK[checkout.outcome] < RANK[next]);

/** The limits of a purge, Unix seconds. Only checkouts that expired before them are deleted. */
export interface PurgeLimits {
  readonly before: number;
  /** The limit for checkouts that were never opened. */
  readonly unopenedBefore: number;
}

export const canPurge = (
  checkout: {
    readonly expiresAt: number;
    readonly isOpened: boolean;
    readonly hasOrder: boolean;
  },
  { before, unopenedBefore }: PurgeLimits,
): boolean =>
  !checkout.hasOrder && checkout.expiresAt < (checkout.isOpened ? before : unopenedBefore);
