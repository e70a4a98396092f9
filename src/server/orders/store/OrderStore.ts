import type { Order } from '../../../protocol/api/resources.js';
import type { CheckoutSelection } from '../../../protocol/handler/selection.js';
import type { Widget } from '../../../protocol/widget/widgetParameters.js';
import type { OrderHistory } from '../outcomes.js';
import { type MatchStatus, type OrderRecord, toChangeKey } from './OrderRecord.js';

/**
 * A store of checkouts, orders, deliveries, sync state and webhooks: everything that the handler and the syncs need.
 * `sqlOrderStore` implements it for PostgreSQL and SQLite, and adds support, search and erasure. A promise resolves
 * only when its change is durable. All times are Unix seconds, all amounts are decimal strings.
 *
 * `Transaction` is what `deliver` and `review` write your own rows with: a Kysely instance for `sqlOrderStore`, and
 * undefined for a store without transactions.
 */
export interface OrderStore<Transaction = unknown> {
  /**
   * Creates or updates what the store needs, such as tables. Called before the first sync of a process, never in a
   * shopper's request.
   */
  migrate?(): Promise<void>;

  // Checkouts

  /** Stores a new checkout. Rejects if its reference is already taken. */
  saveCheckout(checkout: Checkout): Promise<void>;
  /**
   * Returns the checkout with this reference, or undefined if it does not exist. With `subject`, it returns only a
   * checkout of that subject. The store must compare the subject before it reads orders, so that the time the call
   * takes does not reveal to a stranger whether the checkout has orders.
   */
  findCheckout(
    reference: string,
    owner?: { readonly subject?: string | undefined },
  ): Promise<CheckoutRecord | undefined>;
  /**
   * Reads what a page watches: the newest opened checkouts of a subject, and the checkouts with given references,
   * opened or not. Every waiting page calls it every few seconds, so a store should need one indexed query.
   *
   * As in `findCheckout`, the store must compare the subject before it reads orders.
   */
  listCheckouts(query: CheckoutsQuery): Promise<CheckoutsResult>;
  /** Records when a checkout was opened. Only the first call for a checkout has an effect. */
  markOpened(reference: string, at: number): Promise<void>;
  /**
   * Stores the hash of a verified webhook until `keepUntil`, and records that the webhook announced an order of the
   * checkout `announced`, which also counts as opening it. Only the first announcement of a checkout has an effect.
   *
   * Both happen in one transaction, so that a webhook whose announcement failed does not count as a replay when it is
   * sent again. A webhook with a known hash still announces its order, because the hash may not cover the body: two
   * webhooks with the same second and nonce then share a hash.
   *
   * @returns True if the hash is new. Of several concurrent calls with the same hash, exactly one resolves with true.
   */
  claimReplay(
    hash: string,
    keepUntil: number,
    now: number,
    announced?: string | undefined,
  ): Promise<boolean>;
  /**
   * Lists the references of checkouts whose order was announced at or after `since`, oldest first. Leaves out checkouts
   * that have an outcome, or whose order is already recorded.
   */
  listAnnouncedOrders(since: number, limit: number): Promise<readonly string[]>;
  /** Records the outcome `unconfirmed` for these checkouts, unless they have an outcome or a matched order. */
  markUnconfirmed(references: readonly string[]): Promise<void>;
  /**
   * Records the outcome `expired` for each checkout that expired by `now` without a matched order. Returns the number
   * of these checkouts.
   */
  expireCheckouts(now: number): Promise<number>;

  // Orders

  /**
   * Records one page of the order list atomically. If an order is new, has advanced, has a status that this package
   * does not know, or was unmatched and has a checkout now, it is matched with the checkouts (see `OrderMatch`), and
   * its record and a pending change are added. Other orders are ignored. A checkout with an order, even a quarantined
   * one, counts as opened.
   *
   * @returns The number of changes.
   */
  recordOrders(orders: readonly Order[], at: number): Promise<number>;

  // Deliveries

