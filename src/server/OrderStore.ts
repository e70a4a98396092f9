import type { Order } from '../protocol/resources.js';
import type { Widget } from '../protocol/widget-parameter.js';
import type { OrderRecord } from './orders/OrderRecord.js';

/** What a checkout was granted: written before the widget opens, compared with the order later. */
export interface CheckoutIntent {
  /** 128 random bits, base64url; the order brings it back in `ext`. */
  readonly reference: string;
  readonly widget: Widget;
  /** Who it was granted to, in the partner's own terms (a user or session id). */
  readonly subject: string;
  /** The parameters that the policy granted, without timestamp, nonce and signature. */
  readonly params: Readonly<Record<string, string>>;
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
export interface ReplayMemory {
  /**
   * Keeps the hash of a text until `keepUntil`. Answers whether it is new: of several who ask at once,
   * one is told so. Times are Unix seconds.
   */
  rememberReplay(hash: string, keepUntil: number, now: number): Promise<boolean>;
}

/** Where a checkout stands beside its orders. It only moves forward, in this order. */
export type CheckoutMark = 'unconfirmed' | 'expired';

/** One entry of the log: an order was recorded, or a checkout was marked. */
export interface OrderEvent {
  /** Rises with each entry; there may be gaps. */
  readonly id: number;
  /** Unix seconds. */
  readonly at: number;
  /** None for a foreign order. */
  readonly reference?: string;
  readonly record?: OrderRecord;
  readonly mark?: CheckoutMark;
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

/** A checkout and all that is known of it. */
export interface CheckoutRecord {
  readonly intent: CheckoutIntent;
  readonly mark?: CheckoutMark;
  /** Oldest first. */
  readonly orders: readonly OrderRecord[];
}

/**
 * Where intents, orders and what became of them are kept. A store answers only once what it was given
 * is safe. All times are Unix seconds, all amounts are text.
 */
export interface OrderStore extends ReplayMemory {
  /** Keeps a new intent. Rejects when its reference is taken. */
  saveIntent(intent: CheckoutIntent): Promise<void>;
  /** The checkout with this reference, until it is purged. */
  findCheckout(reference: string): Promise<CheckoutRecord | undefined>;

  /**
   * Records what was listed, all of it or nothing: each order as `judgeOrder` has it, an entry in the log
   * and a pending change for each that is new or has moved. The others are left alone.
   *
   * @returns How many were new or had moved.
   */
  recordOrders(orders: readonly Order[], at: number): Promise<number>;
  /** Marks a checkout that has no order, with an entry in the log. A mark never goes back. */
  markCheckout(reference: string, mark: CheckoutMark, at: number): Promise<void>;
  /** Marks as expired whatever expired before `now` without an order. Answers how many. */
  expireCheckouts(now: number): Promise<number>;
  /** Whether a checkout is open: neither expired nor matched with an order. */
  hasOpenCheckouts(now: number): Promise<boolean>;
  /** When the oldest NFT order finished, since then, that is not settled. */
  oldestUnsettled(since: number): Promise<number | undefined>;

  /** Entries of the log after `id`, oldest first. */
  eventsAfter(id: number, limit: number): Promise<readonly OrderEvent[]>;
  /** The newest entry, 0 when there is none. */
  lastEventId(): Promise<number>;

  /** Changes that are due: oldest first, and after them those that failed, as they came due. */
  pendingChanges(now: number, limit: number): Promise<readonly PendingChange[]>;
  /** The partner has taken these. */
  settleChanges(keys: readonly string[]): Promise<void>;
  /** It failed: not before `notBefore` again. */
  postponeChange(key: string, notBefore: number): Promise<void>;

  /** Until when all orders have been recorded; nothing before the first sweep. */
  readWatermark(): Promise<number | undefined>;
  moveWatermark(to: number): Promise<void>;
  /** Runs a sweep unless one is running, on any instance. Answers whether it ran. */
  runAlone(sweep: () => Promise<void>): Promise<boolean>;

  /** The newest records, for an operator; `before` is the last one of the page before. */
  listOrders(query: {
    readonly standing?: OrderRecord['standing'];
    readonly before?: OrderRecord;
    readonly limit: number;
  }): Promise<readonly OrderRecord[]>;
  /** Forgets checkouts that expired before `before` and have no order, log entries and replays as old. */
  purge(before: number): Promise<void>;
}
