import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresDatabase } from '../support/database/sqlDatabases.js';
import type { RampInstance } from '../support/database/startInstance.js';
import { tcpProxy } from '../support/database/tcpProxy.js';
import {
  expectNothingLost,
  type FaultScenario,
  startFaultScenario,
  withApplicationName,
} from './startFaultScenario.js';

/** Options of a typical pool: a query times out only on the client, and the pool then reuses the connection. */
const plainPool = { connectionTimeoutMillis: 5000, query_timeout: 3000 };
const RUNS = Number(process.env.FAULT_RUNS ?? 10);
/** The key of the advisory lock. Every transaction that writes orders takes this lock. */
const LOCK = 0x72616d70;

const pools = [
  ['a plain pg.Pool', { plainPool }],
  ['postgresPool', {}],
] as const;

interface Session {
  readonly pid: number;
  readonly state: string;
}

/** Returns the sessions of the application `name` that hold the lock. */
async function lockHolders(direct: Kysely<unknown>, name: string): Promise<readonly Session[]> {
  const held = sql<Session>`select a.pid, a.state from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.granted and a.application_name = ${name}`;
  return (await held.execute(direct)).rows;
}

/** Freezes an instance or a session in the middle of a write. Retries until the frozen session holds the lock. */
async function freezeWithinWrite(
  { direct }: FaultScenario,
  name: string,
  { freeze, resume }: { freeze(holder: Session): void; resume(): void },
): Promise<void> {
  for (let attempt = 0; attempt < 5000; attempt++) {
    const [holder] = await lockHolders(direct, name);
    if (!holder) continue;
    freeze(holder);
    // PostgreSQL still executes statements that it received before the freeze, and these may end the write.
    await wait(200);
    if ((await lockHolders(direct, name)).length > 0) return;
    resume();
  }
  throw new Error(`No attempt froze ${name} within a write.`);
}

const statistics = (values: readonly number[]) =>
  [...values]
    .sort((a, b) => a - b)
    .map((value) => value.toFixed(1))
    .join(', ');

async function secondsUntilDelivered(scene: FaultScenario, reference: string): Promise<number> {
  const from = performance.now();
  const key = `order-of-${reference}:deliver`;
  const goods = sql`select key from shop_goods where key = ${key}`;
  await expect
    .poll(async () => (await goods.execute(scene.direct)).rows.length, {
      timeout: 120_000,
      interval: 100,
    })
    .toBe(1);
  return (performance.now() - from) / 1000;
}

describe.each(pools)('PostgreSQL through %s', (_, options) => {
  it(`loses no checkout of two instances while it is locked for 8 s, ${RUNS} times`, async () => {
    const database = await createPostgresDatabase();
    const { target } = database;
    const scene = await startFaultScenario(database, { targets: [target, target], ...options });
    onTestFinished(scene.close);
    const delays: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const first = await scene.createCheckout(scene.instances[0] as RampInstance);
      let release = () => {};
      const isHeld = new Promise<void>((held, refuse) => {
        scene.direct
          .transaction()
          .execute(async (transaction) => {
            await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)}, hashtext(current_schema()::text))`.execute(
              transaction,
            );
            held();
            await new Promise<void>((done) => {
              release = done;
            });
          })
          .catch(refuse);
      });
      await isHeld;
      if (first) scene.listPaidOrder(first);
      await wait(8000);
      release();
      const burst = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          scene.createCheckout(scene.instances[i % 2] as RampInstance).catch(() => undefined),
        ),
      );
      for (const reference of burst) if (reference) scene.listPaidOrder(reference);
      delays.push(await secondsUntilDelivered(scene, first ?? ''));
    }
    await expectNothingLost(scene);
    process.stdout.write(
      `${RUNS} runs, ${scene.acknowledged.references.length} checkouts, none lost. Seconds from the release of the lock to the delivery: ${statistics(delays)}\n`,
    );
  });

  it(`loses no checkout when a session stops within a page, ${RUNS} times`, async () => {
    const database = await createPostgresDatabase();
    const target = withApplicationName(database.target, 'stopped');
    const scene = await startFaultScenario(database, { targets: [target], ...options });
    onTestFinished(scene.close);
    const closeShop = scene.startShoppers(4);
    const delays: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      let stopped: number | undefined;
      const resume = () => stopped && process.kill(stopped, 'SIGCONT');
      await freezeWithinWrite(scene, 'stopped', {
        freeze({ pid }) {
          stopped = pid;
          process.kill(pid, 'SIGSTOP');
        },
        resume,
      });
      await wait(2.6 * plainPool.query_timeout);
      resume();
      const from = performance.now();
      const known = await scene.countDelivered();
      await expect
        .poll(() => scene.countDelivered(), { timeout: 120_000, interval: 100 })
        .toBeGreaterThan(known);
      delays.push((performance.now() - from) / 1000);
    }
    await closeShop();
    await expectNothingLost(scene);
    process.stdout.write(
      `${RUNS} runs, ${scene.acknowledged.references.length} checkouts, none lost. Seconds from the resumed session to the next delivery: ${statistics(delays)}\n`,
    );
  });
});

describe('one of two instances on PostgreSQL that is frozen for 60 s within a write', () => {
  const FROZEN_MS = 60_000;
  const MAX_SECONDS = 15;

  async function check(
    scene: FaultScenario,
    { freeze, resume }: { freeze(): void; resume(): void },
  ): Promise<void> {
    const closeShop = scene.startShoppers(4);
    await freezeWithinWrite(scene, 'frozen', { freeze, resume });
    const from = performance.now();
    // While the first instance is frozen, the second one must accept a checkout and deliver its order.
    const reference = await scene.createCheckout(scene.instances[1] as RampInstance);
    scene.listPaidOrder(reference ?? '');
    const seconds = await secondsUntilDelivered(scene, reference ?? '');
    await wait(Math.max(0, FROZEN_MS - (performance.now() - from)));
    resume();
    await closeShop();
    await expectNothingLost(scene);
    process.stdout.write(
      `The other instance had delivered after ${seconds.toFixed(1)} s; ${scene.acknowledged.references.length} checkouts, none lost, ${scene.countRepeatedCalls()} callbacks repeated\n`,
    );
    expect(seconds).toBeLessThan(MAX_SECONDS);
  }

  it.each(pools)('does not block the other one: frozen process, %s', async (_, options) => {
    const database = await createPostgresDatabase();
    const frozen = withApplicationName(database.target, 'frozen');
    const scene = await startFaultScenario(database, {
      targets: [frozen, database.target],
      ...options,
    });
    onTestFinished(scene.close);
    const [instance] = scene.instances;
    await check(scene, {
      freeze: () => instance?.freeze(),
      resume: () => instance?.resume(),
    });
  });

  it.each(pools)('does not block the other one: frozen network, %s', async (_, options) => {
    const database = await createPostgresDatabase();
    const proxy = await tcpProxy(withApplicationName(database.target, 'frozen'));
    onTestFinished(proxy.close);
    const scene = await startFaultScenario(database, {
      targets: [proxy.url, database.target],
      ...options,
    });
    onTestFinished(scene.close);
    await check(scene, { freeze: () => proxy.freeze(), resume: () => proxy.resume() });
  });
});
