import { RampError } from '../../protocol/ramp-error.js';
import { checkedSeconds, TIMER_SECONDS } from '../checkedSeconds.js';
import { logError } from '../logError.js';
import { deliverChanges } from './deliverChanges.js';
import type { OrderTracker, OrderTrackerOptions, SweepReport } from './OrderTracker.js';
import { sweepOrders } from './sweepOrders.js';

const HOUR = 3600;
const DAY = 86_400;
/** How soon again, when the list does not have yet what was announced. */
const ANNOUNCED_SECONDS = 5;
/** How soon again, when another instance sweeps and this one was nudged, or changes are left. */
const BUSY_SECONDS = 2;
/** How soon a sweep is tried again that failed; each failure doubles it, up to `pollSeconds`. */
const RETRY_SECONDS = 5;
/** Webhooks may come faster than sweeps: those that come sooner after one share the next. */
const NUDGE_SECONDS = 1;
/** Where the service writes all orders in another way, more of them say nothing new. */
const MAX_TOLD = 100;

/**
 * Makes what finds out about orders: the webhook comes once or never, so the order list is read, often
 * while checkouts are open, hourly while an NFT is not settled, and daily over a week whatever happens.
 * Each change of an order reaches `onOrderChange` at least once.
 *
 * Several instances may run on one store: one sweeps at a time.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when an option is missing or malformed.
 * @example
 * const tracker = createOrderTracker({
 *   api, store,
 *   onOrderChange: ({ record: { standing, order } }) =>
 *     standing === 'matched' && order.state !== 'unknown' && shipOnce(order.orderId, order),
 * });
 * tracker.start();
 */
export function createOrderTracker(options: OrderTrackerOptions): OrderTracker {
  const settings = checkedOptions(options);
  const { store, onOrderChange, pollSeconds, maxPollSeconds, now } = settings;
  const seconds = () => Math.floor(now() / 1000);
  const onError = (error: unknown) => {
    try {
      settings.onError(error);
    } catch {}
  };
  let report: SweepReport | undefined;
  let auditedAt = 0;
  let followedAt = 0;
  /** Until the next sweep while a checkout is open, and what follows if nothing comes. */
  let pause = pollSeconds;
  let nextPause = pollSeconds;
  let isStarted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer ends, Unix seconds. */
  let dueAt = 0;
  /** How many in a row have failed. */
  let failures = 0;
  /** When the last sweep ended, milliseconds. */
  let sweptAt = 0;
  let running: Promise<boolean> | undefined;
  let controller = new AbortController();
  /** Checkouts that an order was announced for since the last sweep began. */
  let announced = new Set<string>();
  /** An order was announced a moment ago, maybe of a checkout that is open no more. */
  let isAwaited = false;
  let isNudged = false;
  /** A nudge came, and another instance was at it. */
  let isOwed = false;
  /** Orders that cannot be read and that were told of, since the last audit began. */
  let told = new Set<string>();
  const onMalformed = (error: RampError) => {
    if (told.size >= MAX_TOLD || told.has(error.message)) return;
    told.add(error.message);
    onError(error);
  };

  async function runSweep(): Promise<boolean> {
    const { signal } = controller;
    return store.runAlone(async () => {
      const startedAt = seconds();
      const asked = announced;
      announced = new Set();
      const isAudit = isDue(auditedAt, DAY, startedAt);
      if (isAudit) told = new Set();
      const followsSettlement = isDue(followedAt, HOUR, startedAt);
      try {
        const { recorded } = await sweepOrders({
          ...settings,
          signal,
          isAudit,
          followsSettlement,
          onMalformed,
          onProgress: (progress) => {
            report = progress;
          },
        });
        if (recorded > 0) nextPause = pollSeconds;
        pause = nextPause;
        if (pause >= pollSeconds) isAwaited = false;
        nextPause = Math.min(pause * 2, maxPollSeconds);
        if (isAudit) auditedAt = startedAt;
        if (followsSettlement) followedAt = startedAt;
        for (const reference of asked)
          await store.markCheckout(reference, 'unconfirmed', startedAt);
      } catch (error) {
        for (const reference of asked) announced.add(reference);
        if (report) report = { ...report, failed: true };
        throw error;
      } finally {
        // What was recorded is handed on even when the rest of the list could not be read.
        const { deliverySeconds } = settings;
        const deliver = onOrderChange;
        await deliverChanges({ store, deliver, deliverySeconds, onError, now: seconds, signal });
      }
    });
  }

  function sweep(): Promise<boolean> {
    running ??= runSweep().finally(() => {
      running = undefined;
      sweptAt = now();
      if (isNudged) plan(NUDGE_SECONDS);
    });
    return running;
  }

  /** When it is time for the next sweep; nothing is due later than in a day. */
  async function nextDelay(): Promise<number> {
    const at = seconds();
    // What the last sweep had no time to hand on.
    if ((await store.pendingChanges(at, 1)).length > 0) return BUSY_SECONDS;
    if (isAwaited || announced.size > 0 || (await store.hasOpenCheckouts(at))) return pause;
    if ((await store.pendingChanges(at + maxPollSeconds, 1)).length > 0) return pollSeconds;
    const isUnsettled =
      (await store.oldestUnsettled(at - settings.settlementSeconds)) !== undefined;
    // What failed often is put off for an hour at the most.
    const isPending = (await store.pendingChanges(at + HOUR, 1)).length > 0;
    const longest = isPending ? maxPollSeconds : isUnsettled ? HOUR : DAY;
    return Math.min(longest, Math.max(0, auditedAt + DAY - at));
  }

  function plan(inSeconds: number): void {
    clearTimeout(timer);
    if (!isStarted) return;
    dueAt = seconds() + inSeconds;
    timer = setTimeout(tick, Math.max(0, inSeconds) * 1000);
    timer.unref();
  }

  async function tick(): Promise<void> {
    isOwed ||= isNudged;
    isNudged = false;
    let wait: number;
    try {
      if (await sweep()) {
        isOwed = false;
        wait = await nextDelay();
        // Another instance may have read past what this one was nudged for, or has died at it.
      } else wait = isOwed ? BUSY_SECONDS : pollSeconds;
      failures = 0;
    } catch (error) {
      // What was given up by `stop` has not failed.
      if (!isStarted) return;
      onError(error);
      wait = Math.min(RETRY_SECONDS * 2 ** failures++, pollSeconds);
    }
    plan(isNudged ? Math.min(NUDGE_SECONDS, wait) : wait);
  }

  /** Within the pause after a sweep, also when the clock was set back meanwhile. */
  function sinceSweep(): number {
    return Math.min(Math.max(0, (now() - sweptAt) / 1000), NUDGE_SECONDS);
  }

  return {
    get report() {
      return report;
    },
    sweep,
    start() {
      if (isStarted) return;
      isStarted = true;
      controller = new AbortController();
      plan(0);
    },
    async stop() {
      isStarted = false;
      clearTimeout(timer);
      controller.abort();
      await running?.catch(() => {});
    },
    nudge(reference) {
      if (reference) announced.add(reference);
      isAwaited ||= reference !== undefined;
      nextPause = Math.min(ANNOUNCED_SECONDS, pollSeconds);
      if (isNudged) return;
      isNudged = true;
      // One that is running may have read past the order already: another follows it.
      if (!running) plan(NUDGE_SECONDS - sinceSweep());
    },
    expect() {
      nextPause = pollSeconds;
      // Sooner, never later: checkouts may come faster than sweeps.
      if (!running && dueAt > seconds() + pollSeconds) plan(pollSeconds);
    },
  };
}

