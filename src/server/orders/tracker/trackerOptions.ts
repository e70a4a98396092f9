import { createConfigError } from '../../../protocol/errors/RampError.js';
import { isolateListener, logError } from '../../internal/errorReports.js';
import {
  count,
  flag,
  func,
  methods,
  type OptionReader,
  optional,
  readOptions,
  seconds,
  TIMER_SECONDS,
} from '../../internal/options.js';
import { type Runtime, withClock } from '../../internal/runtime.js';
import type { PartnerApi } from '../../partner-api/createPartnerApi.js';
import { reportMemoryStore } from '../memory/memoryOrderStore.js';
import type { PendingChange, TrackerStore } from '../store/OrderStore.js';

/** Options of {@link createOrderTracker}. */
export interface OrderTrackerOptions {
  /** Lists the orders: the result of `createPartnerApi`. */
  readonly api: Pick<PartnerApi, 'eachOrder'> & Partial<Pick<PartnerApi, 'partnerId' | 'baseUrl'>>;
  /** The store that is also passed to the handler. */
  readonly store: TrackerStore;
  /**
   * Is called at least once for each recorded state of an order, until it succeeds. `change.key` identifies the order
   * and the state, and is the same at each call. Deliver only `matched` orders without `isLaterOrder`, and let a person
   * see all others, because they may be paid too.
   *
   * Await everything: the change counts as delivered when the function returns or its promise resolves. A promise that
   * you do not await may fail unseen.
   *
   * An NFT order has up to three states, and the first one that is recorded may already be `settled`. So store the
   * `orderId` of an order together with its delivery, and deliver the order only once, whatever state comes first.
   *
   * A tracker without this callback records orders, and leaves their changes to another tracker that has the callback
   * and uses the same store. Pass `null` only if no process of your shop delivers orders: then every change is
   * acknowledged unseen.
   */
  readonly onOrderChange?: ((change: PendingChange) => unknown) | null | undefined;
  /** The time limit of one call of `onOrderChange`; a call that takes longer counts as failed. @default 60 */
  readonly deliverySeconds?: number | undefined;
  /**
   * Is called when a sync or a delivery fails; both are retried. For malformed orders, it is called once for each
   * distinct message, at most 100 times between two full syncs.
   *
   * After `start()`, it is also called with `ERR_TIMEOUT` when a sync is due, but no instance makes progress: another
   * instance keeps the lease, or the store does not respond. This is reported after ten times `pollSeconds`, and again
   * only after there was progress. While this instance delivers changes, the time is three times `deliverySeconds` if
   * that is longer.
   *
   * @default console.error
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Orders per request of a sync, 1 to 1000. @default the `pageSize` of the API client, 20 */
  readonly pageSize?: number | undefined;
  /** The initial interval of syncs while checkouts are open. It grows up to `maxPollSeconds`. @default 60 */
  readonly pollSeconds?: number | undefined;
  /**
   * The longest time between two syncs while checkouts are open. While no order arrives, the time doubles after each
   * sync, from `pollSeconds` up to `maxPollSeconds`. @default 600, or `pollSeconds` if that is more
   */
  readonly maxPollSeconds?: number | undefined;
  /**
   * How long before the watermark the range of a sync begins. It should exceed the longest delay between the finish of
   * an order and its appearance in the list, plus the error of a clock that is ahead. If the delay is longer, only the
   * daily full sync finds the order, and the check before a checkout is signed again may miss it. @default 7200
   */
  readonly lookbackSeconds?: number | undefined;
  /** How far before now the first sync and the daily full sync begin. @default 604800, a week */
  readonly fullSyncLookbackSeconds?: number | undefined;
  /** How long an unsettled NFT order is read again, counted from its finish time. @default 2592000, thirty days */
  readonly settlementSeconds?: number | undefined;
  /** How long a checkout that expired without an order is kept. @default 3024000, five weeks */
  readonly retentionSeconds?: number | undefined;
  /**
   * How long an expired checkout without an order is kept if it was never opened: the page did not request its state,
   * and no webhook announced an order. @default 604800, a week
   */
  readonly unopenedRetentionSeconds?: number | undefined;
  /**
   * Whether timers schedule the syncs. Pass `false` in serverless functions, where a timer does not outlive the
   * response. The tracker then refuses `start()`. It syncs for webhooks, when a scheduled job requests
   * `{basePath}/sync`, and when you call `sync()` or `syncIfDue()`, and keeps in the store what the next process needs.
   *
   * @default true
   */
  readonly timers?: boolean | undefined;
  /**
   * How long a sync without timers may take, 2 to 3600 seconds. After two thirds of this time it reads no further part
   * of the list, and after all of it no further delivery begins; the next sync continues. So let the process live for
   * `syncSeconds` plus `deliverySeconds`. With timers, a sync has no limit.
   *
   * @default 20
   */
  readonly syncSeconds?: number | undefined;
  /** Returns the current time in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

const OWNER = 'createOrderTracker';
const DAY = 86_400;
const MAX_PAGE_SIZE = 1000;

export type TrackerSettings = ReturnType<typeof parseTrackerOptions>;

/** Validates the options of `createOrderTracker` and adds the defaults. @throws RampError `ERR_CONFIG_INVALID` */
export function parseTrackerOptions(options: OrderTrackerOptions, runtime: Runtime) {
  const { maxPollSeconds, onError, now, ...read } = readOptions(OWNER, options, readers);
  const { pollSeconds, onOrderChange, store } = read;
  const longest = maxPollSeconds ?? Math.max(600, pollSeconds);
  if (longest < pollSeconds)
    throw createConfigError(OWNER, 'expects a maxPollSeconds that is not less than pollSeconds.');
  const report = isolateListener(onError);
  if (onOrderChange === undefined) reportNoDelivery(runtime, report);
  reportMemoryStore(runtime, OWNER, store, report);
  return { ...read, maxPollSeconds: longest, onError: report, runtime: withClock(runtime, now) };
}

const readers = {
  api: methods<OrderTrackerOptions['api']>(
    ['eachOrder'],
    'needs an api: the result of createPartnerApi().',
  ),
  store: methods<TrackerStore>(
    ['recordOrders'],
    'needs a store, such as memoryOrderStore() for development.',
  ),
  onOrderChange: (value, { refuse }) =>
    value == null || typeof value === 'function'
      ? (value as OrderTrackerOptions['onOrderChange'])
      : refuse('expects a function as onOrderChange, or null to acknowledge all changes unseen.'),
  deliverySeconds: seconds(60, TIMER_SECONDS),
  onError: func<(error: unknown) => void>(logError),
  pageSize: optional(count({ byDefault: MAX_PAGE_SIZE, most: MAX_PAGE_SIZE })),
  pollSeconds: seconds(60, TIMER_SECONDS),
  maxPollSeconds: optional(seconds(600, TIMER_SECONDS)),
  lookbackSeconds: seconds(7200),
  fullSyncLookbackSeconds: seconds(7 * DAY),
  settlementSeconds: seconds(30 * DAY),
  retentionSeconds: seconds(35 * DAY),
  unopenedRetentionSeconds: seconds(7 * DAY),
  timers: flag(true),
  syncSeconds: count({ byDefault: 20, least: 2, most: 3600, unit: 'whole seconds' }),
  now: func<() => number>(),
} satisfies Record<keyof OrderTrackerOptions, OptionReader<unknown>>;

/** Reports once in each process that this tracker delivers no orders to the shop. */
function reportNoDelivery(runtime: Runtime, report: (error: unknown) => void): void {
  if (!runtime.isFirst('no onOrderChange')) return;
  report(
    createConfigError(
      'createOrderTracker',
      'has no onOrderChange, so this tracker records orders and delivers none: their changes wait for a tracker with onOrderChange on the same store. Pass onOrderChange to the tracker of every process, or null if no process of your shop delivers orders.',
    ),
  );
}
