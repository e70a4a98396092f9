import type { PartnerApi } from '../../partner-api/createPartnerApi.js';
import type { PendingChange } from '../store/DeliveryStore.js';
import type { TrackerStore } from '../store/OrderStore.js';

/** The options of `createOrderTracker`. */
export interface OrderTrackerOptions {
  /** Lists the orders: the result of `createPartnerApi`. */
  readonly api: Pick<PartnerApi, 'eachOrder'>;
  /** The store that is also passed to the handler. */
  readonly store: TrackerStore;
  /**
   * Is called at least once for each recorded state of an order, until it succeeds. `change.key` identifies
   * the order and the state, and is the same at each call. An NFT order changes up to three times, or is
   * `settled` when it is recorded first: store its `orderId` together with the delivery, and deliver it once.
   * Deliver only `matched` orders, and never an order whose state is `unknown`.
   *
   * A tracker without it records orders and leaves their changes for a tracker with it on the same store. Pass
   * `null` only if no process of your shop delivers orders: then every change is acknowledged unseen.
   */
  readonly onOrderChange?: ((change: PendingChange) => unknown) | null | undefined;
  /** The time limit of one call of `onOrderChange`; a call that takes longer counts as failed. @default 60 */
  readonly deliverySeconds?: number | undefined;
  /**
   * Is called when a sync or a delivery fails, which is retried, and for each malformed order of the list.
   * After `start()` it is also called with `ERR_TIMEOUT` when a sync is due, but no instance makes progress
   * for ten times `pollSeconds`: another instance keeps the lease, or the store does not respond. That is
   * reported once until a sync runs again.
   *
   * @default console.error
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Orders per request of a sync, 1 to 1000. @default the `pageSize` of the API client, 20 */
  readonly pageSize?: number | undefined;
  /** The time between two syncs while checkouts are open. @default 60 */
  readonly pollSeconds?: number | undefined;
  /** The longest time between two such syncs: it doubles while no order arrives. @default 600, or `pollSeconds` if that is more */
  readonly maxPollSeconds?: number | undefined;
  /** How far before the watermark a sync begins. @default 7200 */
  readonly lookbackSeconds?: number | undefined;
  /** How far before now the first sync and the daily full sync begin. @default 604800, a week */
  readonly fullSyncLookbackSeconds?: number | undefined;
  /** How long an NFT order is read again until it is settled. @default 2592000, thirty days */
  readonly settlementSeconds?: number | undefined;
  /** How long a checkout that expired without an order is kept. @default 3024000, five weeks */
  readonly retentionSeconds?: number | undefined;
  /**
   * How long such a checkout is kept if it was never opened: the page did not request its state, and no order
   * was announced for it. @default 604800, a week
   */
  readonly unopenedRetentionSeconds?: number | undefined;
  /**
   * Whether timers schedule the syncs. Pass `false` in serverless functions, where a timer does not outlive the
   * response: the tracker then syncs when you call `sync()` and for each webhook, and refuses `start()`.
   *
   * @default true
   */
  readonly timers?: boolean | undefined;
  /** The clock, milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** A report of the last sync, for an operator. Times are Unix seconds. */
export interface SyncReport {
  readonly startedAt: number;
  /** Absent while the list is read, and if that failed. */
  readonly endedAt?: number | undefined;
  /** The start of the range of finish times. */
  readonly from: number;
  /** Orders that the list has returned. */
  readonly listed: number;
  /** Orders that were new or had advanced. */
  readonly recorded: number;
  /**
   * Malformed orders of the list. `onError` is called for each of them once a day. They are missing until the
   * service corrects them: each sync reads them again within `lookbackSeconds`, and the daily full sync within
   * `fullSyncLookbackSeconds`.
   */
  readonly malformed: number;
  /** Whether the sync failed. */
  readonly failed?: true | undefined;
}

/** The part of an {@link OrderTracker} that `createRampHandler` uses. */
export interface HandlerTracker extends Pick<OrderTracker, 'checkoutGranted'> {
  /** Requests a sync. The handler awaits it before it responds to a webhook. */
  requestSync(): unknown;
  /** Notes that the handler has recorded orders, which are delivered soon. */
  readonly ordersRecorded?: OrderTracker['ordersRecorded'] | undefined;
  readonly store?: object | undefined;
}

/** A tracker that finds the orders of checkouts. */
export interface OrderTracker {
  /**
   * Starts a sync now, and later ones when they are due.
   *
   * @throws RampError `ERR_CONFIG_INVALID` if the tracker has `timers: false`.
   */
  start(): void;
  /** Aborts a running sync, and stops starting others. Never rejects. */
  stop(): Promise<void>;
  /**
   * Reads the order list, records its orders and delivers the changes, unless another instance is syncing.
   * Resolves with whether it ran.
   *
   * @throws the errors of the API and the store. No order is lost: the next sync starts from the same time.
   */
  sync(): Promise<boolean>;
  /**
   * Requests a sync now. Concurrent requests share one.
   *
   * A tracker that was never started has no timer, so it runs the sync before the promise resolves: await it
   * before a serverless function ends. It never rejects; `onError` is called with errors. After `start()` it
   * resolves immediately, and the sync follows.
   *
   * @param reference - The reference of the checkout whose order was announced, if you handle webhooks yourself;
   * the verifier of this package has stored it. If the order list does not have the order, the outcome of the
   * checkout becomes `unconfirmed`.
   */
  requestSync(reference?: string): Promise<void>;
  /** Notes that a checkout was granted, so that the tracker polls for its order soon. Called by the handler. */
  checkoutGranted(): void;
  /** Notes that orders were recorded outside a sync, so that their changes are delivered soon. Called by the handler. */
  ordersRecorded(): void;
  /** The report of the last sync of this instance. */
  readonly report: SyncReport | undefined;
  /** The store of the options. `createRampHandler` compares it with its own store. */
  readonly store: TrackerStore;
}
