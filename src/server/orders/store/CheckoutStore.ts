import type { Widget } from '../../../protocol/widget/widgetParameters.js';
import type { OrderRecord } from './OrderRecord.js';

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

/** The outcome of a checkout without an order. It only advances from `unconfirmed` to `expired`. */
export type CheckoutOutcome = 'unconfirmed' | 'expired';

/** A checkout with its outcome and its orders. */
export interface CheckoutRecord {
  readonly intent: CheckoutIntent;
  readonly outcome?: CheckoutOutcome | undefined;
  /** When its state was first requested or its order announced, Unix seconds. */
  readonly openedAt?: number | undefined;
  /**
   * When a verified webhook announced an order of it, Unix seconds. Shoppers do not see it, because the body of
   * a webhook is not signed. It stops signing, and keeps the trackers polling until an order is recorded.
   */
  readonly announcedAt?: number | undefined;
  /** Oldest first. */
  readonly orders: readonly OrderRecord[];
}

/**
 * The part of an {@link OrderStore} that stores checkouts: their intents, when they were opened, and their
 * outcomes. All times are Unix seconds. A promise resolves only when its change is durable.
 */
export interface CheckoutStore {
  /** Stores a new intent. Rejects when a checkout with its reference exists. */
  saveIntent(intent: CheckoutIntent): Promise<void>;
  /**
   * Returns the checkout with this reference, until it is purged. With `subject` it returns only a checkout of
   * this subject, and decides before it reads orders, so that the duration does not depend on them for a stranger.
   */
  findCheckout(
    reference: string,
    owner?: { readonly subject?: string | undefined },
  ): Promise<CheckoutRecord | undefined>;
  /** Records when a checkout was opened. Ignores later calls. */
  markOpened(reference: string, at: number): Promise<void>;
  /**
   * Records that an order of a checkout was announced; the checkout counts as opened from then on. Ignores later
   * calls, and an unknown checkout.
   */
  announceOrder(reference: string, at: number): Promise<void>;
  /** Returns whether an order that was announced at or after `since` is not recorded yet. */
  hasAnnouncedOrders(since: number): Promise<boolean>;
  /**
   * Lists the references of checkouts without an outcome whose order was announced at or after `since` and is not
   * recorded yet, oldest first.
   */
  listAnnouncedOrders(since: number, limit: number): Promise<readonly string[]>;
  /**
   * Records the outcome of a checkout, and adds an entry to the log. Ignores an outcome that does not advance,
   * and a checkout with a matched order.
   */
  recordOutcome(reference: string, outcome: CheckoutOutcome, at: number): Promise<void>;
  /** Records the outcome `expired` for each checkout that expired by `now` without an order. Returns their number. */
  expireCheckouts(now: number): Promise<number>;
  /** Returns whether a checkout is open: it has not expired, and no order has matched it. */
  hasOpenCheckouts(now: number): Promise<boolean>;
}
