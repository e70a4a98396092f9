import { createConfigError, RampError } from '../../../protocol/errors/RampError.js';
import { getSeconds, processRuntime, type Runtime, sleep } from '../../internal/runtime.js';
import { createPartnerClaim } from '../store/partnerClaim.js';
import { createDeliverer } from './deliverChanges.js';
import { planSync, type SyncPlan, type SyncReason } from './plan.js';
import { toWorkQuery } from './readDueRanges.js';
import { createSyncer, hasReadSince, type SyncConditions, type SyncRun } from './runSync.js';
import { createStartCheck } from './startCheck.js';
import { BUSY_MS, createSyncLoop } from './syncLoop.js';
import { getWatermark, parseSyncState, type SyncState } from './syncState.js';
import { type OrderTrackerOptions, toTrackerSettings } from './trackerOptions.js';

/** The shortest time between the starts of two runs of `syncIfDue`, in any two processes. */
const MIN_RUN_SECONDS = 10;
/**
 * How much earlier than planned a scheduled job may sync, at most. Otherwise a job that runs every minute would often
 * come a second too early, and have to wait another minute.
 */
const EARLY_SECONDS = 30;
/**
 * How many times a webhook tries to sync while another instance is syncing. With the pauses, the tries take ten
 * seconds, so they outlast a crashed instance's lease (9 seconds).
 */
const MAX_TRIES = 6;

/** How much longer than its limits a sync may take before another one may begin alongside it. */
const STUCK_SECONDS = 30;

/** When orders were and will be read. Times are Unix seconds. */
export interface SyncStatus {
  /** When the next sync is due. A time that has passed means that it is overdue. */
  readonly nextAt: number;
  /** What the next sync waits for. */
  readonly why: SyncReason;
  /** When the last sync began. Undefined before the first one. */
  readonly begunAt: number | undefined;
  /** When the last sync ended. Undefined while it runs. */
  readonly endedAt: number | undefined;
  /**
   * All orders that were listed by this time are recorded. Undefined until the past week (`fullSyncLookbackSeconds`)
   * has been read once.
   */
  readonly syncedAt: number | undefined;
  /** The number of syncs in a row that could not read the newest orders. */
  readonly failures: number;
}

/** The part of the backend that reads the order list, records the orders of checkouts, and delivers their changes. */
export interface OrderTracker {
  start(): void;
  stop(): Promise<void>;
  /** Syncs now, or when this process's running sync ends. `onlyIfDue` is for scheduled jobs. */
  sync(options?: { readonly onlyIfDue?: boolean | undefined }): Promise<SyncRun>;
  status(): Promise<SyncStatus>;
  /**
   * Requests a sync, because a webhook has arrived. The promise never rejects. In a started process it resolves
   * immediately. Otherwise it resolves when the sync has ended, because the process may not outlive the request.
   */
  requestSync(): Promise<void>;
  /** Tells the tracker that a checkout was signed, so that it expects an order. */
  checkoutGranted(): void;
  /** Syncs for a new checkout if a sync is due, in a process that lives for one request. Never rejects. */
  syncForCheckout(): Promise<void>;
  /** Tells the tracker that orders were recorded outside a sync, so that a started process delivers them soon. */
  ordersRecorded(): void;
}

/**
 * Creates an order tracker. A sync is one function from the stored state to the next one, whoever calls it: the loop of
 * `start()`, a webhook, a scheduled job, or a person. Several instances may run on one store; only one of them syncs at
 * a time.
 */