  /**
   * Lists the due changes: first the untried ones, oldest first, then the failed ones by due time. A change that is
   * postponed by more than `MAX_BACKOFF_SECONDS` from now is due as well, because it was postponed while the clock was
   * ahead.
   */
  listPendingChanges(now: number, limit: number): Promise<readonly PendingChange[]>;
  /**
   * Handles a change in one transaction: calls `handle` with the change as it is now and with its order's history,
   * stores what `handle` resolves with, and removes the change. If `handle` rejects, nothing is stored, not even what
   * it wrote with the transaction.
   *
   * While `handle` runs, no other instance may handle this order.
   *
   * @param change - The change to handle, identified by its key and its order.
   * @returns False if the change no longer exists.
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

  // Syncs

  /**
   * Records the partner and the environment of the store, unless they are recorded already. Returns what is recorded.
   */
  claimPartner(partner: StorePartner): Promise<StorePartner>;
  /** Returns the state of the syncs, and its revision. */
  readSyncState(): Promise<StoredSyncState>;
  /**
   * Replaces the state if the stored revision is `revision`, and increments the revision.
   *
   * @returns False if another process has written the state first. Then nothing is changed.
   */
  writeSyncState(next: StoredSyncState): Promise<boolean>;
  /**
   * Returns the work that may be waiting for a sync. It is called before each sync and about once a minute, so use one
   * query.
   */
  findWork(query: SyncWorkQuery): Promise<SyncWork>;
  /**
   * Runs a sync, unless one is running on any instance. Resolves with true if it ran. The sync is called with
   * `hasLease`, which returns false once this instance was frozen or disconnected for so long that another instance may
   * hold the lease.
   */
  withSyncLease(sync: (hasLease: () => boolean) => Promise<void>): Promise<boolean>;
  /** Deletes the checkouts without an order, and the hashes of webhooks, that are older than these limits. */
  purge(limits: PurgeLimits): Promise<void>;
}

/** The part of an {@link OrderStore} that the handler uses. */
export type HandlerStore = Pick<
  OrderStore,
  | 'saveCheckout'
  | 'findCheckout'
  | 'listCheckouts'
  | 'markOpened'
  | 'claimReplay'
  | 'recordOrders'
  | 'readSyncState'
  | 'claimPartner'
>;

