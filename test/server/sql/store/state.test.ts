import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { processRuntime } from '../../../../src/server/internal/runtime.js';
import { toStoreDatabase } from '../../../../src/server/sql/SqlDatabase.js';
import { migrate } from '../../../../src/server/sql/schema.js';
import { syncLease } from '../../../../src/server/sql/store/state.js';
import { sqlDatabases } from '../../../support/database/sqlDatabases.js';

const LEASE_SECONDS = 2;

describe.each(sqlDatabases)('syncLease on %s', (_, empty) => {
  const instances = async () => {
    const { connect } = await empty();
    const instance = () => {
      const database = toStoreDatabase('sqlOrderStore', connect(), {}, processRuntime);
      return syncLease(async () => database, LEASE_SECONDS);
    };
    const database = toStoreDatabase('sqlOrderStore', connect(), {}, processRuntime);
    await migrate(database);
    return { db: database.db, a: instance(), b: instance() };
  };
  const nothing = async () => {};

  it('keeps the lease for longer than its lifetime by renewals', async () => {
    const { a, b } = await instances();
    const long = a.withSyncLease(() => wait(2.5 * LEASE_SECONDS * 1000));
    await wait(100);
    for (let i = 0; i < 4; i++) {
      expect(await b.withSyncLease(nothing)).toBe(false);
      await wait(LEASE_SECONDS * 500);
    }
    expect(await long).toBe(true);
    expect(await b.withSyncLease(nothing)).toBe(true);
  });

  it('loses the lease when its process is frozen, and does not release the next one', async () => {
    const { db, a, b } = await instances();
    let finishA = () => {};
    const first = a.withSyncLease(() => new Promise<void>((done) => (finishA = done)));
    await wait(100);
    await db.updateTable('ramp_state').set({ lease_until: 0 }).execute();
    let finishB = () => {};
    const second = b.withSyncLease(() => new Promise<void>((done) => (finishB = done)));
    await wait(LEASE_SECONDS * 500);
    finishA();
    expect(await first).toBe(true);
    // The end of the first sync did not release the lease, because the second sync has it now.
    expect(await a.withSyncLease(nothing)).toBe(false);
    finishB();
    expect(await second).toBe(true);
    expect(await a.withSyncLease(nothing)).toBe(true);
  });

  it('does not report hasLease when another instance has the lease', async () => {
    const { db, a } = await instances();
    let alone: boolean[] = [];
    await a.withSyncLease(async (hasLease) => {
      alone = [hasLease()];
      await db.updateTable('ramp_state').set({ lease_owner: 'another' }).execute();
      await expect.poll(hasLease, { timeout: 5000 }).toBe(false);
      alone.push(hasLease());
    });
    expect(alone).toEqual([true, false]);
  });

  it('does not report hasLease when the lease could not be renewed in time', async () => {
    const { db, a } = await instances();
    await a.withSyncLease(async (hasLease) => {
      await sql`alter table ramp_state rename to ramp_away`.execute(db);
      expect(hasLease()).toBe(true);
      await expect.poll(hasLease, { timeout: 10_000 }).toBe(false);
      await sql`alter table ramp_away rename to ramp_state`.execute(db);
    });
  });

  it('ignores a lease that was written while the clock was ahead', async () => {
    const { db, a } = await instances();
    const inAYear = Math.floor(Date.now() / 1000) + 365 * 86_400;
    await db.updateTable('ramp_state').set({ lease_until: inAYear }).execute();
    expect(await a.withSyncLease(nothing)).toBe(true);
  });
});
