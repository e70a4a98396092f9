import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import type { Order } from '../../../../src/protocol/index.js';
import type { OrderStore } from '../../../../src/server/index.js';
import { sqlDatabases } from '../../../support/database/sqlDatabases.js';
import { seededRandom } from '../../../support/fixedSeed.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../../../support/server/orderFixtures.js';
import { findWork, readWatermark, writeWatermark } from '../../../support/server/syncStates.js';

const random = seededRandom('two instances');

/** Shuffles the orders, so that the two instances get them in different sequences, and splits them into pages. */
function shuffledPages(orders: readonly Order[], size: number): Order[][] {
  const rest = [...orders];
  const shuffled: Order[] = [];
  while (rest.length > 0) shuffled.push(...rest.splice(random.int(0, rest.length - 1), 1));
  const pages: Order[][] = [];
  while (shuffled.length > 0) pages.push(shuffled.splice(0, size));
  return pages;
}

async function recordAll(store: OrderStore, pages: readonly (readonly Order[])[]): Promise<number> {
  let recorded = 0;
  for (const page of pages) recorded += await store.recordOrders(page, baseTime);
  return recorded;
}

describe.each(sqlDatabases)('sqlOrderStore in two processes on one %s', (_, empty) => {
  const two = async () => {
    const database = await empty();
    return [database.remote().store, database.remote().store] as const;
  };

  it('starts concurrently on an empty database', async () => {
    const [a, b] = await two();
    await Promise.all([a.saveCheckout(onRampCheckout()), writeWatermark(b, baseTime)]);
    expect(await b.findCheckout('r1')).toBeDefined();
    expect(await readWatermark(a)).toBe(baseTime);
  });

  it('records and queues each of 500 orders once that both record concurrently', async () => {
    const [a, b] = await two();
    const orders = Array.from({ length: 500 }, (_, i) =>
      onRampOrder({ orderId: `o${i}`, ext: `r${i}` }),
    );
    for (let i = 0; i < 100; i++) await a.saveCheckout(onRampCheckout({ reference: `r${i}` }));
    const counts = await Promise.all(
      [a, b].map((store) => recordAll(store, shuffledPages(orders, 20))),
    );
    expect(counts.reduce((sum, count) => sum + count)).toBe(500);
    expect(await a.listOrders({ limit: 1000 })).toHaveLength(500);
    const pending = await b.listPendingChanges(baseTime, 1000);
    expect(new Set(pending.map(({ key }) => key)).size).toBe(500);
    expect(pending).toHaveLength(500);
    expect(await b.listOrders({ matchStatus: 'matched', limit: 1000 })).toHaveLength(100);
  });

  it('matches one order of each of 50 NFTs that were paid twice', async () => {
    const [a, b] = await two();
    const references = Array.from({ length: 50 }, (_, i) => `r${i}`);
    for (const reference of references) await a.saveCheckout(nftCheckout({ reference }));
    const orders = (payment: string) =>
      references.map((ext) => nftOrder('finished', { orderId: `${ext}-${payment}`, ext }));
    await Promise.all([
      recordAll(a, shuffledPages(orders('first'), 1)),
      recordAll(b, shuffledPages(orders('second'), 1)),
    ]);
    for (const reference of references) {
      const { orders: found = [] } = (await a.findCheckout(reference)) ?? {};
      expect(found.map(({ matchStatus }) => matchStatus).sort()).toEqual([
        'matched',
        'quarantined',
      ]);
    }
    expect((await findWork(a)).hasOpenCheckouts).toBe(false);
  });

  it('reports each of 100 webhooks as new to one process only', async () => {
    const [a, b] = await two();
    const hashes = Array.from({ length: 100 }, (_, i) => `h${i}`);
    const results = await Promise.all(
      hashes.flatMap((hash) =>
        [a, b].map(async (store) => ({ hash, isNew: await store.claimReplay(hash, baseTime, 0) })),
      ),
    );
    const fresh = results.filter(({ isNew }) => isNew).map(({ hash }) => hash);
    expect(fresh.sort()).toEqual(hashes.sort());
  });

  it('writes each state of the syncs in one of them only', async () => {
    const stores = await two();
    for (let revision = 0; revision < 20; revision++) {
      const states = [`a${revision}`, `b${revision}`];
      const written = await Promise.all(
        stores.map((store, i) => store.writeSyncState({ revision, state: states[i] })),
      );
      expect(written.filter(Boolean)).toHaveLength(1);
      const state = states[written.indexOf(true)];
      for (const store of stores)
        expect(await store.readSyncState()).toEqual({ revision: revision + 1, state });
    }
  });

  it('saves a reference in one of them only', async () => {
    const stores = await two();
    for (let i = 0; i < 20; i++) {
      const checkout = onRampCheckout({ reference: `r${i}` });
      const saved = await Promise.allSettled(stores.map((store) => store.saveCheckout(checkout)));
      expect(saved.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  it('records each outcome once', async () => {
    const [a, b] = await two();
    for (let i = 0; i < 50; i++)
      await a.saveCheckout(onRampCheckout({ reference: `r${i}`, expiresAt: baseTime }));
    const [one, other] = await Promise.all([
      a.expireCheckouts(baseTime),
      b.expireCheckouts(baseTime),
    ]);
    expect(one + other).toBe(50);
  });

  it('runs one sync at a time, and continues after one process was killed', async () => {
    const database = await empty();
    const holder = database.remote();
    const other = database.store();
    await other.readSyncState();
    const kysely = database.connect();
    const ends = holder.store.withSyncLease(async () => {});
    // Wait until the other process has the lease. Only read the row, because `withSyncLease` here could take the lease.
    await vi.waitFor(
      async () => {
        const { rows } = await sql`select 1 from ramp_state where lease_owner is not null`.execute(
          kysely,
        );
        expect(rows).toHaveLength(1);
      },
      { timeout: 20_000 },
    );
    const isRunning = async () => !(await other.withSyncLease(async () => {}));
    expect(await isRunning()).toBe(true);
    await holder.kill();
    await expect(ends).rejects.toThrow('process has exited');
    expect(await isRunning()).toBe(true);
    // Let the lease of the killed process expire.
    await sql`update ramp_state set lease_until = lease_until - 31`.execute(kysely);
    expect(await isRunning()).toBe(false);
  });
});
