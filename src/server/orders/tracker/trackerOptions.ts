import { isolateListener, logError } from '../../internal/errorReports.js';
import type { OptionReader } from '../../internal/options.js';
import type { Runtime } from '../../internal/runtime.js';
import type { PartnerApi } from '../../partner-api/createPartnerApi.js';
import type { DeliverAt, OrderToDeliver, OrderToReview, ReviewReason } from '../outcomes.js';
import type { OrderStore } from '../store/OrderStore.js';

/** The validated options that `createRamp` passes to its tracker. `RampOptions` explains them. */
export interface OrderTrackerOptions {
  readonly api: Pick<PartnerApi, 'eachOrder'> &
    Partial<Pick<PartnerApi, 'partnerId' | 'baseUrl' | 'clockSkewSeconds'>>;
  readonly store: OrderStore;
  readonly deliver: (order: OrderToDeliver, transaction: never) => unknown;
  readonly review: (order: OrderToReview, reason: ReviewReason, transaction: never) => unknown;
  /** @default 'finished' */
  readonly deliverAt?: DeliverAt | undefined;
  /** The time limit for one call to `deliver` or `review`; a call that takes longer counts as failed. @default 60 */
  readonly deliverySeconds?: number | undefined;
  /**
   * Called when a sync or a delivery fails; both are retried. For malformed orders, it is called once a day for each
   * distinct message, at most 100 times a day.
   *
   * After `start()`, it also receives `ERR_TIMEOUT` when a sync is due but no instance makes progress: another instance
   * keeps the lease, or the store does not respond. This is reported after ten times `pollSeconds` or three times
   * `deliverySeconds`, whichever is longer, and again only after there was progress.
   *
   * @default console.error
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Orders per request of a sync, 1 to 1000. @default the `pageSize` of the API client, 20 */
  readonly pageSize?: number | undefined;
  /** @default 60 */
  readonly pollSeconds?: number | undefined;
  /** @default 600, or `pollSeconds` if that is more */
  readonly maxPollSeconds?: number | undefined;
  /** @default 7200 */
  readonly lookbackSeconds?: number | undefined;
  /** @default 604800, a week */
  readonly fullSyncLookbackSeconds?: number | undefined;
  /** For how long after its finish time an unsettled NFT order is read again. @default 2592000, thirty days */
  readonly settlementSeconds?: number | undefined;
  /** @default 3024000, five weeks */
  readonly retentionSeconds?: number | undefined;
  /**
   * How long an expired checkout without an order is kept if it was never opened: the page did not report it, and no
   * webhook announced an order. @default 604800, a week
   */
  readonly unopenedRetentionSeconds?: number | undefined;
  /**
   * Whether the process lives for only one request. If so, nothing runs by itself, and a webhook's sync is awaited.
   *
   * @default false
   */
  readonly isServerless?: boolean | undefined;
  /**
   * How long a sync may take. After two thirds of this time it reads no further part of the list, and after all of it
   * no further delivery begins; the next sync continues. @default 60, or 20 if `isServerless`
   */
  readonly syncSeconds?: number | undefined;
}

const DAY = 86_400;

/** The defaults of `createRamp` and its tracker, in seconds. */
export const trackerDefaults = {
  pollSeconds: 60,
  maxPollSeconds: 600,
  lookbackSeconds: 7200,
  fullSyncLookbackSeconds: 7 * DAY,
  retentionSeconds: 35 * DAY,
} as const;

export type TrackerSettings = ReturnType<typeof toTrackerSettings>;

export function toTrackerSettings({ onError, ...options }: OrderTrackerOptions, runtime: Runtime) {
  const { isServerless = false } = options;
  const pollSeconds = options.pollSeconds ?? trackerDefaults.pollSeconds;
  return {
    ...options,
    deliver: options.deliver as (order: OrderToDeliver, transaction: unknown) => unknown,
    review: options.review as (
      order: OrderToReview,
      reason: ReviewReason,
      transaction: unknown,
    ) => unknown,
    deliverAt: options.deliverAt ?? 'finished',
    deliverySeconds: options.deliverySeconds ?? 60,
    onError: isolateListener(onError ?? logError),
    pageSize: options.pageSize,
    pollSeconds,
    maxPollSeconds: options.maxPollSeconds ?? Math.max(trackerDefaults.maxPollSeconds, pollSeconds),
    lookbackSeconds: options.lookbackSeconds ?? trackerDefaults.lookbackSeconds,
    fullSyncLookbackSeconds:
      options.fullSyncLookbackSeconds ?? trackerDefaults.fullSyncLookbackSeconds,
    settlementSeconds: options.settlementSeconds ?? 30 * DAY,
    retentionSeconds: options.retentionSeconds ?? trackerDefaults.retentionSeconds,
    unopenedRetentionSeconds: options.unopenedRetentionSeconds ?? 7 * DAY,
    isServerless,
    syncSeconds: options.syncSeconds ?? (isServerless ? 20 : 60),
    runtime,
  };
}

const STATES: readonly unknown[] = ['finished', 'settlement', 'settled'] satisfies DeliverAt[];

export const parseDeliverAt: OptionReader<DeliverAt> = (value, { refuse }) => {
  const deliverAt = value ?? 'finished';
  return STATES.includes(deliverAt)
    ? (deliverAt as DeliverAt)
    : refuse("expects 'finished', 'settlement' or 'settled' as deliverAt.");
};