/** The terms of a granted checkout: stored before the widget opens, and compared with its orders later. */
export interface Checkout {
  /** 128 random bits, base64url. The order returns it in `ext`. */
  readonly reference: string;
  readonly widget: Widget;
  /** The partner's id of the user or session that owns the checkout. */
  readonly subject: string;
  /** The parameters that the policy granted, without timestamp, nonce and signature. */
  readonly params: Readonly<Record<string, string>>;
  /** The parameters that the page proposed. The policy receives them again when the checkout is continued. */
  readonly proposal?: Readonly<Record<string, string>> | undefined;
  /** What the shopper had selected on the page. The policy receives it again when the checkout is continued. */
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
export interface CheckoutRecord extends Checkout {
  readonly outcome?: CheckoutOutcome | undefined;
  /**
   * When the page reported that it opened the checkout, or one of its orders was announced or recorded, Unix seconds.
   */
  readonly openedAt?: number | undefined;
  /**
   * When a verified webhook announced an order of the checkout, Unix seconds. From then on the checkout is not signed
   * again, its progress is `unconfirmed` instead of `waiting`, and for a day trackers keep polling until an order is
   * recorded. The body of a webhook may be unsigned, so nothing is delivered because of it. If a sync does not find the
   * order, `outcome` becomes `unconfirmed`.
   */
  readonly announcedAt?: number | undefined;
  /** Oldest first. */
  readonly orders: readonly OrderRecord[];
}

/** What {@link OrderStore.listCheckouts} reads. */
export interface CheckoutsQuery {
  /** The owner of the checkouts. Without it, `references` are those of any subject, and `limit` must be 0. */
  readonly subject?: string | undefined;
  /** The references of the checkouts to read, without duplicates. */
  readonly references?: readonly string[] | undefined;
  /** How many of the newest opened checkouts to list. */
  readonly limit: number;
  /** The last checkout on the list's previous page. */
  readonly before?: CheckoutCursor | undefined;
}

/** Checkouts with their orders. */
export interface CheckoutsResult {
  /**
   * The newest opened checkouts, newest first; those of the same second are sorted by reference. Unopened checkouts are
   * left out, because resting the pointer on a button already creates one.
   */
  readonly newest: readonly CheckoutRecord[];
  /** The checkouts of `references` that exist and belong to the subject, in any order. */
  readonly named: readonly CheckoutRecord[];
}

/** The position of a checkout in `listCheckouts`. The next page begins after it. */
export type CheckoutCursor = Pick<Checkout, 'createdAt' | 'reference'>;

/** Compares two checkouts, newest first. Checkouts of the same second are sorted by reference. */
export const compareNewestFirst = (a: CheckoutCursor, b: CheckoutCursor): number =>
  b.createdAt - a.createdAt ||
  Number(a.reference < b.reference) - Number(b.reference < a.reference);

/** The type of a change for one match status, so that a check of `matchStatus` also narrows `record` and `checkout`. */
interface ChangeOf<Status extends MatchStatus> {
  /** Identifies the order and its state, and is the same at each delivery of the change. */
  readonly key: string;
  /** The match status of the record. Only a `matched` order is delivered. */
  readonly matchStatus: Status;
  /** The order in its new state, and its match. */
  readonly record: Extract<OrderRecord, { readonly matchStatus: Status }>;
  /** The number of failed deliveries since the change was recorded, or since `retryUndelivered`. */
  readonly tries: number;
}

/**
 * A change of an order that neither `deliver` nor `review` has handled yet, with the order's checkout unless the order
 * is unmatched.
 */
export type PendingChange =
  | (ChangeOf<'matched'> & { readonly checkout: Checkout })
  | (ChangeOf<'unknown'> & { readonly checkout: Checkout })
  | (ChangeOf<'quarantined'> & { readonly checkout: Checkout })
  | (ChangeOf<'unmatched'> & { readonly checkout?: undefined });

/**
 * Creates the pending change for a record. `checkout` is undefined only for an unmatched order, because the checkout of
 * any other order is never purged.
 */
export const toPendingChange = (
  record: OrderRecord,
  checkout: Checkout | undefined,
  tries: number,
): PendingChange => {
  const { matchStatus } = record;
  const known = matchStatus !== 'unmatched' && checkout && { checkout };
  return { key: toChangeKey(record), matchStatus, record, tries, ...known } as PendingChange;
};

/** The longest backoff. A change that is postponed by more was postponed while the clock was ahead. */
export const MAX_BACKOFF_SECONDS = 3600;

/** The partner to whom the checkouts and orders of a store belong. */
export interface StorePartner {
  readonly partnerId: string | undefined;
  /** The host of the partner API, which differs between test and production. */
  readonly environment: string | undefined;
}

/** What one sync hands on to the next. */
export interface StoredSyncState {
  /** Increases with each write. */
  readonly revision: number;
  /** Text of at most 4 KB, whose format only the tracker knows. Undefined before the first sync. */
  readonly state: string | undefined;
}

/** The work that may be waiting for a sync. Times are Unix seconds, absent if there is nothing of their kind. */
export interface SyncWork {
  /** When the newest checkout was created. */
  readonly newestCheckoutAt?: number | undefined;
  /** Whether any checkout may still be matched, that is, has no matched order and is not recorded as `expired`. */
  readonly hasOpenCheckouts: boolean;
  /** When the newest unrecorded order was announced. */
  readonly announcedAt?: number | undefined;
  /** When the first undelivered change is due. */
  readonly nextDeliveryAt?: number | undefined;
  /** The earliest finish time of the NFT orders that await settlement. */
  readonly unsettledSince?: number | undefined;
}

/** What {@link OrderStore.purge} deletes, Unix seconds. */
export interface PurgeLimits {
  /** Checkouts that expired before this time without an order. */
  readonly before: number;
  /** Checkouts that expired before this time and were never opened. */
  readonly unopenedBefore: number;
  /** Hashes of webhooks whose `keepUntil` is before this time. */
  readonly replaysBefore: number;
}

/** How far back {@link OrderStore.findWork} looks, Unix seconds. */
export interface SyncWorkQuery {
  readonly announcedSince: number;
  readonly unsettledSince: number;
}
