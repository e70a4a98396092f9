import type { Timer } from '../../src/server/internal/runtime.js';
import { audit, auditPages } from './audit.js';
import { createMemoryDatabase, createSqliteDatabase, hostRuntime } from './databases.js';
import { createJournal } from './journal.js';
import { fetchShop } from './network.js';
import { People } from './people.js';
import { createPlan, type Plan, type PlanOptions } from './plan.js';
import { createPostgresDatabase } from './postgres.js';
import { Service, type ServiceOrder } from './service.js';
import { API, Shop, type ShopOptions } from './shop.js';
import { replacePageGlobals, type Violation, World } from './world.js';

const HOUR = 3_600_000;

const createDatabases = {
  memory: createMemoryDatabase,
  sqlite: createSqliteDatabase,
  postgres: createPostgresDatabase,
};

export interface SimulationOptions extends PlanOptions {
  /** Whether to return the story of the run. */
  readonly isTold?: boolean;
}

export interface SimulationResult {
  readonly seed: string;
  readonly plan: Plan;
  readonly violations: readonly Violation[];
  readonly story: readonly string[];
  /** Equal for two runs of the same seed and options. */
  readonly hash: number;
  readonly events: number;
  readonly virtualMs: number;
}

/**
 * Runs the world of one seed: first with faults, then without until all shoppers have finished, and then for another
 * day. The audit follows. Only one run at a time is possible, because a run replaces globals of the process.
 */
export async function simulate(
  seed: string,
  options: SimulationOptions = {},
): Promise<SimulationResult> {
  const plan = createPlan(seed, options);
  const world = new World(seed, {
    ...options,
    maxEvents: options.isShort ? 200_000 : 2_000_000,
    hasHost: plan.store === 'postgres',
  });
  const service = new Service(world, plan);
  const journal = createJournal(plan);
  const restoreGlobals = replacePageGlobals(world);
  // Stacks take time, and only the story has room for them.
  const { stackTraceLimit } = Error;
  if (!options.isTold) Error.stackTraceLimit = 0;
  const onRejection = (error: unknown) =>
    world.violate('unhandled', `${(error as Error)?.stack ?? error}`.slice(0, 500));
  process.on('unhandledRejection', onRejection);
  // Assign the shop later: it needs the database, and the database calls the shop at each step.
  let shop: Shop | undefined;
  const database = await createDatabases[plan.store]({
    world,
    plan,
    onStep: (process, what) => shop?.onStep(process, what),
  });
  const shared: ShopOptions = { world, plan, service, database, journal };
  shop = new Shop(shared);
  const people = new People(shared, shop);
  try {
    receiveWebhooks(shared, shop);
    shop.start();
    people.start();
    await world.runUntil(plan.activeMs);
    world.tell('the faults end');
    shop.calm();
    if (people.watchers.some(({ isOpen }) => isOpen)) {
      await world.runUntil(journal.faultsEndMs + 120_000);
      await auditPages(shared, shop, people, false);
      // Most shoppers leave. Pages that stay open for hours make a run slow.
      if (options.isShort && world.random('pages').chance(0.8)) people.closePages();
    }
    for (let hours = 0; hours < 200 && people.busy > 0; hours++)
      await world.runUntil(world.nowMs + HOUR);
    if (people.busy > 0) world.violate('waits', `${people.busy} shoppers have not finished`);
    // Run for another day, so that the daily full sync finds what no other sync finds.
    const changedMs = findLastChange(service);
    for (let endMs = 0; endMs < changedMs + 26 * HOUR; ) {
      if (options.isShort) {
        // Some orders are listed a day late. No shopper keeps a page open for that long.
        if (changedMs > world.nowMs + 12 * HOUR) people.closePages();
        await world.runUntil(Math.max(world.nowMs, changedMs) + 3 * HOUR);
        await auditPages(shared, shop, people, true);
        people.closePages();
        await world.runUntil(world.nowMs + 60_000);
        shop.sleep(22 * HOUR);
        if (plan.buysAfterSleep) people.buyAfterSleep();
        endMs = world.nowMs + 23 * HOUR;
      } else endMs = Math.max(world.nowMs, changedMs) + 26 * HOUR;
      await world.runUntil(endMs);
    }
    if (people.busy > 0) world.violate('waits', 'the last shopper has not finished');
    await inTime(audit(shared, shop, people)).catch((error) =>
      world.violate('unreadable', `${error}`),
    );
  } finally {
    shop.close();
    people.close();
    await database.close();
    restoreGlobals();
    Error.stackTraceLimit = stackTraceLimit;
    process.off('unhandledRejection', onRejection);
  }
  const { violations, story, hash, eventCount: events, nowMs: virtualMs } = world;
  return { seed, plan, violations, story, hash, events, virtualMs };
}

/**
 * Rejects after half a minute of real time. If a process never ends its transaction, the file stays locked, and an audit
 * would wait for it for ever.
 */
async function inTime(work: Promise<void>): Promise<void> {
  const { setTimeout, clearTimeout } = hostRuntime;
  let timer: Timer | undefined;
  const limit = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('The store is locked.')), 30_000);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

const findLastChange = ({ orders }: Service): number =>
  Math.max(0, ...orders.filter(({ fails }) => !fails).map(findEnd));

const findEnd = ({ listedAtMs, malformedUntilMs, gaps, steps }: ServiceOrder) =>
  Math.max(listedAtMs, malformedUntilMs, ...gaps.map(([, to]) => to), steps.at(-1)?.timeMs ?? 0);

/** Sends the webhooks of the service to the shop, and writes down which ones were accepted. */
function receiveWebhooks({ world, plan, service, journal }: ShopOptions, shop: Shop): void {
  const send = async (webhook: Parameters<Service['onWebhook']>[0]) => {
    const { order, headers, body, hash } = webhook;
    const request = { method: 'POST', headers: new Headers(headers), body };
    const url = `${API}/webhook`;
    const response = await fetchShop(world, plan, undefined, shop.pickTarget, url, request).catch(
      () => undefined,
    );
    world.tell(`the webhook of ${order.id} is ${response?.status ?? 'lost'}`);
    if (response?.status === 200) {
      journal.webhooks.push({ webhook, atMs: world.nowMs });
      if (!journal.replays.has(hash))
        world.violate('announcement-lost', `the hash of the webhook of ${order.id} is not stored`);
    } else if (response && response.status >= 500) {
      // A webhook that arrives more than five minutes after its signature gets 401, so only 5xx counts.
      if (world.nowMs > journal.faultsEndMs + 60_000)
        world.violate('webhook-refused', `the webhook of ${order.id} was ${response.status}`);
    }
  };
  service.onWebhook = (webhook) => void send(webhook);
}
