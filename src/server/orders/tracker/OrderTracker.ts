import type { PartnerApi } from '../../partner-api/PartnerApi.js';
import type { PendingChange } from '../store/DeliveryStore.js';
import type { TrackerStore } from '../store/OrderStore.js';

/** The options of `createOrderTracker`. */
export interface OrderTrackerOptions {
  /** Lists the orders: the result of `createPartnerApi`. */
  readonly api: Pick<PartnerApi, 'eachOrder'>;
  /** The store of the handler. */
  readonly store: TrackerStore;
  /**
   * Is called at least once for each state in which an order was seen, until it succeeds. `change.key`
   * identifies the order and the state, and is the same at each call. An NFT order changes up to three times,
   * or is `settled` at first sight: store its `orderId` with what you deliver, and deliver it once. Deliver
   * only `matched` orders, and none whose state is `unknown`. Pass it to every instance on one store: an
   * instance without it acknowledges all changes.
   */
  readonly onOrderChange?: ((change: PendingChange) => unknown) | undefined;
  /** The time limit of one call of `onOrderChange`; a call that takes longer has failed. @default 60 */
  readonly deliverySeconds?: number | undefined;
  /**
   * Is called when a sync or a delivery fails, which is retried, and for each malformed order of the list.
   * After `start()` it is also called with `ERR_TIMEOUT`, once until a sync runs again, when a sync is due
   * and neither this instance nor another makes progress for ten times `pollSeconds`: another instance holds
   * the lease of the store all that time, or the store does not respond.
   *
   * @default console.error
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Orders per page of the order list, 1 to 1000. Every service takes the documented 20. A larger page needs
   * fewer requests, but a service may refuse it (`apiCode` 10002). @default 20
   */
  readonly pageSize?: number | undefined;
  /** The time between two syncs while checkouts are open. @default 60 */
  readonly pollSeconds?: number | undefined;
  /** What it grows to while no order arrives: exponential backoff. @default 600, or `pollSeconds` if that is more */
  readonly maxPollSeconds?: number | undefined;
  /** How far a sync reaches back before the end of the last one. @default 7200 */
  readonly lookbackSeconds?: number | undefined;
  /** How far the first sync and the daily one reach back. @default 604800, a week */
  readonly fullSyncLookbackSeconds?: number | undefined;
  /** For how long an NFT order is followed until it is settled. @default 2592000, thirty days */
  readonly settlementSeconds?: number | undefined;
  /** How long a checkout that expired without an order is kept. @default 3024000, five weeks */
  readonly retentionSeconds?: number | undefined;
  /**
   * The same for a checkout that was never opened: the page has not requested its state, and no order was
   * announced for it. @default 604800, a week
   */
  readonly unopenedRetentionSeconds?: number | undefined;
  /** The clock, milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** A report of the last sync, for an operator. Times are Unix seconds. */
export interface SyncReport {
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
  /** The start of the range of finish times. */
  readonly from: number;
  /** Orders listed so far. */
  readonly listed: number;
  /** Orders that were new or had advanced. */
  readonly recorded: number;
  /**
   * Malformed orders of the list. `onError` is called for each of them once a day. They are missing until
   * the service corrects them: a sync reads them again within `lookbackSeconds`, and the daily one within
   * `fullSyncLookbackSeconds`.
   */
  readonly malformed: number;
  readonly failed?: true | undefined;
}

/** What `createRampHandler` uses of an {@link OrderTracker}. */
export interface HandlerTracker extends Pick<OrderTracker, 'checkoutGranted'> {
  /** Requests a sync. It is awaited before the response to a webhook. */
  requestSync(reference?: string): unknown;
  /** Without it, the handler relies on the syncs of another process. */
  readonly sync?: OrderTracker['sync'] | undefined;
  readonly report?: SyncReport | undefined;
}

/** Finds the orders of checkouts. */
export interface OrderTracker {
  /** Starts a sync now, and further ones whenever they are due. */
  start(): void;
  /** Aborts a running sync, and starts no more. Never rejects. */
  stop(): Promise<void>;
  /**
   * Reads the order list, records its orders and delivers the changes, unless another instance does.
   * Resolves with whether it ran.
   *
   * @throws whatever the API or the store throws. Nothing is lost: the next sync starts from the same time.
   */
  sync(): Promise<boolean>;
  /**
   * Requests a sync at once. Concurrent requests share one.
   *
   * A tracker that was never started has no timer, so it runs the sync before the promise resolves: await it
   * before a serverless function ends. It never rejects; errors go to `onError`. After `start()` it resolves
   * at once, and the sync follows.
   *
   * @param reference - The checkout whose order was announced. If the order list does not confirm the order,
   * the outcome of the checkout is `unconfirmed`.
   */
  requestSync(reference?: string): Promise<void>;
  /** Is called when a checkout was granted, so that the tracker polls for its order soon. */
  checkoutGranted(): void;
  /** The report of the last sync of this instance. */
  readonly report: SyncReport | undefined;
}
