import type { Order } from '../../protocol/api/resources.js';
import type { Widget } from '../../protocol/widget/WidgetParameter.js';
import type { OrderRecord } from './OrderRecord.js';

/** What a checkout was granted: written before the widget opens, compared with the order later. */
export interface CheckoutIntent {
  /** 128 random bits, base64url; the order brings it back in `ext`. */
  readonly reference: string;
  readonly widget: Widget;
  /** Who it was granted to, in the partner's own terms (a user or session id). */
  readonly subject: string;
  /** The parameters that the policy granted, without timestamp, nonce and signature. */
  readonly params: Readonly<Record<string, string>>;
  /** What the page proposed. The policy is called with it again when the checkout is continued. */
  readonly proposal?: Readonly<Record<string, string>>;
  /** The fiat amount the order must have, a decimal string. */
  readonly expectedAmount?: string;
  /** The fiat currency the order must have. */
  readonly expectedFiatCurrency?: string;
  /** The partner's own data: JSON. */
  readonly metadata?: unknown;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Unix seconds. An order may still come later. */
  readonly expiresAt: number;
}

/** Remembers which webhooks were verified. */
export interface ReplayStore {
  /**
   * Keeps the hash of a text until `keepUntil`. Answers whether it is new: of several who ask at once,
   * one is told so. Times are Unix seconds.
   */
  claimReplay(hash: string, keepUntil: number, now: number): Promise<boolean>;
}

/** Where a checkout stands beside its orders. It only moves forward, in this order. */
export type CheckoutOutcome = 'unconfirmed' | 'expired';

/** One entry of the log: an order was recorded, or a checkout was marked. */
export interface OrderEvent {
  /** Rises with each entry; there may be gaps. */
  readonly id: number;
  /** Unix seconds. */
  readonly at: number;
  /** None for a unmatched order. */
  readonly reference?: string;
  readonly record?: OrderRecord;
  readonly outcome?: CheckoutOutcome;
}

/** A change of an order that the partner has not taken yet. */
export interface PendingChange {
  /** Of this order and this state: whoever has seen it does nothing again. */
  readonly key: string;
  readonly record: OrderRecord;
  readonly intent?: CheckoutIntent;
  /** How often it was tried. */
  readonly tries: number;
}

/** The longest time for which a change is postponed. */
export const MAX_BACKOFF_SECONDS = 3600;

/** A checkout and all that is known of it. */
export interface CheckoutRecord {
  readonly intent: CheckoutIntent;
  readonly outcome?: CheckoutOutcome;
  /** When its state was first requested or its order announced, Unix seconds. */
  readonly openedAt?: number;
  /** Oldest first. */
  readonly orders: readonly OrderRecord[];
}

/** Where a record stands among the newest: what a page of them is continued from. */
export interface OrderCursor {
  readonly changedAt: number;
  readonly order: Pick<Order, 'orderId'>;
}

/**
 * Where intents, orders and what became of them are kept. A store answers only once what it was given
 * is safe. All times are Unix seconds, all amounts are text.
 */
export interface OrderStore extends ReplayStore {
  /** Keeps a new intent. Rejects when its reference is taken. */
  saveIntent(intent: CheckoutIntent): Promise<void>;
  /** The checkout with this reference, until it is purged. */
  findCheckout(reference: string): Promise<CheckoutRecord | undefined>;

  /**
   * Records what was listed, all of it or nothing: each order as `matchOrder` has it, an entry in the log
   * and a pending change for each that is new or has moved. The others are left alone.
   *
   * @returns How many were new or had moved.
   */
  recordOrders(orders: readonly Order[], at: number): Promise<number>;
  /** Marks a checkout that has no order, with an entry in the log. A outcome never goes back. */
  recordOutcome(reference: string, outcome: CheckoutOutcome, at: number): Promise<void>;
  /** Records that a checkout was opened, unless that is known already. */
  markOpened(reference: string, at: number): Promise<void>;
  /** Marks as expired whatever expired before `now` without an order. Answers how many. */
  expireCheckouts(now: number): Promise<number>;
  /** Whether a checkout is open: neither expired nor matched with an order. */
  hasOpenCheckouts(now: number): Promise<boolean>;
  /** When the oldest NFT order finished, since then, that is not settled. */
  findOldestUnsettled(since: number): Promise<number | undefined>;

  /** Entries of the log after `id`, oldest first. */
  listEventsAfter(id: number, limit: number): Promise<readonly OrderEvent[]>;
  /** The newest entry, 0 when there is none. */
  lastEventId(): Promise<number>;

  /**
   * Changes that are due: oldest first, and after them those that failed, as they came due. A change that
   * is postponed for longer than `MAX_BACKOFF_SECONDS` is due: the clock was ahead when it failed.
   */
  listPendingChanges(now: number, limit: number): Promise<readonly PendingChange[]>;
  /** The partner has taken these. */
  acknowledgeChanges(keys: readonly string[]): Promise<void>;
  /** It failed: not before `notBefore` again. */
  postponeChange(key: string, notBefore: number): Promise<void>;

  /** Until when all orders have been recorded; nothing before the first sync. */
  readWatermark(): Promise<number | undefined>;
  writeWatermark(to: number): Promise<void>;
  /**
   * Runs a sync unless one is running, on any instance. Resolves with whether it ran. `hasLease` returns
   * false once another instance may have taken over, as this one was frozen or cut off for long.
   */
  withSyncLease(sync: (hasLease: () => boolean) => Promise<void>): Promise<boolean>;

  /** The newest records, for an operator; `before` is the last one of the page before, or its place. */
  listOrders(query: {
    readonly matchStatus?: OrderRecord['matchStatus'];
    readonly before?: OrderCursor;
    readonly limit: number;
  }): Promise<readonly OrderRecord[]>;
  /**
   * Deletes checkouts without an order that expired before `before`, or before `unopenedBefore` if they
   * were never opened, and log entries and replays from before `before`.
   *
   * @param unopenedBefore - `before` by default.
   */
  purge(before: number, unopenedBefore?: number): Promise<void>;
}