export function createOrderTracker(
  options: OrderTrackerOptions,
  runtime: Runtime = processRuntime,
): OrderTracker {
  const settings = toTrackerSettings(options, runtime);
  const { store, onError, isServerless } = settings;
  const claimPartner = createPartnerClaim('createRamp', store, { api: settings.api });
  const deliverer = createDeliverer(settings);
  const syncer = createSyncer(settings, deliverer);
  let controller = new AbortController();
  let isStopped = false;
  let isMigrated = false;
  let running: { readonly done: Promise<SyncRun>; readonly sinceMs: number } | undefined;
  /** The sync after the one that is running. Its conditions are those that all its callers have in common. */
  let next: { conditions: SyncConditions; readonly done: Promise<SyncRun> } | undefined;

  async function migrate(): Promise<void> {
    if (!isMigrated) await store.migrate?.();
    isMigrated = true;
  }

  /** Reads the state of the syncs, and plans the next one. */
  async function look(): Promise<{ plan: SyncPlan; state: SyncState; revision: number }> {
    const { revision, state: text } = await store.readSyncState();
    const state = parseSyncState(text);
    const now = getSeconds(runtime);
    const work = await store.findWork(toWorkQuery(settings, now));
    const { newestCheckoutAt = 0 } = work;
    const granted = { ...work, newestCheckoutAt: Math.max(newestCheckoutAt, loop.grantedAt) };
    return { plan: planSync(state, granted, settings, now), state, revision };
  }

  async function runNow(conditions: SyncConditions): Promise<SyncRun> {
    await migrate();
    await claimPartner();
    const done = await syncer.run(controller.signal, conditions);
    if (done.ran) loop.look();
    return done;
  }

  /** Runs a sync that begins after this call. Calls that arrive while a sync is running share the next one. */
  function run(conditions: SyncConditions = {}): Promise<SyncRun> {
    if (running && isStuck(running)) {
      running = undefined;
      next = undefined;
    }
    if (next) {
      next.conditions = joinConditions(next.conditions, conditions);
      return next.done;
    }
    if (!running) return begin(conditions);
    const beginNext = () => {
      const joined = next?.conditions;
      next = undefined;
      return begin(joined ?? {});
    };
    next = { conditions, done: running.done.then(beginNext, beginNext) };
    return next.done;
  }

  function begin(conditions: SyncConditions): Promise<SyncRun> {
    const begun = {
      sinceMs: runtime.monotonic(),
      done: runNow(conditions).finally(() => {
        if (running === begun) running = undefined;
      }),
    };
    running = begun;
    return begun.done;
  }

  /**
   * Returns whether a sync is long past its time limits, because a call to the store never returns. Another sync may
   * begin then: the lease and the revision keep the stuck one from writing.
   */
  function isStuck({ sinceMs }: { readonly sinceMs: number }): boolean {
    const limitSeconds = 2 * (settings.syncSeconds + settings.deliverySeconds) + STUCK_SECONDS;
    if (runtime.monotonic() - sinceMs < limitSeconds * 1000) return false;
    onError(createStuckError(limitSeconds));
    return true;
  }

  const loop = createSyncLoop(settings, {
    look: () => migrate().then(look),
    run,
    getProgress: () => syncer.progress,
  });
  const checkStart = createStartCheck(settings, () => syncer.completeAt);

  async function syncIfDue(isEarly: boolean): Promise<SyncRun> {
    await migrate();
    const { plan, state, revision } = await look();
    const now = getSeconds(runtime);
    const { begunAt, endedAt = begunAt } = state;
    if (now >= begunAt && now - begunAt < MIN_RUN_SECONDS) return { ran: false };
    const early = isEarly ? Math.min(EARLY_SECONDS, (plan.at - endedAt) / 2) : 0;
    return now >= plan.at || now + early >= plan.at ? run({ revision }) : { ran: false };
  }

  /** Never rejects. */
  async function syncForWebhook(since: number): Promise<void> {
    const conditions = { unlessSince: since, requestedAt: since };
    let failure: unknown;
    for (let tries = 1; !isStopped; tries++) {
      try {
        if ((await run(conditions)).ran) return;
        failure = undefined;
        // If another process has read the list since the webhook came, it has seen the order, or will see it next time.
        const { state } = await look();
        if (hasReadSince(state, since, getSeconds(runtime))) return;
      } catch (error) {
        failure = error;
      }
      if (tries === MAX_TRIES) break;
      await sleep(runtime, BUSY_MS);
    }
    if (failure !== undefined) onError(failure);
  }

  return {
    start() {
      if (isServerless)
        throw createConfigError(
          'ramp.start()',
          'is for a process that keeps running, and createRamp has the option serverless. Remove the option, or remove this call and let a scheduled job request the route /sync of the handler.',
        );
      if (loop.isStarted) return;
      isStopped = false;
      controller = new AbortController();
      loop.start(controller.signal);
    },
    async stop() {
      isStopped = true;
      controller.abort();
      await Promise.allSettled([running?.done, next?.done]);
    },
    async sync({ onlyIfDue = false } = {}) {
      if (!onlyIfDue) return run();
      if (isServerless) return syncIfDue(true);
      throw createConfigError(
        'ramp.sync({ onlyIfDue: true })',
        'needs the option serverless. In a process that keeps running, call ramp.start() instead.',
      );
    },
    async status() {
      const { plan, state } = await look();
      const { begunAt, endedAt, failures } = state;
      return {
        nextAt: plan.at,
        why: plan.why,
        begunAt: begunAt || undefined,
        endedAt,
        syncedAt: getWatermark(state),
        failures,
      };
    },
    async requestSync() {
      if (loop.isStarted) return loop.request(getSeconds(runtime));
      if (isStopped) return;
      if (!isServerless)
        warnNotStarted(
          runtime,
          'A webhook was received but ramp.start() was never called, so the order list is read only for this webhook, and orders whose webhook is lost are not found.',
        );
      await syncForWebhook(getSeconds(runtime));
    },
    checkoutGranted() {
      if (!loop.isStarted && !isStopped && !isServerless) {
        warnNotStarted(
          runtime,
          'A checkout was signed but ramp.start() was never called in this process, so only a webhook finds its order.',
        );
        void checkStart();
      }
      loop.grant();
    },
    async syncForCheckout() {
      try {
        // Requests may arrive at any time, so they must not start a sync before it is due.
        if (isServerless) await syncIfDue(false);
      } catch (error) {
        onError(error);
      }
    },
    ordersRecorded: () => loop.request(),
  };
}

/** Returns the conditions under which neither of two callers needs a sync. */
const joinConditions = (a: SyncConditions, b: SyncConditions): SyncConditions => ({
  revision: join(a.revision, b.revision),
  unlessSince: join(a.unlessSince, b.unlessSince),
  requestedAt: Math.max(a.requestedAt ?? 0, b.requestedAt ?? 0) || undefined,
});

const join = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : Math.max(a, b);

const createStuckError = (seconds: number) =>
  new RampError(
    'ERR_TIMEOUT',
    `A sync of the order list has not ended within ${seconds} seconds, because a call to the store does not return. Another one begins now. Check the connection to the database, and restart this process if it happens again.`,
  );

/** Warns once in development that a tracker is used but was never started. */
function warnNotStarted(runtime: Runtime, consequence: string): void {
  if (!runtime.isFirst('not started')) return;
  runtime.warnOnce(
    `${consequence} Call ramp.start() once when your server starts. In serverless functions, pass the option serverless, and let a scheduled job request the route /sync of the handler.`,
  );
}
