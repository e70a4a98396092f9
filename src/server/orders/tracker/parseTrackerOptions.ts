import { createOptionChecks } from '../../internal/createOptionChecks.js';
import { logError } from '../../internal/logError.js';
import { parseSeconds, TIMER_SECONDS } from '../../internal/parseSeconds.js';
import type { OrderTrackerOptions } from './OrderTracker.js';

const { refuse, checkNames } = createOptionChecks('createOrderTracker');

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
  now: true,
};

const DAY = 86_400;
const MAX_PAGE_SIZE = 1000;

/** The validated options of a tracker, with the defaults. */
export type TrackerSettings = ReturnType<typeof parseTrackerOptions>;

/** Validates the options of `createOrderTracker` and adds the defaults. @throws RampError `ERR_CONFIG_INVALID` */
export function parseTrackerOptions(options: OrderTrackerOptions) {
  const { api, store, onOrderChange, onError = logError, now = Date.now } = options ?? {};
  checkNames(options ?? {}, OPTIONS, 'all');
  if (typeof api?.eachOrder !== 'function')
    refuse('needs an api: the result of createPartnerApi().');
  if (typeof store?.recordOrders !== 'function')
    refuse('needs a store, such as memoryOrderStore() for development.');
  if (onOrderChange !== undefined && typeof onOrderChange !== 'function')
    refuse('expects a function as onOrderChange.');
  if (typeof onError !== 'function') refuse('expects a function as onError.');
  if (typeof now !== 'function') refuse('expects a function as now.');
  const { pageSize } = options;
  if (
    pageSize !== undefined &&
    (!Number.isSafeInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE)
  )
    refuse(`expects a whole number from 1 to ${MAX_PAGE_SIZE} as pageSize.`);
  const parseOption = (name: SecondsOption, byDefault: number, most?: number) =>
    parseSeconds(name, options[name] ?? byDefault, most);
  const pollSeconds = parseOption('pollSeconds', 60, TIMER_SECONDS);
  const maxPollSeconds = parseOption('maxPollSeconds', Math.max(600, pollSeconds), TIMER_SECONDS);
  if (maxPollSeconds < pollSeconds)
    refuse('expects a maxPollSeconds that is not less than pollSeconds.');
  return {
    api,
    store,
    onOrderChange,
    pageSize,
    pollSeconds,
    maxPollSeconds,
    lookbackSeconds: parseOption('lookbackSeconds', 7200),
    fullSyncLookbackSeconds: parseOption('fullSyncLookbackSeconds', 7 * DAY),
    settlementSeconds: parseOption('settlementSeconds', 30 * DAY),
    retentionSeconds: parseOption('retentionSeconds', 35 * DAY),
    unopenedRetentionSeconds: parseOption('unopenedRetentionSeconds', 7 * DAY),
    deliverySeconds: parseOption('deliverySeconds', 60, TIMER_SECONDS),
    /** Never throws. */
    onError(error: unknown) {
      try {
        onError(error);
      } catch {}
    },
    now,
  };
}

type SecondsOption = Extract<keyof OrderTrackerOptions, `${string}Seconds`>;
