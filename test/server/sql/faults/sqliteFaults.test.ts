import { copyFileSync, openSync, statSync, writeSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { OrderStore } from '../../../../src/server/index.js';
import { sqlOrderStore } from '../../../../src/server/sql/index.js';
import { createSqliteDatabase } from '../../../support/database/sqlDatabases.js';
import { handleChanges } from '../../../support/server/handleChanges.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../../support/server/orderFixtures.js';

const PAGE_BYTES = 4096;

async function openStore() {
  const { target, connect } = await createSqliteDatabase();
  const kysely = connect();
  const store = sqlOrderStore(kysely);
  await store.saveCheckout(onRampCheckout({ reference: 'before' }));
  return { target, connect, kysely, store };
}

const pragma = async (kysely: Kysely<unknown>, text: string) =>
  Number(Object.values((await sql.raw<object>(`pragma ${text}`).execute(kysely)).rows[0] ?? {})[0]);

/** Returns the references of the saved checkouts. */
async function saveUntilRefused(store: OrderStore): Promise<string[]> {
  const saved: string[] = [];
  for (let i = 0; i < 10_000; i++) {
    const reference = `r${i}`;
    const metadata = 'x'.repeat(500);
    const isRefused = await store.saveCheckout(onRampCheckout({ reference, metadata })).then(
      () => false,
      () => true,
    );
    if (isRefused) return saved;
    saved.push(reference);
  }
  throw new Error('No checkout was refused.');
}

/** Expects that the store refuses a page of orders and a checkout, and that it keeps no part of them. */
async function expectAllRefused(store: OrderStore): Promise<void> {
  // Each row is larger than a database page, so it cannot fit into the free space of existing pages.
  const userId = 'x'.repeat(10 * PAGE_BYTES);
  const page = [0, 1, 2].map((i) => onRampOrder({ orderId: `o${i}`, ext: 'before', userId }));
  await expect(store.recordOrders(page, baseTime)).rejects.toThrow(/full|readonly/);
  await expect(
    store.saveCheckout(onRampCheckout({ reference: 'refused', metadata: userId })),
  ).rejects.toThrow(/full|readonly/);
  expect(await store.findCheckout('refused')).toBeUndefined();
  expect(await store.findCheckout('before')).toMatchObject({ orders: [] });
  expect(await store.listPendingChanges(baseTime, 10)).toEqual([]);
}

async function expectWellAgain(store: OrderStore): Promise<void> {
  await store.saveCheckout(onRampCheckout({ reference: 'after' }));
  expect(await store.claimReplay('h', baseTime + 600, baseTime)).toBe(true);
  expect(await store.recordOrders([onRampOrder({ ext: 'before' })], baseTime)).toBe(1);
  expect(await store.withSyncLease(async () => {})).toBe(true);
  await handleChanges(store, await store.listPendingChanges(baseTime, 10));
  expect(await store.listPendingChanges(baseTime, 10)).toEqual([]);
}

describe('sqlOrderStore on a SQLite file', () => {
  it('keeps all acknowledged writes on a full disk, and recovers when there is space', async () => {
    const { kysely, store } = await openStore();
    const pages = await pragma(kysely, 'page_count');
    await pragma(kysely, `max_page_count = ${pages + 20}`);
    const saved = await saveUntilRefused(store);
    expect(saved.length).toBeGreaterThan(0);
    await expectAllRefused(store);
    await pragma(kysely, `max_page_count = ${pages + 1000}`);
    await expectWellAgain(store);
    for (const reference of saved) expect(await store.findCheckout(reference)).toBeDefined();
  });

  it('rejects writes while the file is read-only, and recovers', async () => {
    const { kysely, store } = await openStore();
    await pragma(kysely, 'query_only = 1');
    await expectAllRefused(store);
    await expect(store.claimReplay('h', baseTime + 600, baseTime)).rejects.toThrow(/readonly/);
    await expect(store.withSyncLease(async () => {})).rejects.toThrow(/readonly/);
    await pragma(kysely, 'query_only = 0');
    await expectWellAgain(store);
  });

  it('acknowledges no write while the file is corrupt, and recovers when it is restored', async () => {
    const { target, connect, kysely } = await openStore();
    await sql.raw('pragma wal_checkpoint(truncate)').execute(kysely);
    await kysely.destroy();
    copyFileSync(target, `${target}.backup`);
    // Overwrite all pages except the first one: it has the schema, so SQLite can still open the file.
    const file = openSync(target, 'r+');
    const noise = Buffer.alloc(statSync(target).size - PAGE_BYTES, 0xff);
    writeSync(file, noise, 0, noise.length, PAGE_BYTES);
    const corrupt = sqlOrderStore(connect());
    await expect(corrupt.saveCheckout(onRampCheckout())).rejects.toThrow(/malformed/);
    await expect(corrupt.recordOrders([onRampOrder()], baseTime)).rejects.toThrow(/malformed/);
    await expect(corrupt.claimReplay('h', baseTime + 600, baseTime)).rejects.toThrow(/malformed/);
    await expect(corrupt.findCheckout('before')).rejects.toThrow(/malformed/);

    copyFileSync(`${target}.backup`, target);
    await expectWellAgain(sqlOrderStore(connect()));
  });
});
