import type { CheckoutIntent } from './CheckoutStore.js';
import type { OrderRecord } from './OrderRecord.js';

/** A change of an order that `onOrderChange` has not handled yet. */
export interface PendingChange {
  /** Identifies the order and its state. It is the same at each delivery of the change. */
  readonly key: string;
  /** The order in its new state, and its match. */
  readonly record: OrderRecord;
  /** The intent of the order, until it is purged. Absent for an unmatched order. */
  readonly intent?: CheckoutIntent | undefined;
  /** The number of failed deliveries. */
  readonly tries: number;
}

/** The longest backoff of a failed delivery. */
export const MAX_BACKOFF_SECONDS = 3600;

/**
 * The part of an {@link OrderStore} that stores the undelivered changes. All times are Unix seconds.
 */
export interface DeliveryStore {
  /**
   * Lists the due changes: first the untried ones, oldest first, then the failed ones by due time. A change
   * that is postponed by more than `MAX_BACKOFF_SECONDS` is due, because the clock was ahead when its
   * delivery failed.
   */
  listPendingChanges(now: number, limit: number): Promise<readonly PendingChange[]>;
  /** Removes changes that were delivered. */
  acknowledgeChanges(keys: readonly string[]): Promise<void>;
  /** Postpones a change after a failed delivery until `notBefore`, and counts the failure. */
  postponeChange(key: string, notBefore: number): Promise<void>;
}
