import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Order } from '../../../../../src/protocol/index.js';
import type { OrderStore } from '../../../../../src/server/index.js';
import { createOrderTracker } from '../../../../../src/server/orders/tracker/createOrderTracker.js';
import type { RemoteStore } from '../../../../support/database/remoteStore.js';
import { sqlDatabases } from '../../../../support/database/sqlDatabases.js';
import { seededRandom } from '../../../../support/fixedSeed.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../../../support/server/orderFixtures.js';
import { caseStep } from '../../../../support/server/sampleCases.js';
import { fakeApi } from '../../../../support/server/setUpTrackers.js';
import { testRuntime } from '../../../../support/server/testRuntime.js';

const random = seededRandom('killedProcess');

const ROUNDS = 50 / caseStep(5);
/** The process of each round is killed after a random number of acknowledged writes, at most this many. */
const MAX_WRITES = 12;

interface Acknowledged {
  readonly references: string[];
  readonly orderIds: string[];
  readonly hashes: string[];
}

/** @param onWrite - Called after each acknowledged write. */
async function writeUntilKilled(
  { store }: RemoteStore,
  round: number,
  onWrite: () => void,
): Promise<Acknowledged> {
  const acknowledged: Acknowledged = { references: [], orderIds: [], hashes: [] };
  try {
    for (let i = 0; ; i++) {
      const reference = `r${round}-${i}`;
      await store.saveCheckout(onRampCheckout({ reference }));
      acknowledged.references.push(reference);
      onWrite();
      await store.claimReplay(`h${round}-${i}`, baseTime + 600, baseTime);
      acknowledged.hashes.push(`h${round}-${i}`);
      onWrite();
      const page = [0, 1, 2].map((n) =>
        onRampOrder({ orderId: `o${round}-${i}-${n}`, ext: reference }),
      );
      await store.recordOrders(page, baseTime);
      acknowledged.orderIds.push(...page.map(({ orderId }) => orderId));
      onWrite();
    }
  } catch (error) {
    if (!/process has exited/.test(`${error}`)) throw error;
  }
  return acknowledged;
}

/** The number of orders in one sync: several batches of 100. */
const SYNCED = 810;
const createOrders = (round: number) =>
  Array.from({ length: SYNCED }, (_, i) =>
    onRampOrder({ orderId: `s${round}-${i}`, ext: undefined, finishTime: baseTime - SYNCED + i }),
  );

/**
 * Syncs `orders` into the store of another process. `own` replaces two methods: withSyncLease, because a remote store
 * cannot run the sync that it is called with, and listPendingChanges, so that nothing is delivered.
 */
async function sync({ store }: RemoteStore, orders: Order[]): Promise<void> {
  const own: Partial<OrderStore> = {
    withSyncLease: (work) => work(() => true).then(() => true),
    listPendingChanges: async () => [],
  };
  const tracker = createOrderTracker(
    {
      api: Object.assign(fakeApi(), { orders }),
      store: new Proxy(store, { get: (there, name: keyof OrderStore) => own[name] ?? there[name] }),
      deliver() {},
      review() {},
      // The store fails again when the sync stores that it has failed.
      onError() {},
    },
    testRuntime({ now: () => baseTime * 1000 }),
  );
  await tracker.sync();
}

async function countOf(kysely: Kysely<unknown>, prefix: string): Promise<number> {
  const found = sql<{ count: number | string }>`
    select count(*) as count from ramp_orders where order_id like ${`${prefix}%`}`;
  return Number((await found.execute(kysely)).rows[0]?.count);
}

describe.each(sqlDatabases)('sqlOrderStore on %s in a process that is killed', (_, empty) => {
  it(`keeps all acknowledged writes over ${ROUNDS} kills, and has all orders after a sync`, async () => {
    const database = await empty();
    let process = database.remote();
    let total = 0;
    let brokenSyncs = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { store } = process;
      await store.readSyncState();
      let writes = 0;
      const last = random.int(1, MAX_WRITES);
      let onLast = () => {};
      const reached = new Promise<void>((done) => {
        onLast = done;
      });
      const writing = writeUntilKilled(process, round, () => {
        writes += 1;
        if (writes === last) onLast();
      });
      const synced = createOrders(round);
      const syncing = sync(process, synced).catch(() => brokenSyncs++);
      await reached;
      // Start the next process while the current process still runs, as during a deployment.
      const next = database.remote();
      await process.kill();
      process = next;
      const { references, orderIds, hashes } = await writing;
      await syncing;
      total += references.length + orderIds.length + hashes.length;

      const reopened = database.connect();
      const lost = async (table: string, column: string, keys: readonly string[]) => {
        const rows = sql<{
          key: string;
        }>`select ${sql.ref(column)} as key from ${sql.table(table)}`;
        const kept = new Set((await rows.execute(reopened)).rows.map(({ key }) => key));
        return keys.filter((key) => !kept.has(key));
      };
      expect(await lost('ramp_checkouts', 'reference', references)).toEqual([]);
      expect(await lost('ramp_orders', 'order_id', orderIds)).toEqual([]);
      expect(await lost('ramp_replays', 'hash', hashes)).toEqual([]);
      // A batch of orders is recorded completely or not at all. So there are as many changes as orders.
      // writeUntilKilled records batches of 3 orders, and the sync records batches of 100, so the killed process has
      // recorded multiples of these numbers, unless its sync was complete.
      const counts = await sql<Record<'orders' | 'changes', number | string>>`
        select (select count(*) from ramp_orders) as orders,
          (select count(*) from ramp_changes) as changes`.execute(reopened);
      const [orders, changes] = Object.values(counts.rows[0] ?? {}).map(Number);
      expect(changes).toBe(orders);
      const written = await countOf(reopened, `o${round}-`);
      expect(written % 3).toBe(0);
      const recorded = await countOf(reopened, `s${round}-`);
      expect(recorded === SYNCED ? 0 : recorded % 100).toBe(0);
      await sync(process, synced);
      expect(
        await lost(
          'ramp_orders',
          'order_id',
          synced.map(({ orderId }) => orderId),
        ),
      ).toEqual([]);
      await reopened.destroy();
    }
    globalThis.process.stdout.write(
      `${ROUNDS} kills, ${brokenSyncs} within a sync: ${total} rows acknowledged, none lost, and no order missing after one sync\n`,
    );
    expect(total).toBeGreaterThanOrEqual(ROUNDS);
    expect(brokenSyncs).toBeGreaterThan(ROUNDS / 10);
    const kysely = database.connect();
    expect(await countOf(kysely, 's')).toBe(ROUNDS * SYNCED);
  });
});
