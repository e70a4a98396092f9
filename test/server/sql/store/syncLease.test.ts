import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../../src/server/sql/schema/migrate.js';
import { syncLease } from '../../../../src/server/sql/store/syncLease.js';
import { toSqlDatabase } from '../../../../src/server/sql/toSqlDatabase.js';
import { sqlDatabases } from '../../../support/database/sqlDatabases.js';

const LEASE_SECONDS = 2;

describe.each(sqlDatabases)('a sync with %s', (_, empty) => {
  const instances = async () => {
    const { connect } = await empty();
    const instance = () => {
      const database = toSqlDatabase(connect(), {});
      return syncLease(async () => database, LEASE_SECONDS);
    };
    const database = toSqlDatabase(connect(), {});
    await migrate(database);
    return { db: database.db, a: instance(), b: instance() };
  };
  const nothing = async () => {};

  it('runs alone for longer than its lease, which is renewed', async () => {
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

  it('that stands still gives way when its lease ends, and takes nothing back', async () => {
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
    // What ended was not the lease of the second.
    expect(await a.withSyncLease(nothing)).toBe(false);
    finishB();
    expect(await second).toBe(true);
    expect(await a.withSyncLease(nothing)).toBe(true);
  });

  it('learns that it is not alone when another instance has taken the lease', async () => {
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

  it('learns that it may not be alone when its lease could not be renewed in time', async () => {
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
