import { RampError } from '../../../protocol/errors/RampError.js';
import { getSeconds, type Timer } from '../../internal/runtime.js';
import { getRetryPause, type SyncPlan } from './plan.js';
import type { SyncConditions, SyncRun } from './runSync.js';
import type { TrackerSettings } from './trackerOptions.js';

/** The pause while another instance is syncing. */
export const BUSY_MS = 2000;
/** The shortest time between two requested syncs, because webhooks may arrive faster than that. */
const REQUEST_MS = 1000;
/**
 * The number of checks without progress after which an overdue sync is reported. One check runs every `pollSeconds`.
 */
const QUIET_CHECKS = 10;

interface LoopParts {
  /** Reads the store, and plans the next sync. */
  readonly look: () => Promise<{ readonly plan: SyncPlan; readonly revision: number }>;
  readonly run: (conditions: SyncConditions) => Promise<SyncRun>;
  /** Returns a text that changes while a sync of this process makes progress. */
  readonly getProgress: () => string;
}

/** The loop that syncs in a process that keeps running. */
export interface SyncLoop {
  readonly isStarted: boolean;
  /** When a checkout was last granted here, Unix seconds. */
  readonly grantedAt: number;
  /** Syncs now, and whenever a sync is due, until the signal is aborted. */
  start(signal: AbortSignal): void;
  /**
   * Syncs within a second, or after the running sync. While syncs are failing, it does not shorten the pause.
   *
   * @param requestedAt - When a webhook came, Unix seconds. Undefined for orders that are to be delivered.
   */
  request(requestedAt?: number): void;
  /** Looks in the store now, because a sync has changed it. */
  look(): void;
  /** Looks in the store within `pollSeconds`, because a checkout was granted. */
  grant(): void;
}

/**
 * Creates the loop: look, sync if a sync is due, wait. During a long wait, it looks in the store every
 * `maxPollSeconds`, because another instance may have granted a checkout and stopped.
 */
export function createSyncLoop(settings: TrackerSettings, parts: LoopParts): SyncLoop {
  const { runtime, onError, maxPollSeconds, pollSeconds } = settings;
  let signal: AbortSignal | undefined;
  let isRequested = false;
  let requestedAt: number | undefined;
  let grantedAt = 0;
  /** The number of failures in a row. */
  let failures = 0;
  /** The latest time at which the loop continues, by the monotonic clock. */
  let wakeMs = Number.POSITIVE_INFINITY;
  let pause: { readonly end: () => void; timer?: Timer } | undefined;

  function setTimer(): void {
    if (!pause) return;
    runtime.clearTimeout(pause.timer);
    pause.timer = runtime.setTimeout(pause.end, Math.max(0, wakeMs - runtime.monotonic()));
    pause.timer.unref();
  }

  function wake(ms: number): void {
    const at = runtime.monotonic() + ms;
    if (at >= wakeMs) return;
    wakeMs = at;
    setTimer();
  }

  const wait = (ms: number) =>
    new Promise<void>((end) => {
      pause = { end };
      wake(ms);
      setTimer();
    });

  /** Syncs if a sync is due. Returns how long to wait, in milliseconds. */
  async function step(watch: Watch, current: AbortSignal): Promise<number> {
    wakeMs = Number.POSITIVE_INFINITY;
    watch.begin();
    const { plan, revision } = await parts.look();
    if (current.aborted) return 0;
    watch.note(revision);
    const now = getSeconds(runtime);
    if (!isRequested && plan.at > now) {
      watch.end();
      return Math.min(plan.at - now, maxPollSeconds) * 1000;
    }
    const request = { isRequested, requestedAt };
    isRequested = false;
    requestedAt = undefined;
    let hasRun = false;
    try {
      hasRun = (await parts.run({ requestedAt: request.requestedAt })).ran;
    } finally {
      // Whatever arrived during the sync is seen by the next look, or has made a request.
      wakeMs = Number.POSITIVE_INFINITY;
      if (!hasRun) {
        // The sync of another instance may have read past what was requested here.
        isRequested ||= request.isRequested;
        requestedAt ??= request.requestedAt;
      }
    }
    if (!hasRun) return BUSY_MS;
    watch.end();
    return isRequested ? REQUEST_MS : 0;
  }

  async function loop(current: AbortSignal): Promise<void> {
    const watch = createWatch(settings, parts.getProgress);
    const stop = () => {
      watch.stop();
      runtime.clearTimeout(pause?.timer);
      pause?.end();
    };
    current.addEventListener('abort', stop, { once: true });
    failures = 0;
    while (!current.aborted) {
      let ms: number;
      try {
        ms = await step(watch, current);
        failures = 0;
      } catch (error) {
        if (current.aborted) return;
        onError(error);
        watch.end();
        failures++;
        ms = getRetryPause(failures, pollSeconds) * 1000;
      }
      if (current.aborted) return;
      await wait(ms);
      pause = undefined;
    }
  }

  return {
    get isStarted() {
      return signal !== undefined && !signal.aborted;
    },
    get grantedAt() {
      return grantedAt;
    },
    start(given) {
      signal = given;
      isRequested = true;
      void loop(given);
    },
    request(at) {
      isRequested = true;
      if (at !== undefined) requestedAt = at;
      if (failures === 0) wake(REQUEST_MS);
    },
    look: () => wake(0),
    grant() {
      grantedAt = getSeconds(runtime);
      wake(pollSeconds * 1000);
    },
  };
}

interface Watch {
  /** Expects a look or a sync to make progress from now on. */
  begin(): void;
  /** Expects nothing until the next look. */
  end(): void;
  /** Notes the revision of the stored state, which a sync of any instance changes. */
  note(revision: number): void;
  stop(): void;
}

/**
 * Watches whether a due sync makes progress, in this instance or another one, and reports once if none does, because
 * the store keeps saying that another instance holds the lease, or a call to the store never returns. It counts checks
 * and reads no clock, so a changed clock or a sleeping machine does not cause a report.
 */
function createWatch(settings: TrackerSettings, getProgress: () => string): Watch {
  const { runtime, onError, pollSeconds, deliverySeconds } = settings;
  // One delivery may take `deliverySeconds`.
  const most = Math.max(QUIET_CHECKS, Math.ceil((3 * deliverySeconds) / pollSeconds));
  let isWatching = false;
  let revision = 0;
  let seen = '';
  let quiet = 0;
  const timer = runtime.setInterval(() => {
    const current = `${revision} ${getProgress()}`;
    quiet = isWatching && current === seen ? quiet + 1 : 0;
    seen = current;
    if (quiet === most) onError(createStallError(quiet * pollSeconds));
  }, pollSeconds * 1000);
  timer.unref();
  return {
    begin() {
      isWatching = true;
    },
    end() {
      isWatching = false;
    },
    note(read) {
      revision = read;
    },
    stop: () => runtime.clearInterval(timer),
  };
}

const createStallError = (seconds: number) =>
  new RampError(
    'ERR_TIMEOUT',
    `No sync of the order list has made progress for ${seconds} seconds, so new orders are not recorded. Either the store keeps reporting that another instance is syncing, or a call to the store does not return. Check that the database responds and that its clock is right, and restart the instance that syncs.`,
  );
