import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Kysely,
  type QueryExecutor,
  sql,
} from 'kysely';
import { createConfigError, RampError } from '../../../protocol/errors/RampError.js';
import { type ConcurrencyLimit, createConcurrencyLimit } from '../../internal/concurrencyLimit.js';
import { type Runtime, sleep } from '../../internal/runtime.js';
import type { TransactionTarget } from '../SqlDatabase.js';
import { type HeldConnection, holdConnection, withConnections } from './connections.js';
import { findRunningCallback, runCallback } from './runCallback.js';

/**
 * Runs a SQLite transaction that acquires the write lock when it begins. Kysely's own transactions begin as readers,
 * and fail if they write while another transaction writes.
 *
 * @param target - `target.db` must be a result of {@link queueConnections}.
 */
export async function withImmediateTransaction<Database, Result>(
  target: TransactionTarget<Database>,
  work: (connection: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  const done = await retryWhileBusy(target.runtime, () =>
    target.db.connection().execute(async (held) => {
      await beginImmediate(held);
      let isCommitting = false;
      try {
        const result = await runCallback(held, target, work, findEnd);
        isCommitting = true;
        await sql`commit`.execute(held);
        return { result };
      } catch (error) {
        await sql`rollback`.execute(held).catch(() => {});
        if (isCommitting) throw error;
        // Do not retry even if the error says that a file is locked: it concerns another file, or another of the shop's
        // connections, which is waiting for this transaction.
        return { error };
      }
    }),
  );
  if ('error' in done) throw done.error;
  return done.result;
}

/**
 * Begins a transaction.
 *
 * @throws RampError `ERR_CONFIG_INVALID` if a statement of this connection is still open. SQLite reports that as
 * SQLITE_BUSY_SNAPSHOT: the connection then reads the database as it was when the statement began, and cannot write.
 */
async function beginImmediate<Database>(held: Kysely<Database>): Promise<void> {
  try {
    await sql`begin immediate`.execute(held);
  } catch (error) {
    throw getResultCode(error) === 'SQLITE_BUSY_SNAPSHOT' ? createOpenStatementError(error) : error;
  }
}

/**
 * Returns the error of a transaction that SQLite itself has ended after a statement failed, as it does when the disk is
 * full, and for `raise(rollback)` and `or rollback`. Later statements of the callback would be committed one by one.
 *
 * SQLite has no statement that tells whether a transaction is open, but it refuses to begin one inside another.
 */
async function findEnd(
  cause: unknown,
  connection: DatabaseConnection,
): Promise<RampError | undefined> {
  try {
    await connection.executeQuery(CompiledQuery.raw('begin'));
  } catch {
    return undefined;
  }
  await connection.executeQuery(CompiledQuery.raw('rollback'));
  return createConfigError(
    'The transaction',
    `was rolled back by SQLite, because a statement failed (${getResultCode(cause) ?? 'without a code'}), so nothing was written. The callback cannot go on after such an error: let it through.`,
    { cause },
  );
}

/**
 * How long a transaction is retried while another process locks the file. It exceeds the default `workMs` (10,000),
 * after which the other process rolls back a transaction that never ends.
 */
const PATIENCE_MS = 15_000;
/** How long queries may keep the event loop from other work, such as a health check. */
const MAX_BLOCK_MS = 15;
/** The longest pause between two attempts. An attempt itself may block the event loop for the busy_timeout. */
const MAX_PAUSE_MS = 200;

/**
 * Runs a SQLite transaction after all earlier ones of this process have ended. SQLite drivers block the event loop
 * while they wait for a lock, so a second transaction would keep the first one from ever releasing its lock. Before
 * each attempt, other work of the event loop runs. While another process locks the file, the transaction is retried for
 * 15 seconds.
 *
 * @throws RampError `ERR_CONFIG_INVALID` inside another transaction, because each transaction would wait for the other;
 * `ERR_TIMEOUT` when its turn has not come after 15 seconds, when 10,000 others wait, or when the file is still locked
 * after 15 seconds, with the error of the database as the cause.
 * @throws the errors of `transaction`.
 */
export async function retryWhileBusy<Result>(
  runtime: Runtime,
  transaction: () => Promise<Result>,
): Promise<Result> {
  const callback = findRunningCallback();
  if (callback) throw callback.refuse(createNestedError());
  return runtime.once(createSqliteQueue)(() => retryTransaction(runtime, transaction));
}

async function retryTransaction<Result>(
  runtime: Runtime,
  transaction: () => Promise<Result>,
): Promise<Result> {
  const end = runtime.monotonic() + PATIENCE_MS;
  for (let maxPauseMs = 10; ; maxPauseMs = Math.min(2 * maxPauseMs, MAX_PAUSE_MS)) {
    await new Promise<void>((next) => runtime.setImmediate(next));
    try {
      return await transaction();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (runtime.monotonic() > end)
        throw createBusyError(
          `was locked by another process for ${PATIENCE_MS / 1000} seconds`,
          error,
        );
    }
    await sleep(runtime, runtime.random() * maxPauseMs);
  }
}

const isBusy = (error: unknown): boolean => getResultCode(error) === 'SQLITE_BUSY';

/**
 * Returns the result code of a SQLite error. All kinds of SQLITE_BUSY that a retry cures become `SQLITE_BUSY`.
 * better-sqlite3 puts the name of the code into `code`, node:sqlite its number into `errcode`.
 */
function getResultCode(error: unknown): string | undefined {
  const { code, errcode } = Object(error) as { code?: unknown; errcode?: unknown };
  const name = typeof errcode === 'number' ? (RESULT_CODES[errcode] ?? `${errcode}`) : code;
  if (typeof name !== 'string') return undefined;
  return /^SQLITE_BUSY(?!_SNAPSHOT)/.test(name) ? 'SQLITE_BUSY' : name;
}

const RESULT_CODES: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  13: 'SQLITE_FULL',
  261: 'SQLITE_BUSY_RECOVERY',
  517: 'SQLITE_BUSY_SNAPSHOT',
  773: 'SQLITE_BUSY_TIMEOUT',
};

