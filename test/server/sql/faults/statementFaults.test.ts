import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it, type TestContext } from 'vitest';
import {
  createWebhookVerifier,
  type OrderStore,
  type OrderToDeliver,
} from '../../../../src/server/index.js';
import { createOrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import { postgresPool, type SqlOrderStore } from '../../../../src/server/sql/index.js';
import { createPostgresDatabase } from '../../../support/database/sqlDatabases.js';
import { storeWithIdleLimit } from '../../../support/database/storeWithIdleLimit.js';
import { type NetworkFault, type TcpProxy, tcpProxy } from '../../../support/database/tcpProxy.js';
import { callHandler, createTestHandler } from '../../../support/server/createTestHandler.js';
import {
  createWebhook,
  webhookPublicKey,
  webhookUrl,
} from '../../../support/server/createWebhook.js';
import { handleChanges } from '../../../support/server/handleChanges.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../../support/server/orderFixtures.js';
import { caseStep, runsAllCases } from '../../../support/server/sampleCases.js';
import { fakeApi } from '../../../support/server/setUpTrackers.js';
import { testRuntime, withReference } from '../../../support/server/testRuntime.js';

const FAULTS: readonly NetworkFault[] = [
  'lose-request',
  'lose-response',
  'cut-request',
  'cut-response',
  'delay-request',
  'delay-response',
];

/**
 * A sync has many statements. `CASES=all` tests a fault at each of them. Without it, every tenth one is tested, and
 * starts at another statement for each fault.
 */
const SYNC_STEP = caseStep(10);
/**
 * The delay of a request or response. It exceeds query_timeout of the client (500), IDLE_MS and workMs (600), after
 * which the server ends a transaction or a delivery, so both give up during the delay.
 */
const DELAY_MS = 900;
const POOL_LIMITS = { statement_timeout: 300, query_timeout: 500 };
const LIMITS = { lockMs: 100, statementMs: 300, workMs: 600 };
const IDLE_MS = 400;
/** The time within which writes must succeed again after any fault. It is long enough for a slow machine. */
const RECOVERY_MS = 10_000;

interface Scene {
  readonly proxy: TcpProxy;
  /** The store under test. Its connections go through `proxy`. */
  readonly store: SqlOrderStore;
  /** The store of another instance, which connects directly and has no faults. */
  readonly other: SqlOrderStore;
  readonly direct: Kysely<unknown>;
}

/** An operation of a backend, and a check that its result was kept if the store acknowledged the operation. */
interface Operation {
  /** The distance between the statements at which a fault is tested: 1 tests every statement. */
  readonly step: number;
  /** Returns whether the store acknowledged the operation. */
  run(scene: Scene, name: string): Promise<boolean>;
  check(scene: Scene, name: string, isAcknowledged: boolean): Promise<void>;
}

const checkout: Operation = {
  step: 1,
  async run({ store }, name) {
    const { status } = await callHandler(
      createTestHandler({ store, onError() {} }, withReference(name)),
    );
    return status === 201;
  },
  async check({ other }, name, isAcknowledged) {
    const found = await other.findCheckout(name);
    if (isAcknowledged) expect(found?.reference).toBe(name);
  },
};

const webhooks = createWebhookVerifier(
  { publicKey: webhookPublicKey, url: webhookUrl },
  testRuntime({ now: () => baseTime * 1000 }),
);

/** Creates a webhook whose nonce is the number at the end of `name`, so each name has a unique webhook. */
const createNamedWebhook = (name: string) =>
  createWebhook({ timestamp: baseTime, nonce: Number(name.slice(-6)) });

const receiveWebhook: Operation = {
  step: 1,
  async run({ store }, name) {
    const { headers, body } = createNamedWebhook(name);
    const handler = createTestHandler(
      { store, webhooks, onError() {} },
      { now: () => baseTime * 1000 },
    );
    const sent = { method: 'POST', headers, body: Buffer.from(body) };
    const response = await handler(new Request('https://shop.example/api/ramp/webhook', sent));
    return response.status === 200;
  },
  async check({ other }, name, isAcknowledged) {
    const { id } = webhooks.verify(createNamedWebhook(name));
    const isNew = await other.claimReplay(id, baseTime + 600, baseTime);
    if (isAcknowledged) expect(isNew).toBe(false);
  },
};

/** Writes two rows in the transaction of the delivery. Nothing keeps them from being written twice but this transaction. */
async function book(
  { key }: Pick<OrderToDeliver, 'key'>,
  transaction: Kysely<unknown>,
): Promise<void> {
  await sql`insert into shop_bookings values (${key})`.execute(transaction);
  await sql`insert into shop_goods values (${key})`.execute(transaction);
}

async function syncOnce(
  scene: Scene,
  store: OrderStore,
  name: string,
  seconds = baseTime,
): Promise<boolean> {
  const api = Object.assign(fakeApi(), {
    orders: [0, 1, 2].map((i) => onRampOrder({ orderId: `${name}-${i}`, ext: name })),
  });
  const tracker = createOrderTracker(
    {
      api,
      store,
      deliver: book,
      review: (order, _, transaction: Kysely<unknown>) => book(order, transaction),
      onError() {},
    },
    testRuntime({ now: () => seconds * 1000 }),
  );
  await sql`update ramp_state set lease_until = 0`.execute(scene.direct);
  return (await tracker.sync()).ran;
}

const sync: Operation = {
  step: SYNC_STEP,
  async run(scene, name) {
    await scene.other.saveCheckout(onRampCheckout({ reference: name }));
    return syncOnce(scene, scene.store, name).catch(() => false);
  },
  async check(scene, name) {
    const { other, direct } = scene;
    // The three orders are one page, which is recorded completely or not at all.
    const recorded = sql<{ count: string }>`select count(*) as count from ramp_orders
      where order_id like ${`${name}-%`}`;
    expect(['0', '3']).toContain((await recorded.execute(direct)).rows[0]?.count);
    // A delivery that has failed is tried again a few seconds later.
    await syncOnce(scene, other, name, baseTime + 60);
    const goods = sql<{ key: string }>`select key from shop_goods where key like ${`${name}-%`}`;
    const keys = (await goods.execute(direct)).rows.map(({ key }) => key).sort();
    expect(keys).toEqual([`${name}-0:deliver`, `${name}-1:second-order`, `${name}-2:second-order`]);
  },
};

/** Erases a person with a paid and an unopened checkout. A repeated call completes what a fault has interrupted. */
const erase: Operation = {
  step: SYNC_STEP,
  async run({ store, other }, name) {
    for (const reference of [name, `${name}-unopened`])
      await other.saveCheckout(onRampCheckout({ reference, subject: name }));
    await other.recordOrders([onRampOrder({ orderId: name, ext: name })], baseTime);
    const changes = await other.listUndelivered({ orderIds: [name], limit: 9 });
    await handleChanges(other, changes, baseTime);
    return store.eraseSubject(name).then(
      ({ open }) => open.length === 0,
      () => false,
    );
  },
  async check({ other, direct }, name, isAcknowledged) {
    const { erased } = await other.eraseSubject(name);
    // One transaction erases both checkouts.
    expect(isAcknowledged ? [0] : [0, 2]).toContain(erased);
    const rows = sql`select 1 from ramp_checkouts where subject = ${name}
      union all select 1 from ramp_orders where reference = ${name}`;
    expect((await rows.execute(direct)).rows).toEqual([]);
  },
};

const operations = {
  checkout,
  'a webhook': receiveWebhook,
  'a sync with deliveries': sync,
  'an erasure': erase,
};

type OpenPool = (config: pg.PoolConfig) => pg.Pool;

/** Creates a plain `pg.Pool`. Unlike `postgresPool`, it reuses a connection on which a query timed out. */
function plainPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

const ownPool: OpenPool = (config) => postgresPool({ pg, onError() {}, ...config });

/**
 * The faults to test with each pool. Pools other than `postgresPool` keep using a silent connection until the operating
 * system closes it, so they cannot recover in time from a lost request or response.
 */
const pools: readonly (readonly [string, OpenPool, readonly NetworkFault[]])[] = [
  ['postgresPool', ownPool, FAULTS.filter((fault) => runsAllCases || fault === 'lose-response')],
  [
    'another pool',
    plainPool,
    FAULTS.filter((fault) => (runsAllCases ? !/^lose/.test(fault) : fault === 'cut-response')),
  ],
];

async function openScene(
  openPool: OpenPool,
  onTestFinished: TestContext['onTestFinished'],
): Promise<Scene> {
  const database = await createPostgresDatabase();
  const direct = database.connect();
  const proxy = await tcpProxy(database.target, DELAY_MS);
  const pool = openPool({ connectionString: proxy.url, max: 3, ...POOL_LIMITS });
  const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) });
  onTestFinished(async () => {
    await proxy.close();
    await kysely.destroy();
  });
  const store = storeWithIdleLimit(kysely, { limits: LIMITS }, IDLE_MS);
  await store.readSyncState();
  await sql`create table shop_bookings (key text not null)`.execute(direct);
  await sql`create table shop_goods (key text not null)`.execute(direct);
  return { proxy, store, other: database.store(), direct };
}

