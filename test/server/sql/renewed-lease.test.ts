import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectTo } from '../../../src/server/sql/connectTo.js';
import { migrate } from '../../../src/server/sql/migrate.js';
import { sweepLease } from '../../../src/server/sql/sweepLease.js';
import { sqlDatabases } from '../../support/sql-databases.js';

const SECONDS = 60;
const nowInSeconds = () => Math.floor(Date.now() / 1000);

/** The clock of leases, and the renewals that are due when a test says so. */
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

describe.each(sqlDatabases)('sweepLease in %s', (_, empty) => {
  async function opened() {
    const database = connectTo((await empty()).connect(), {});
    await migrate(database);
    const { db } = database;
    const row = async () => {
      const state = db.selectFrom('ramp_state').select(['sweeper', 'sweep_until']);
      const { sweeper, sweep_until } = await state.executeTakeFirstOrThrow();
      return { sweeper, until: Number(sweep_until) };
    };
    const write = (values: { sweeper?: string; sweep_until?: number }) =>
      db.updateTable('ramp_state').set(values).execute();
    const endIn = async (seconds: number) => {
      const until = nowInSeconds() + seconds;
      await write({ sweep_until: until });
      return until;
    };
    return { db, ...sweepLease(async () => database, SECONDS), row, write, endIn };
  }
  const nothing = async () => {};

  it('holds the lease for its whole length, and releases it', async () => {
    const { runAlone, row } = await opened();
    const before = nowInSeconds();
    await runAlone(async () => {
      const { sweeper, until } = await row();
      expect(sweeper).toMatch(/^[0-9a-f-]{36}$/);
      expect(until).toBeGreaterThanOrEqual(before + SECONDS);
      expect(until).toBeLessThanOrEqual(nowInSeconds() + SECONDS);
    });
    expect(await row()).toEqual({ sweeper: null, until: 0 });
  });

  it('renews the lease three times in its length, until the sync ends', async () => {
    const { runAlone, endIn, row } = await opened();
    await runAlone(async () => {
      const end = await endIn(2);
      intervals[0]?.renew();
      await expect.poll(async () => (await row()).until).toBeGreaterThan(end);
      expect(cleared).toEqual([]);
    });
    expect(intervals.map(({ ms }) => ms)).toEqual([20_000]);
    expect(cleared).toEqual([handle]);
    expect(handle.unref).toHaveBeenCalled();
  });

  it('is alone until the lease ends by its own clock', async () => {
    const { runAlone, endIn, row } = await opened();
    await runAlone(async (isAlone) => {
      clock += SECONDS * 1000 - 1;
      expect(isAlone()).toBe(true);
      const end = await endIn(2);
      intervals[0]?.renew();
      await expect.poll(async () => (await row()).until).toBeGreaterThan(end);
      clock += SECONDS * 1000 - 1;
      await expect.poll(isAlone).toBe(true);
      clock += 1;
      expect(isAlone()).toBe(false);
    });
  });

  it('is not alone once another instance has the lease, and leaves it that lease', async () => {
    const { runAlone, write, endIn, row } = await opened();
    let end = 0;
    await runAlone(async (isAlone) => {
      await write({ sweeper: 'another' });
      end = await endIn(30);
      expect(isAlone()).toBe(true);
      intervals[0]?.renew();
      await expect.poll(isAlone).toBe(false);
    });
    expect(await row()).toEqual({ sweeper: 'another', until: end });
    expect(await runAlone(nothing)).toBe(false);
  });

  it.each([
    ['ended', -1, true],
    ['ends soon', 30, false],
    ['ends later than a lease can', SECONDS + 60, true],
  ])('takes a lease of another instance or not when it %s', async (_, seconds, isTaken) => {
    const { runAlone, write, endIn } = await opened();
    await write({ sweeper: 'another' });
    await endIn(seconds);
    const sync = vi.fn(nothing);
    expect(await runAlone(sync)).toBe(isTaken);
    expect(sync).toHaveBeenCalledTimes(isTaken ? 1 : 0);
  });

  it('releases the lease and rejects when the sync fails', async () => {
    const { runAlone } = await opened();
    await expect(runAlone(() => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(cleared).toEqual([handle]);
    expect(await runAlone(nothing)).toBe(true);
  });

  it('ends the sync well though the lease can be neither renewed nor released', async () => {
    const { runAlone, db } = await opened();
    const sync = async () => {
      await sql`alter table ramp_state rename to ramp_away`.execute(db);
      intervals[0]?.renew();
    };
    expect(await runAlone(sync)).toBe(true);
    await sql`alter table ramp_away rename to ramp_state`.execute(db);
    expect(await runAlone(nothing)).toBe(false);
  });
});
