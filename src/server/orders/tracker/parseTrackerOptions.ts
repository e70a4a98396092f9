import { createConfigError } from '../../../protocol/errors/createConfigError.js';
import { logError } from '../../internal/errorReports.js';
import {
  createOptionChecks,
  describeText,
  parseSeconds,
  TIMER_SECONDS,
} from '../../internal/options.js';
import { type Runtime, withClock } from '../../internal/runtime.js';
import { reportMemoryStore } from '../memory/memoryOrderStore.js';
import type { OrderTrackerOptions } from './OrderTracker.js';

const { refuse, checkNames, parseFunction } = createOptionChecks('createOrderTracker');

const OPTIONS: Record<keyof OrderTrackerOptions, true> = {
  api: true,
  store: true,
  onOrderChange: true,
  deliverySeconds: true,
  onError: true,
  pageSize: true,
  pollSeconds: true,
  maxPollSeconds: true,
  lookbackSeconds: true,
  fullSyncLookbackSeconds: true,
  settlementSeconds: true,
  retentionSeconds: true,
  unopenedRetentionSeconds: true,
  timers: true,
  now: true,
};

const DAY = 86_400;
const MAX_PAGE_SIZE = 1000;

/** The validated options of a tracker, with the defaults. */
export type TrackerSettings = ReturnType<typeof parseTrackerOptions>;

/** Validates the options of `createOrderTracker` and adds the defaults. @throws RampError `ERR_CONFIG_INVALID` */
export function parseTrackerOptions(options: OrderTrackerOptions, runtime: Runtime) {
  const { api, store, onOrderChange, onError = logError, now } = options ?? {};
  checkNames(options ?? {}, OPTIONS, 'all');
  if (typeof api?.eachOrder !== 'function')
    refuse('needs an api: the result of createPartnerApi().');
  if (typeof store?.recordOrders !== 'function')
    refuse('needs a store, such as memoryOrderStore() for development.');
  if (onOrderChange != null && typeof onOrderChange !== 'function')
    refuse('expects a function as onOrderChange, or null to acknowledge all changes unseen.');
  if (typeof onError !== 'function') refuse('expects a function as onError.');
  const { pageSize, timers } = options;
  if (timers != null && typeof timers !== 'boolean') refuse('expects true or false as timers.');
  if (
    pageSize !== undefined &&
    (!Number.isSafeInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE)
  )
    refuse(
      `expects a whole number from 1 to ${MAX_PAGE_SIZE} as pageSize.${describeText(pageSize)}`,
    );
  const parseOption = (name: SecondsOption, byDefault: number, most?: number) =>
    parseSeconds(name, options[name] ?? byDefault, most);
  const pollSeconds = parseOption('pollSeconds', 60, TIMER_SECONDS);
  const maxPollSeconds = parseOption('maxPollSeconds', Math.max(600, pollSeconds), TIMER_SECONDS);
  if (maxPollSeconds < pollSeconds)
    refuse('expects a maxPollSeconds that is not less than pollSeconds.');
  /** Never throws. */
  const report = (error: unknown) => {
    try {
      onError(error);
    } catch {}
  };
  if (onOrderChange === undefined) reportNoDelivery(runtime, report);
  reportMemoryStore(runtime, 'createOrderTracker', store, report);
  return {
    api,
    store,
    onOrderChange,
    timers: timers ?? true,
    pageSize,
    pollSeconds,
    maxPollSeconds,
    lookbackSeconds: parseOption('lookbackSeconds', 7200),
    fullSyncLookbackSeconds: parseOption('fullSyncLookbackSeconds', 7 * DAY),
    settlementSeconds: parseOption('settlementSeconds', 30 * DAY),
    retentionSeconds: parseOption('retentionSeconds', 35 * DAY),
    unopenedRetentionSeconds: parseOption('unopenedRetentionSeconds', 7 * DAY),
    deliverySeconds: parseOption('deliverySeconds', 60, TIMER_SECONDS),
    onError: report,
    runtime: withClock(runtime, parseFunction('now', now)),
  };
}

/** Reports, once in each process, that this tracker hands no order to the shop. */
function reportNoDelivery(runtime: Runtime, report: (error: unknown) => void): void {
  if (!runtime.isFirst('no onOrderChange')) return;
  report(
    createConfigError(
      'createOrderTracker',
      'has no onOrderChange, so this tracker records orders and delivers none: their changes wait for a tracker with onOrderChange on the same store. Pass onOrderChange to the tracker of every process, or null if no process of your shop delivers orders.',
    ),
  );
}

type SecondsOption = Extract<keyof OrderTrackerOptions, `${string}Seconds`>;
