import type { CheckoutIntent } from './CheckoutStore.js';
import type { OrderRecord } from './OrderRecord.js';

/** A change of an order that `onOrderChange` has not handled yet. */
export interface PendingChange {
  /** Identifies the order and its state: the same each time that this change is delivered. */
  readonly key: string;
  readonly record: OrderRecord;
  readonly intent?: CheckoutIntent | undefined;
  /** How often its delivery has failed. */
  readonly tries: number;
}

/** The longest time by which a failed delivery is postponed. */
export const MAX_BACKOFF_SECONDS = 3600;

/**
 * The part of an {@link OrderStore} that keeps the changes that are still to be delivered. All times are
 * Unix seconds.
 */
export interface DeliveryStore {
  /**
   * Lists the changes that are due: first those that were never tried, oldest first, then those that
   * failed, in the order in which they are due. A change that is postponed by more than
   * `MAX_BACKOFF_SECONDS` is due: the clock was ahead when its delivery failed.
   */
  listPendingChanges(now: number, limit: number): Promise<readonly PendingChange[]>;
  /** Removes changes that were delivered. */
  acknowledgeChanges(keys: readonly string[]): Promise<void>;
  /** Postpones a change whose delivery failed until `notBefore`, and counts the failure. */
  postponeChange(key: string, notBefore: number): Promise<void>;
}
