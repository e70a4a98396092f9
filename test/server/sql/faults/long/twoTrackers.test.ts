import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createPostgresSchema,
  type TestDatabase,
} from '../../../../support/database/sqlDatabases.js';
import { type RampInstance, startInstance } from '../../../../support/database/startInstance.js';
import { fakeOrderList, type ListedOrder } from '../../../../support/server/fakeOrderList.js';
import { caseStep } from '../../../../support/server/sampleCases.js';
import { setUpUpstream } from '../../../../support/server/startUpstream.js';
import { writeWatermark } from '../../../../support/server/syncStates.js';

const DAY = 86_400;
const MANY = 10_000 / caseStep(4);
const upstream = setUpUpstream();
let running: RampInstance[] = [];

afterEach(async () => {
  await Promise.all(running.map(({ kill }) => kill()));
  running = [];
});

/** Creates orders of the last twenty days. A first sync without a watermark would read only the last week. */
function listOf(count: number): ListedOrder[] {
  const now = Math.floor(Date.now() / 1000);
  return Array.from({ length: count }, (_, i) => ({
    orderId: `order-${i}`,
    finishTime: now - 20 * DAY + Math.floor((i * 20 * DAY) / count),
    ext: `theirs-${i}`,
  }));
}

interface Scene {
  readonly kysely: Kysely<unknown>;
  readonly list: ReturnType<typeof fakeOrderList>;
  /** The name of the instance that sent each request for the list. */
  readonly askers: string[];
  start(name: string): Promise<RampInstance>;
  count(table: string): Promise<number>;
  /** Returns the number of rows that each call of `review` has written with its transaction. */
  deliveries(): Promise<number[]>;
}

/** Starts a service with `count` orders and a delay of `answerMs`, and sets a watermark before the first order. */
async function scene(database: TestDatabase, count: number, answerMs: number): Promise<Scene> {
  const list = fakeOrderList(listOf(count));
  const askers: string[] = [];
  upstream.respondWith((request, response) => {
    askers.push(`${request.headers['x-instance']}`);
    setTimeout(() => list.answer(request, response), answerMs);
  });
  const kysely = database.connect();
  await writeWatermark(database.store(), Math.floor(Date.now() / 1000) - 20 * DAY);
  await sql`create table deliveries (key text not null, instance text not null)`.execute(kysely);
  const counted = async (table: string) => {
    const all = sql<{ count: string }>`select count(*) as count from ${sql.table(table)}`;
    return Number((await all.execute(kysely)).rows[0]?.count);
  };
  return {
    kysely,
    list,
    askers,
    count: counted,
    async start(name) {
      const instance = await startInstance({
        name,
        target: database.target,
        apiUrl: upstream.baseUrl,
      });
      running.push(instance);
      return instance;
    },
    async deliveries() {
      const each = sql<{ count: string }>`select count(*) as count from deliveries group by key`;
      return (await each.execute(kysely)).rows.map(({ count }) => Number(count));
    },
  };
}

async function until(isSo: () => Promise<boolean> | boolean, seconds = 180): Promise<void> {
  for (const end = Date.now() + seconds * 1000; !(await isSo()); ) {
    if (Date.now() > end) throw new Error(`The condition is not met after ${seconds} seconds.`);
    await wait(20);
  }
}

/** Lets the lease of a killed process expire, so that the test need not wait for it. */
const endLease = ({ kysely }: Scene) =>
  sql`update ramp_state set lease_until = lease_until - 31`.execute(kysely);

describe('createRamp in two instances on one PostgreSQL', () => {
  const long = { timeout: 300_000 };

  it(
    `records and hands over each of ${MANY} orders once after a concurrent start`,
    long,
    async () => {
      const COUNT = MANY;
      const trackers = await scene(await createPostgresSchema(), COUNT, 0);
      const both = await Promise.all(['a', 'b'].map((name) => trackers.start(name)));
      for (const { start } of both) start();
      await until(async () => (await trackers.count('deliveries')) >= COUNT);
      expect(await trackers.count('ramp_orders')).toBe(COUNT);
      expect(new Set(await trackers.deliveries())).toEqual(new Set([1]));
      expect(await trackers.count('deliveries')).toBe(COUNT);
    },
  );

  it('misses no order when one instance is killed during a sync', long, async () => {
    const COUNT = 3000;
    const trackers = await scene(await createPostgresSchema(), COUNT, 15);
    const [first, second] = await Promise.all(['a', 'b'].map((name) => trackers.start(name)));
    first?.start();
    await until(async () => (await trackers.count('ramp_orders')) > 0);
    second?.start();
    await until(async () => (await trackers.count('ramp_orders')) > COUNT / 4);
    await first?.kill();
    const known = await trackers.count('ramp_orders');
    expect(known).toBeLessThan(COUNT);
    // Until now only the killed instance has read the list.
    expect(new Set(trackers.askers)).toEqual(new Set(['a']));
    await endLease(trackers);
    await until(async () => (await trackers.count('deliveries')) >= COUNT);
    expect(await trackers.count('ramp_orders')).toBe(COUNT);
    expect(new Set(await trackers.deliveries())).toEqual(new Set([1]));
  });

  it(
    'writes each row once when one instance is killed while it hands over orders',
    long,
    async () => {
      const COUNT = 400;
      const trackers = await scene(await createPostgresSchema(), COUNT, 0);
      const [first, second] = await Promise.all(['a', 'b'].map((name) => trackers.start(name)));
      first?.start();
      await until(async () => (await trackers.count('deliveries')) > 5);
      await first?.kill();
      expect(await trackers.count('deliveries')).toBeLessThan(COUNT);
      second?.start();
      await endLease(trackers);
      await until(async () => (await trackers.deliveries()).length === COUNT);
      expect(new Set(await trackers.deliveries())).toEqual(new Set([1]));
    },
  );
});
