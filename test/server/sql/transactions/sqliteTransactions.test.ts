import { setImmediate } from 'node:timers/promises';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createRuntime,
  processRuntime,
  type Runtime,
} from '../../../../src/server/internal/runtime.js';
import { sqlOrderStore } from '../../../../src/server/sql/index.js';
import {
  queueConnections,
  retryWhileBusy,
} from '../../../../src/server/sql/transactions/sqliteTransactions.js';
import { createSqliteDatabase } from '../../../support/database/sqlDatabases.js';
import { handleChanges } from '../../../support/server/handleChanges.js';
import { baseTime, onRampOrder } from '../../../support/server/orderFixtures.js';

const readOne = (db: Kysely<unknown>) => sql<{ n: number }>`select 1 as n`.execute(db);

describe('queueConnections', () => {
  it('lets other work of the event loop run between queries that arrive together', async () => {
    const { connect } = await createSqliteDatabase();
    const db = queueConnections(connect(), processRuntime);
    await readOne(db);
    // Each query advances the mocked clock by 5 ms.
    let clock = performance.now() + 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => clock);
    let done = 0;
    const queries = Array.from({ length: 100 }, async () => {
      await readOne(db);
      clock += 5;
      done++;
    });
    let most = 0;
    for (let before = 0; done < 100; before = done) {
      await setImmediate();
      most = Math.max(most, done - before);
    }
    await Promise.all(queries);
    vi.restoreAllMocks();
    expect(most).toBeLessThan(10);
  });

  it('runs queries in the order of the calls, of all instances that share the connection', async () => {
    const { connect } = await createSqliteDatabase();
    const kysely = connect();
    const dbs = [
      queueConnections(kysely, processRuntime),
      queueConnections(kysely.withoutPlugins(), processRuntime),
    ];
    for (const db of dbs) await readOne(db);
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        readOne(dbs[i % 2] as Kysely<unknown>).then(() => void order.push(i)),
      ),
    );
    expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  it('rejects at once with the error of the driver when the file cannot be opened', async () => {
    const failure = new Error('unable to open database file');
    const dialect = new SqliteDialect({ database: () => Promise.reject(failure) });
    const db = queueConnections(new Kysely<unknown>({ dialect }), processRuntime);
    await expect(readOne(db)).rejects.toBe(failure);
  });
});

/** Takes the connection for a transaction of the partner that does not end before `release` is called. */
async function holdConnection(kysely: Kysely<unknown>) {
  let held: Promise<void> | undefined;
  const release = await new Promise<() => void>((begin) => {
    held = kysely.connection().execute(() => new Promise<void>((end) => begin(end)));
  });
  return { held, release };
}

describe('the queue of SQLite', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('rejects with ERR_TIMEOUT after 15 seconds behind a transaction of the partner that never ends', async () => {
    const { connect } = await createSqliteDatabase();
    const kysely = connect();
    const store = sqlOrderStore(kysely);
    await store.recordOrders([onRampOrder()], baseTime);
    const changes = await store.listPendingChanges(baseTime, 1);
    const { held, release } = await holdConnection(kysely);
    const calls = [
      store.readSyncState(),
      store.findCheckout('r1'),
      store.postponeChange('k', 0),
      handleChanges(store, changes),
    ];
    let isSettled = false;
    const settled = Promise.allSettled(calls).finally(() => {
      isSettled = true;
    });
    // Each call sets its timer in an iteration of the event loop of its own.
    while (!isSettled) {
      await vi.advanceTimersByTimeAsync(1000);
      await setImmediate();
    }
    for (const result of await settled)
      expect(result).toMatchObject({
        status: 'rejected',
        reason: {
          code: 'ERR_TIMEOUT',
          message: expect.stringContaining('SQLite was not free for 15 seconds'),
        },
      });
    release();
    await held;
    expect(await store.listPendingChanges(baseTime, 9)).toHaveLength(1);
  });

  it('accepts at most 10,000 waiting queries', async () => {
    const { connect } = await createSqliteDatabase();
    const kysely = connect();
    const db = queueConnections(kysely, processRuntime);
    await readOne(db);
    const { held, release } = await holdConnection(db);
    const waiting = Array.from({ length: 10_000 }, () => readOne(db));
    await expect(readOne(db)).rejects.toMatchObject({
      code: 'ERR_TIMEOUT',
      message: expect.stringContaining('10000 waiting'),
    });
    release();
    await Promise.all([held, ...waiting]);
  });
});

