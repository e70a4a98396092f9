import type { PartnerApi } from '../../partner-api/PartnerApi.js';
import type { PendingChange } from '../store/DeliveryStore.js';
import type { TrackerStore } from '../store/OrderStore.js';

export interface OrderTrackerOptions {
  readonly api: Pick<PartnerApi, 'eachOrder'>;
  readonly store: TrackerStore;
  /**
   * Runs at least once for each state in which an order was seen, until it succeeds. `change.key` names
   * the order and the state, and is the same when it runs again. An NFT order comes up to three times, or
   * as `settled` alone: keep its `orderId` with what you deliver, and deliver it once. Deliver what is
   * `matched` alone, and nothing whose state is `unknown`. Give it to every instance on one store: one
   * without it takes all changes as seen.
   */
  readonly onOrderChange?: ((change: PendingChange) => unknown) | undefined;
  /** How long one run of it is waited for; what takes longer has failed. @default 60 */
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
  /** How soon after one sync the next, while checkouts are open. @default 60 */
  readonly pollSeconds?: number | undefined;
  /** What that grows to while nothing comes. @default 600, or `pollSeconds` when that is more */
  readonly maxPollSeconds?: number | undefined;
  /** How far a sync reaches back behind the end of the last. @default 7200 */
  readonly lookbackSeconds?: number | undefined;
  /** How far the first sync, and one each day, reach back. @default 604800, a week */
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

/** How the last sync went, for an operator. Times are Unix seconds. */
export interface SyncReport {
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
  /** From where on orders were listed, by the time they finished. */
  readonly from: number;
  /** Orders listed so far. */
  readonly listed: number;
  /** Orders that were new or had moved. */
  readonly recorded: number;
  /**
   * Orders that the service listed and that could not be read; `onError` hears of each of them once a day.
   * They are missing until the service mends them: a sync reads them again within `lookbackSeconds`, and
   * the daily one within `fullSyncLookbackSeconds`.
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
   * Requests a sync at once; many at the same time are one.
   *
   * A tracker that was never started syncs here and now, as there is no timer that would: await the promise
   * before a serverless function ends. It never rejects; errors go to `onError`. After `start()` it resolves
   * at once, and the sync follows.
   *
   * @param reference - A checkout that an order was announced for. When the list does not confirm it, the
   * checkout is `unconfirmed`.
   */
  requestSync(reference?: string): Promise<void>;
  /** Says that a checkout was granted, so that its order is looked for soon. */
  checkoutGranted(): void;
  /** The last sync of this instance. */
  readonly report: SyncReport | undefined;
}
