import { RampError } from '../../protocol/ramp-error.js';
import { checkedSeconds, TIMER_SECONDS } from '../checkedSeconds.js';
import { logError } from '../logError.js';
import type { OrderTrackerOptions } from './OrderTracker.js';

const DAY = 86_400;

export type TrackerSettings = ReturnType<typeof checkedTrackerOptions>;

/** With their defaults. @throws RampError `ERR_CONFIG_INVALID` */
export function checkedTrackerOptions(options: OrderTrackerOptions) {
  const { api, store, onOrderChange, onError = logError } = options ?? {};
  if (typeof api?.eachOrder !== 'function')
    refuse('needs an api: what createPartnerApi makes of your partner ID and APIPrivateKey.');
  if (typeof store?.recordOrders !== 'function')
    refuse('needs a store, such as memoryOrderStore() for development.');
  if (onOrderChange !== undefined && typeof onOrderChange !== 'function')
    refuse('takes a function as onOrderChange.');
  const inSeconds = (name: SecondsOption, byDefault: number, most?: number) =>
    checkedSeconds(name, options[name] ?? byDefault, most);
  return {
    api,
    store,
    onOrderChange,
    pollSeconds: inSeconds('pollSeconds', 60, TIMER_SECONDS),
    maxPollSeconds: inSeconds('maxPollSeconds', 600, TIMER_SECONDS),
    overlapSeconds: inSeconds('overlapSeconds', 7200),
    auditSeconds: inSeconds('auditSeconds', 7 * DAY),
    settlementSeconds: inSeconds('settlementSeconds', 30 * DAY),
    retentionSeconds: inSeconds('retentionSeconds', 35 * DAY),
    deliverySeconds: inSeconds('deliverySeconds', 60, TIMER_SECONDS),
    /** Never throws. */
    onError(error: unknown) {
      try {
        onError(error);
      } catch {}
    },
    now: options.now ?? Date.now,
  };
}

type SecondsOption = Extract<keyof OrderTrackerOptions, `${string}Seconds`>;

function refuse(message: string): never {
  throw new RampError('ERR_CONFIG_INVALID', `createOrderTracker ${message}`);
}
