import type { CheckoutStore } from './CheckoutStore.js';
import type { DeliveryStore } from './DeliveryStore.js';
import type { OrderRecordStore } from './OrderRecordStore.js';
import type { ReplayStore } from './ReplayStore.js';
import type { SyncStateStore } from './SyncStateStore.js';

/**
 * A store of checkouts, orders, deliveries, sync state and replays. A promise resolves only when its change
 * is durable. All times are Unix seconds, all amounts are decimal strings.
 */
export interface OrderStore
  extends CheckoutStore,
    OrderRecordStore,
    DeliveryStore,
    SyncStateStore,
    ReplayStore {
  /**
   * Deletes checkouts without an order that expired before `before`, or before `unopenedBefore` if they
   * were never opened. Also deletes log entries and replays from before `before`.
   *
   * @param before - Unix seconds.
   * @param unopenedBefore - Unix seconds, `before` by default.
   */
  purge(before: number, unopenedBefore?: number): Promise<void>;
}

/** The part of an {@link OrderStore} that `createRampHandler` uses. */
export interface HandlerStore
  extends Pick<CheckoutStore, 'saveIntent' | 'findCheckout' | 'markOpened' | 'announceOrder'>,
    Pick<OrderRecordStore, 'recordOrders' | 'listEventsAfter' | 'lastEventId' | 'onRecorded'>,
    Pick<SyncStateStore, 'readWatermark'> {}

/** The part of an {@link OrderStore} that `createOrderTracker` uses: all but the replays. */
export interface TrackerStore
  extends CheckoutStore,
    OrderRecordStore,
    DeliveryStore,
    SyncStateStore,
    Pick<OrderStore, 'purge'> {}