/** Whether a time has passed since then; also when the clock was set back behind it. */
const isDue = (since: number, seconds: number, now: number): boolean =>
  now < since || now - since >= seconds;

function checkedOptions(options: OrderTrackerOptions) {
  const { api, store, onOrderChange } = options ?? {};
  if (typeof api?.eachOrder !== 'function')
    refuse('needs an api: what createPartnerApi makes of your partner ID and APIPrivateKey.');
  if (typeof store?.recordOrders !== 'function')
    refuse('needs a store, such as memoryOrderStore() for development.');
  if (onOrderChange !== undefined && typeof onOrderChange !== 'function')
    refuse('takes a function as onOrderChange.');
  const inSeconds = (name: SecondsOption, byDefault: number, most?: number) =>
    checkedSeconds(name, options[name] ?? byDefault, most);
  return {
    ...options,
    pollSeconds: inSeconds('pollSeconds', 60, TIMER_SECONDS),
    maxPollSeconds: inSeconds('maxPollSeconds', 600, TIMER_SECONDS),
    overlapSeconds: inSeconds('overlapSeconds', 7200),
    auditSeconds: inSeconds('auditSeconds', 7 * DAY),
    settlementSeconds: inSeconds('settlementSeconds', 30 * DAY),
    retentionSeconds: inSeconds('retentionSeconds', 35 * DAY),
    deliverySeconds: inSeconds('deliverySeconds', 60, TIMER_SECONDS),
    onError: options.onError ?? logError,
    now: options.now ?? Date.now,
  };
}

type SecondsOption = Extract<keyof OrderTrackerOptions, `${string}Seconds`>;

function refuse(message: string): never {
  throw new RampError('ERR_CONFIG_INVALID', `createOrderTracker ${message}`);
}