/** Retries the work until it succeeds. Throws its last error after {@link RECOVERY_MS}. */
async function soon(work: () => Promise<unknown>): Promise<void> {
  for (const end = performance.now() + RECOVERY_MS; ; ) {
    try {
      await work();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

const cases = pools.flatMap(([pool, openPool, faults]) =>
  Object.entries(operations).map(
    ([name, operation]) => [name, pool, { operation, openPool, faults }] as const,
  ),
);

describe.each(cases)(
  '%s on PostgreSQL, through %s',
  (_, __, { operation, openPool, faults: met }) => {
    it.concurrent.for(met)(
      'keeps all acknowledged writes: %s',
      async (fault, { onTestFinished }) => {
        const scene = await openScene(openPool, onTestFinished);
        const { proxy, store, other } = scene;
        let faults = 0;
        const { step } = operation;
        for (let at = 1 + (FAULTS.indexOf(fault) % step); ; at += step) {
          const name = `checkout-of-statement-${100_000 + at}`;
          proxy.failAt(at, fault);
          const running = operation.run(scene, name);
          // Meanwhile another instance must still be able to write.
          const order = onRampOrder({ orderId: `other-${name}` });
          const [isAcknowledged] = await Promise.all([
            running,
            soon(() => other.recordOrders([order], 1_790_000_000)),
          ]);
          const isMet = proxy.statementCount >= at;
          proxy.failAt(Number.MAX_SAFE_INTEGER, fault);
          await operation.check(scene, name, isAcknowledged);
          if (!isMet) break;
          faults++;
          await soon(async () => {
            const reference = randomBytes(16).toString('base64url');
            await store.saveCheckout(onRampCheckout({ reference }));
            expect(await other.findCheckout(reference)).toBeDefined();
          });
        }
        expect(faults).toBeGreaterThan(0);
        let attempt = 200_000;
        await soon(async () => {
          const name = `checkout-of-statement-${attempt++}`;
          const isAcknowledged = await operation.run(scene, name);
          expect(isAcknowledged).toBe(true);
          await operation.check(scene, name, isAcknowledged);
        });
      },
    );
  },
);
