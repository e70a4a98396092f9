import { expect, it } from 'vitest';
import type { OrderStore, OrderToDeliver } from '../../src/server/index.js';
import { createOrderTracker } from '../../src/server/orders/tracker/createOrderTracker.js';
import { parseSyncState } from '../../src/server/orders/tracker/syncState.js';
import type { CrashingStore, CrashPoint } from '../support/database/crashingStore.js';
import { baseTime, onRampCheckout, onRampOrder } from '../support/server/orderFixtures.js';
import { fakeApi } from '../support/server/setUpTrackers.js';
import { readWatermark, writeWatermark } from '../support/server/syncStates.js';
import { testRuntime } from '../support/server/testRuntime.js';

const DAY = 86_400;
const BATCH = 100;
const LOOKBACK = 7200;
const never: CrashPoint = { stepNumber: Number.POSITIVE_INFINITY, isAfterStep: false };

interface KilledSyncScenario {
  /** The store of another process, which continues after the crash. */
  readonly store: OrderStore;
  /** Creates a store on the same data that simulates a process which crashes at the given point. */
  createCrashingStore(death: CrashPoint): CrashingStore;
  /** Lets the lease of the killed process expire, so that another process can sync. */
  endLease(): Promise<unknown>;
  /** Writes a row of the shop with the transaction of a delivery. */
  ship?(order: OrderToDeliver, transaction: never): Promise<unknown>;
  /** Returns the IDs of all orders that `ship` has written. */
  listShipped?(): Promise<readonly string[]>;
}

interface KilledSyncOptions {
  /** How many orders the list has. The tracker records a hundred at a time. */
  readonly count: number;
  /** Whether the trackers also deliver the changes. */
  readonly delivers: boolean;
  /** How many steps a sync has at least. */
  readonly minSteps: number;
}

/** Returns a store whose changes the tracker does not see, so that it delivers nothing. */
const withoutChanges = (store: OrderStore): OrderStore =>
  new Proxy(store, {
    get: (there, name: keyof OrderStore) =>
      name === 'listPendingChanges' ? async () => [] : there[name],
  });

/**
 * Kills a sync at each of its steps. Tests that it leaves only complete batches and a correct watermark, and that the
 * next sync records the missing orders and delivers what was not delivered.
 */
export function testKilledSync(
  open: () => Promise<KilledSyncScenario> | KilledSyncScenario,
  { count, delivers, minSteps }: KilledSyncOptions,
): void {
  const title = delivers
    ? `delivers each of ${count} orders, calls deliver again for at most one, and writes each row once`
    : `loses none of ${count} orders`;
  it(`${title} when it is killed at any step`, { timeout: 600_000 }, async () => {
    let round = 0;

    const runUntilCrash = async (death: CrashPoint) => {
      const scene = await open();
      const { store } = scene;
      const name = (i: number) => `o${round}-${i}`;
      round++;
      // The last sync was ten days ago. If the watermark advanced too early, the next sync would skip old orders, which
      // are too old for the daily reading.
      const before = baseTime - 10 * DAY;
      await writeWatermark(store, before);
      const names = Array.from({ length: count }, (_, i) => name(i));
      await Promise.all(
        names.map((reference) => store.saveCheckout(onRampCheckout({ reference }))),
      );
      const listRecorded = async () => {
        const { named } = await store.listCheckouts({ references: names, limit: 0 });
        return named.flatMap(({ orders }) => orders.map(({ order }) => order.orderId));
      };
      const api = fakeApi();
      api.orders = names.map((ext, i) =>
        onRampOrder({ orderId: ext, ext, finishTime: before + i * 601 }),
      );
      // A batch ends after a hundred orders, and at the end of each day that is read at once.
      const firstPart = api.orders.filter(
        ({ finishTime = 0 }) => finishTime <= before - LOOKBACK + DAY,
      ).length;
      const batchEnds = [0, Math.min(BATCH, firstPart), firstPart, count];
      const called = new Map<string, number>();
      const syncWith = (of: OrderStore) =>
        createOrderTracker(
          {
            api,
            store: delivers ? of : withoutChanges(of),
            onError: () => {},
            async deliver(order, transaction) {
              called.set(order.orderId, (called.get(order.orderId) ?? 0) + 1);
              await scene.ship?.(order, transaction);
            },
            review: (_, reason) => expect(reason).toBeUndefined(),
          },
          testRuntime({ now: () => baseTime * 1000 }),
        ).sync();

      const crashing = scene.createCrashingStore(death);
      const ended = await syncWith(crashing.store).catch((error: Error) => error.message);
      const { steps } = crashing;
      await crashing.close();
      const recorded = (await listRecorded()).length;
      expect(batchEnds).toContain(recorded);
      const { newest } = parseSyncState((await store.readSyncState()).state).ranges;
      const isPassed = ({ finishTime = 0 }) => finishTime < (newest.cursor?.from ?? 0);
      expect(recorded).toBeGreaterThanOrEqual(api.orders.filter(isPassed).length);
      if ((await readWatermark(store)) !== before) expect(recorded).toBe(count);

      await scene.endLease();
      expect(await syncWith(store)).toMatchObject({ ran: true, isComplete: true });
      expect((await listRecorded()).sort()).toEqual([...names].sort());
      // A delivery that the killed process has postponed is due a moment later.
      const pending = await store.listPendingChanges(baseTime + 60, 100_000);
      const own = pending.filter(({ record }) => names.includes(record.order.orderId));
      expect(own).toHaveLength(delivers ? 0 : count);
      if (delivers) {
        expect([...called.keys()].sort()).toEqual([...names].sort());
        const again = [...called.values()].filter((times) => times > 1);
        expect(again.length).toBeLessThanOrEqual(1);
        const shipped = await scene.listShipped?.();
        if (shipped)
          expect(shipped.filter((id) => called.has(id)).sort()).toEqual([...names].sort());
      }
      return { ended, steps };
    };

    const { ended, steps } = await runUntilCrash(never);
    expect(ended).toMatchObject({ ran: true, isComplete: true });
    expect(steps).toBeGreaterThan(minSteps);
    let killed = 0;
    let tried = 0;
    for (let step = 1; step <= steps; step++)
      for (const isAfterStep of [false, true]) {
        tried++;
        const { ended } = await runUntilCrash({ stepNumber: step, isAfterStep });
        if (typeof ended === 'string') killed++;
      }
    process.stdout.write(`killed at ${killed} of ${tried} points of a sync, no orders missing\n`);
    // The last four steps release the lease. A sync that is killed there, before or after a step, may still succeed.
    expect(killed).toBeGreaterThanOrEqual(tried - 2 * 4);
  });
}
