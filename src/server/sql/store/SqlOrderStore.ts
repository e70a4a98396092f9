import type { Kysely } from 'kysely';
import type { Order } from '../../../protocol/api/resources.js';
import type { OrderResolution } from '../../../protocol/handler/CheckoutResponse.js';
import type { MatchStatus, OrderRecord } from '../../orders/store/OrderRecord.js';
import type {
  Checkout,
  CheckoutCursor,
  CheckoutRecord,
  OrderStore,
  PendingChange,
} from '../../orders/store/OrderStore.js';

/** The checkouts and orders that {@link SqlOrderStore.search} found. */
export interface SearchResult {
  readonly checkouts: readonly CheckoutRecord[];
  /** The orders that were found and belong to no checkout. */
  readonly unmatched: readonly OrderRecord[];
}

/** An entry of {@link SqlOrderStore.listUndelivered}, which also lists changes that are not due yet. */
export type UndeliveredChange = PendingChange & {
  /** The earliest time of the next attempt, Unix seconds. 0 before the first attempt and after `retryUndelivered`. */
  readonly notBefore: number;
};

/** The state in which the operator saw an order, for {@link SqlOrderStore.resolveOrder}. */
export interface ResolveCondition {
  /** The `resolution` of its record. Undefined or null if it had none. */
  readonly resolution: OrderResolution | null | undefined;
  /** Whether `deliver` had succeeded for it. Not compared if absent. */
  readonly isDelivered?: boolean | undefined;
}

/** The result of {@link SqlOrderStore.resolveOrder}. */
export interface ResolvedOrder {
  /** False if `onlyIf` did not hold, so that nothing was changed. */
  readonly isRecorded: boolean;
  /** The resolution that the order has now. Undefined if it has none. */
  readonly resolution?: OrderResolution | undefined;
  /** When `deliver` had succeeded for the order, Unix seconds. Undefined if it was not delivered. */
  readonly deliveredAt?: number | undefined;
}

/** The position of a record in `SqlOrderStore.listOrders`. The next page begins after it. */
export interface OrderCursor {
  readonly changedAt: number;
  readonly order: Pick<Order, 'orderId'>;
}

/** The result of {@link SqlOrderStore.eraseSubject}. */
export interface ErasureResult {
  /** The number of checkouts that this call erased. */
  readonly erased: number;
  /** The checkouts that are still needed, with their data. Empty once everything is erased. */
  readonly open: readonly OpenCheckout[];
}

/** A checkout that `eraseSubject` has kept, because it is not finished. */
export interface OpenCheckout {
  readonly reference: string;
  /** The IDs of its orders, oldest first. */
  readonly orderIds: readonly string[];
}

/**
 * An {@link OrderStore} in PostgreSQL or SQLite, with what your staff needs to answer "I paid and got nothing", for
 * example on an operator page. These methods read the data of every shopper, so call them only for your own staff.
 *
 * `Database` is the type parameter of your Kysely instance, and includes your own tables.
 */
// biome-ignore lint/suspicious/noExplicitAny: code that only reads orders takes the store of any database
export interface SqlOrderStore<Database = any> extends OrderStore<Kysely<Database>> {
  /**
   * Finds opened checkouts and recorded orders by a reference, an order ID, the buyer's wallet, or the hash of the
   * transaction. The text is the whole value or its beginning, in upper or lower case; `%` and `_` have no special
   * meaning. A whole reference also finds a checkout that was never opened. A checkout is also found by its orders, and
   * is returned with all of them.
   *
   * @param query - `limit` is the maximum number of checkouts, and separately of unmatched orders. An empty text finds
   * nothing.
   */
  search(query: { readonly text: string; readonly limit: number }): Promise<SearchResult>;
  /**
   * Lists checkouts of all shoppers that were opened and are not paid, oldest first, for reminders. Leaves out a
   * checkout with any order, and one whose order a webhook has announced.
   *
   * @param query - `before`: only checkouts that were created before this time, Unix seconds. `after`: the last
   * checkout of the previous page, or `{ createdAt, reference: '' }` to begin at a time.
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
  }): Promise<readonly Checkout[]>;
  /** Lists the undelivered changes of these orders, oldest first. Without `orderIds`, lists those of all orders. */
  listUndelivered(query: {
    readonly orderIds?: readonly string[] | undefined;
    readonly limit: number;
  }): Promise<readonly UndeliveredChange[]>;
  /**
   * Makes the undelivered changes of these orders due now, as if no delivery had failed, so that the next sync delivers
   * them first. Once the cause of the failure is fixed, call this, and then `ramp.sync()`.
   *
   * @returns The number of undelivered changes.
   */
  retryUndelivered(orderIds: readonly string[]): Promise<number>;
  /**
   * Records how the shop resolved an order by hand, or withdraws the resolution with `null`. The shopper's pages show
   * the change when they next request the checkout. The order keeps its resolution in later states.
   *
   * A resolved order is neither delivered nor reviewed, unless the service reports an unknown status for it. The call
   * waits while the order is being delivered, so look at the result's `deliveredAt` before you refund. With `null`, an
   * order that was not delivered becomes due again.
   *
   * @param options - `onlyIf` is what the operator saw, compared in the transaction that records the resolution. If it
   * no longer holds, nothing is changed, and the result's `isRecorded` is false. So the first of two operators decides,
   * and an order that has just been delivered is not refunded.
   * @returns Undefined if there is no such order, or it was erased.
   * @example
   * const onlyIf = { resolution: null, isDelivered: false };
   * const result = await store.resolveOrder(orderId, 'refunded', { onlyIf });
   * if (result && !result.isRecorded) console.log('It has changed meanwhile:', result);
   */
  resolveOrder(
    orderId: string,
    resolution: OrderResolution | null,
    options?: { readonly onlyIf?: ResolveCondition | undefined },
  ): Promise<ResolvedOrder | undefined>;
  /** Lists the newest records, for an operator. `before` is the last record of the previous page. */
  listOrders(query: {
    readonly matchStatus?: MatchStatus | undefined;
    readonly before?: OrderCursor | undefined;
    readonly limit: number;
  }): Promise<readonly OrderRecord[]>;
  /**
   * Erases the finished checkouts of a subject: the checkout is deleted, and of each of its orders only the ID, the
   * state, amounts and times remain, so that it is never recorded or delivered again. A checkout that is still needed
   * is kept and returned in `open` (docs/personal-data.md says which ones are). Call this again, for example once a
   * day, until `open` is empty.
   *
   * Call it only in your backend, after you have ended the sessions of this user: a checkout that is granted later is
   * not erased. Orders that match no checkout have no subject, so they are not found.
   *
   * @throws RampError `ERR_CONFIG_INVALID` when the subject is not text.
   * @example
   * const { open } = await store.eraseSubject(user.id);
   */
  eraseSubject(subject: string): Promise<ErasureResult>;
}