/**
 * The queue of each database. The key is the adapter, because Kysely instances that are derived from one another share
 * it.
 */
const queues = new WeakMap<DialectAdapter, ConcurrencyLimit>();

/**
 * Returns a copy of a Kysely instance for SQLite, whose queries and transactions wait in a queue for the only
 * connection.
 *
 * The queue wakes one waiter at a time, so other work of the event loop can run in between. Kysely itself would wake
 * all waiters each time the connection is released. SQLite drivers are synchronous, so all waiters would run before any
 * other work: a thousand simultaneous requests would block the process for seconds.
 */
export function queueConnections<Database>(
  kysely: Kysely<Database>,
  runtime: Runtime,
): Kysely<Database> {
  const executor = kysely.getExecutor();
  const { adapter } = executor;
  const queue = queues.get(adapter) ?? createSqliteQueue(runtime);
  queues.set(adapter, queue);
  let pausedAt = 0;
  /** Drivers are synchronous, so a thousand queries in a row would keep all other work from running. */
  const letOthersRun = async () => {
    if (runtime.monotonic() - pausedAt < MAX_BLOCK_MS) return;
    await new Promise<void>((next) => runtime.setImmediate(next));
    pausedAt = runtime.monotonic();
  };
  const acquire = async () => {
    refuseInCallback(adapter);
    return new Promise<HeldConnection>((resolve, reject) => {
      const hold = async () => {
        await letOthersRun();
        const { connection, release } = await holdInTime(executor, runtime);
        await new Promise<void>((done) => resolve({ connection, release: done }));
        release();
      };
      queue(hold).catch(reject);
    });
  };
  return withConnections(kysely, acquire, refuseTransaction);
}

/**
 * Takes the connection. Rejects if it is not free within 15 seconds: a transaction that the partner began directly with
 * Kysely is not in the queue, and may keep the connection for longer.
 */
const holdInTime = (executor: QueryExecutor, runtime: Runtime): Promise<HeldConnection> =>
  new Promise((resolve, reject) => {
    let isLate = false;
    const timer = runtime.setTimeout(() => {
      isLate = true;
      reject(createBusyError(`was not free for ${MAX_WAIT_MS / 1000} seconds`));
    }, MAX_WAIT_MS);
    const settle = (held: HeldConnection) => {
      runtime.clearTimeout(timer);
      if (isLate) held.release();
      else resolve(held);
    };
    holdConnection(executor).then(settle, (error) => {
      runtime.clearTimeout(timer);
      reject(error);
    });
  });

/**
 * The longest wait for the SQLite connection. It exceeds the default `workMs` (10,000), after which a transaction that
 * never ends is rolled back.
 */
const MAX_WAIT_MS = 15_000;
const MAX_WAITING = 10_000;

const createSqliteQueue = (runtime: Runtime) =>
  createConcurrencyLimit({
    runtime,
    maxRunning: 1,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    createError: (reason) =>
      createBusyError(
        reason === 'full'
          ? `has ${MAX_WAITING} waiting queries, so it accepts no more`
          : `was not free for ${MAX_WAIT_MS / 1000} seconds`,
      ),
  });

const createBusyError = (why: string, cause?: unknown) =>
  new RampError(
    'ERR_TIMEOUT',
    `SQLite ${why}. It runs one transaction at a time: keep the callbacks of withTransaction and your own transactions short, or use PostgreSQL.`,
    { cause },
  );

/**
 * Refuses a query on a database inside a transaction callback on the same database, because it would wait for the
 * transaction that it is part of.
 */
export function refuseInCallback(adapter: DialectAdapter): void {
  const callback = findRunningCallback();
  if (callback?.adapter === adapter) throw callback.refuse(createNestedError());
}

const createNestedError = () =>
  createConfigError(
    'A SQLite transaction',
    'was started, or the order store or the database itself was used, inside another transaction of the same process, so both would wait for each other. In withTransaction, deliver and review use the connection that the callback receives, and call the order store after it.',
  );

/** The store and `withTransaction` begin transactions with their own statements, never with Kysely's methods. */
function refuseTransaction(): never {
  throw new Error('Use withTransaction.');
}

const createOpenStatementError = (cause: unknown) =>
  createConfigError(
    'The SQLite connection of the store',
    'cannot write, because one of its statements was left open: an iterator or a stream that was not read to its end. Until it is closed, the connection reads old data. Restart the process, and read or close every iterator.',
    { cause },
  );
