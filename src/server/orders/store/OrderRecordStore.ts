import type { Order } from '../../../protocol/api/resources.js';
import type { CheckoutOutcome } from './CheckoutStore.js';
import type { MatchStatus, OrderRecord } from './OrderRecord.js';

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
   * Records the orders of a page of the order list atomically. Matches each order that is new or has advanced
   * with the checkouts (`matched`, `quarantined` or `unmatched`), and adds its record, a log entry and a
   * pending change. Ignores the other orders.
   *
   * @returns The number of orders that were new or had advanced.
   */
  recordOrders(orders: readonly Order[], at: number): Promise<number>;
  /** Returns when the oldest unsettled NFT order finished, among the orders that finished at or after `since`. */
  findOldestUnsettled(since: number): Promise<number | undefined>;
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
  /**
   * Calls a listener after each write of this instance that may have added log entries. With it, event streams
   * send a change at once; without it, and for the writes of other instances, within a second.
   *
   * @returns A function that removes the listener.
   */
  onRecorded?(listener: () => void): () => void;
}
