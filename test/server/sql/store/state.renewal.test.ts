import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processRuntime } from '../../../../src/server/internal/runtime.js';
import { toSqlDatabase, withoutPlugins } from '../../../../src/server/sql/SqlDatabase.js';
import { migrate } from '../../../../src/server/sql/schema.js';
import { syncLease } from '../../../../src/server/sql/store/state.js';
import { sqlDatabases } from '../../../support/database/sqlDatabases.js';

const SECONDS = 60;
const nowInSeconds = () => Math.floor(Date.now() / 1000);

// The leases use this clock and these intervals, so that a test can run renewals by hand.
let clock = 0;
let intervals: { renew: () => void; ms: number | undefined }[] = [];
const cleared: unknown[] = [];
const handle = { unref: vi.fn() };

beforeEach(() => {
  clock = 5_000_000;
  intervals = [];
  cleared.length = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  vi.spyOn(globalThis, 'setInterval').mockImplementation(((renew: () => void, ms?: number) => {
    intervals.push({ renew, ms });
    return handle;
  }) as never);
  vi.spyOn(globalThis, 'clearInterval').mockImplementation((one) => void cleared.push(one));
});
afterEach(() => void vi.restoreAllMocks());

describe.each(sqlDatabases)('syncLease in %s', (_, empty) => {
  async function opened() {
    const kysely = (await empty()).connect();
    const database = withoutPlugins(toSqlDatabase('sqlOrderStore', kysely, {}, processRuntime));
    await migrate(database);
    const { db } = database;
    const row = async () => {
      const state = db.selectFrom('ramp_state').select(['lease_owner', 'lease_until']);
      const { lease_owner, lease_until } = await state.executeTakeFirstOrThrow();
      return { lease_owner, until: Number(lease_until) };
    };
    const write = (values: { lease_owner?: string; lease_until?: number }) =>
      db.updateTable('ramp_state').set(values).execute();
    const endIn = async (seconds: number) => {
      const until = nowInSeconds() + seconds;
      await write({ lease_until: until });
      return until;
    };
    return { db, ...syncLease(async () => database, SECONDS), row, write, endIn };
  }
  const nothing = async () => {};

  it('holds the lease for its whole lifetime, and releases it', async () => {
    const { withSyncLease, row } = await opened();
    const before = nowInSeconds();
    await withSyncLease(async () => {
      const { lease_owner, until } = await row();
      expect(lease_owner).toMatch(/^[0-9a-f-]{36}$/);
      expect(until).toBeGreaterThanOrEqual(before + SECONDS);
      expect(until).toBeLessThanOrEqual(nowInSeconds() + SECONDS);
    });
    expect(await row()).toEqual({ lease_owner: null, until: 0 });
  });

  it('renews the lease three times per lifetime until the sync ends', async () => {
    const { withSyncLease, endIn, row } = await opened();
    await withSyncLease(async () => {
      const end = await endIn(2);
      intervals[0]?.renew();
      await expect.poll(async () => (await row()).until).toBeGreaterThan(end);
      expect(cleared).toEqual([]);
    });
    expect(intervals.map(({ ms }) => ms)).toEqual([20_000]);
    expect(cleared).toEqual([handle]);
    expect(handle.unref).toHaveBeenCalled();
  });

  it('reports hasLease until a second before the lease ends by the clock of the instance', async () => {
    const { withSyncLease, endIn, row } = await opened();
    await withSyncLease(async (hasLease) => {
      clock += (SECONDS - 1) * 1000 - 1;
      expect(hasLease()).toBe(true);
      const end = await endIn(2);
      intervals[0]?.renew();
      await expect.poll(async () => (await row()).until).toBeGreaterThan(end);
      clock += (SECONDS - 1) * 1000 - 1;
      await expect.poll(hasLease).toBe(true);
      clock += 1;
      expect(hasLease()).toBe(false);
    });
  });

  it('does not report hasLease or release the lease once another instance has it', async () => {
    const { withSyncLease, write, endIn, row } = await opened();
    let end = 0;
    await withSyncLease(async (hasLease) => {
      await write({ lease_owner: 'another' });
      end = await endIn(30);
      expect(hasLease()).toBe(true);
      intervals[0]?.renew();
      await expect.poll(hasLease).toBe(false);
    });
    expect(await row()).toEqual({ lease_owner: 'another', until: end });
    expect(await withSyncLease(nothing)).toBe(false);
  });

  it.each([
    ['ended', -1, true],
    ['ends soon', 30, false],
    ['ends later than a new lease would', SECONDS + 60, true],
  ])(
    'acquires the lease of another instance only if it has ended or is invalid: it %s',
    async (_, seconds, isTaken) => {
      const { withSyncLease, write, endIn } = await opened();
      await write({ lease_owner: 'another' });
      await endIn(seconds);
      const sync = vi.fn(nothing);
      expect(await withSyncLease(sync)).toBe(isTaken);
      expect(sync).toHaveBeenCalledTimes(isTaken ? 1 : 0);
    },
  );

  it('releases the lease and rejects when the sync fails', async () => {
    const { withSyncLease } = await opened();
    await expect(withSyncLease(() => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(cleared).toEqual([handle]);
    expect(await withSyncLease(nothing)).toBe(true);
  });

  it('completes the sync although the lease can be neither renewed nor released', async () => {
    const { withSyncLease, db } = await opened();
    const sync = async () => {
      await sql`alter table ramp_state rename to ramp_away`.execute(db);
      intervals[0]?.renew();
    };
    expect(await withSyncLease(sync)).toBe(true);
    await sql`alter table ramp_away rename to ramp_state`.execute(db);
    expect(await withSyncLease(nothing)).toBe(false);
  });
});