const busy = (code = 'SQLITE_BUSY') => Object.assign(new Error('database is locked'), { code });

describe('retryWhileBusy', () => {
  const pauses: number[] = [];
  let clock: number;
  let runtime: Runtime;
  beforeEach(() => {
    pauses.length = 0;
    clock = 0;
    runtime = createRuntime({
      ...processRuntime,
      monotonic: () => clock,
      random: () => 0.5,
      setTimeout(work, ms) {
        // Only run the pauses between retries. The longer timer limits the time in the queue.
        if (ms < 1000) {
          pauses.push(ms);
          queueMicrotask(work);
        }
        return { unref() {} };
      },
    });
  });

  it.each([
    ['SQLITE_BUSY of better-sqlite3', { code: 'SQLITE_BUSY' }],
    ['SQLITE_BUSY_RECOVERY of better-sqlite3', { code: 'SQLITE_BUSY_RECOVERY' }],
    ['SQLITE_BUSY of node:sqlite', { code: 'ERR_SQLITE_ERROR', errcode: 5 }],
    ['SQLITE_BUSY_RECOVERY of node:sqlite', { code: 'ERR_SQLITE_ERROR', errcode: 261 }],
  ])('retries after %s with a pause', async (_, fields) => {
    const error = Object.assign(new Error('database is locked'), fields);
    const work = vi.fn(async () => 'done');
    work.mockRejectedValueOnce(error).mockRejectedValueOnce(error);
    expect(await retryWhileBusy(runtime, work)).toBe('done');
    expect(pauses).toEqual([5, 10]);
  });

  it('says after 15 seconds of retries that another process locks the file', async () => {
    let attempts = 0;
    const work = () => {
      attempts++;
      clock += 2500;
      return Promise.reject(busy());
    };
    await expect(retryWhileBusy(runtime, work)).rejects.toMatchObject({
      code: 'ERR_TIMEOUT',
      message: expect.stringContaining('was locked by another process for 15 seconds'),
      cause: { code: 'SQLITE_BUSY' },
    });
    // An attempt takes 2.5 s. The sixth one ends at 15 s, which is not above the limit, so a seventh one follows.
    expect(attempts).toBe(7);
  });

  it.each<readonly [string, unknown]>([
    ['another error', new Error('SQLITE_BUSY')],
    ['an error with another code', busy('SQLITE_FULL')],
    ['SQLITE_BUSY_SNAPSHOT, which no retry cures', busy('SQLITE_BUSY_SNAPSHOT')],
    ['an error whose code contains SQLITE_BUSY', busy('NOT_SQLITE_BUSY')],
    ['thrown text', 'SQLITE_BUSY'],
  ])('throws %s immediately', async (_, error) => {
    const work = vi.fn(() => Promise.reject(error));
    await expect(retryWhileBusy(runtime, work)).rejects.toBe(error);
    expect(work).toHaveBeenCalledOnce();
  });

  it('runs one transaction at a time, even after one has failed', async () => {
    const log: string[] = [];
    const run = (name: string) =>
      retryWhileBusy(runtime, async () => {
        log.push(`${name} begins`);
        await setImmediate();
        log.push(`${name} ends`);
        if (name === 'a') throw new Error('no');
      });
    const all = await Promise.allSettled(['a', 'b', 'c'].map(run));
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });
});
