import { AsyncLocalStorage } from 'node:async_hooks';
import { type DialectAdapter, type Kysely, type QueryExecutor, sql } from 'kysely';
import { createConfigError, RampError } from '../../../protocol/errors/RampError.js';
import {
  type ConcurrencyLimit,
  createConcurrencyLimit,
} from '../../internal/createConcurrencyLimit.js';
import { type Runtime, sleep } from '../../internal/runtime.js';
import type { TransactionTarget } from '../SqlDatabase.js';
import {
  type HeldConnection,
  holdConnection,
  withConnections,
  withWorkLimit,
} from './connections.js';

/**
 * Runs a SQLite transaction that acquires the write lock when it begins. Kysely's own transactions begin as readers,
 * and fail if they write while another transaction writes.
 *
 * Use this function even for a single write statement. After SQLITE_BUSY, the driver libsql leaves the failed statement
 * open until the garbage collector closes it. Until then, SQLite does not commit a later statement automatically, and
 * an explicit commit fails. This function notices the failed commit and retries the transaction.
 *
 * @param target - `target.db` must be a result of {@link queueConnections}.
 */
export const withImmediateTransaction = <Database, Result>(
  target: TransactionTarget<Database>,
  work: (connection: Kysely<Database>) => Promise<Result>,
): Promise<Result> =>
  retryWhileBusy(target.runtime, () =>
    target.db.connection().execute(async (held) => {
      await sql`begin immediate`.execute(held);
      try {
        const result = await withWorkLimit(held, target, work);
        await sql`commit`.execute(held);
        return result;
      } catch (error) {
        await sql`rollback`.execute(held).catch(() => {});
        throw error;
      }
    }),
  );

/**
 * How long a transaction is retried while another process locks the file. It exceeds the default `workMs` (10,000),
 * after which the other process rolls back a transaction that never ends.
 */
const PATIENCE_MS = 15_000;
const MAX_PAUSE_MS = 20;

/**
 * Runs a SQLite transaction after all earlier ones of this process have ended. SQLite drivers block the event loop
 * while they wait for a lock, so a second transaction would keep the first one from ever releasing its lock. Before
 * each attempt, other work of the event loop runs. While another process locks the file, the transaction is retried for
 * 15 seconds.
 *
 * @throws RampError `ERR_CONFIG_INVALID` inside another transaction, because each of the two would wait for the other;
 * `ERR_TIMEOUT` when its turn has not come after 15 seconds, or when 10,000 others wait.
 * @throws the error of the database if the file is still locked after 15 seconds, and the errors of `transaction`.
 */
export async function retryWhileBusy<Result>(
  runtime: Runtime,
  transaction: () => Promise<Result>,
): Promise<Result> {
  if (currentTransaction.getStore()?.isOpen) throw createNestedError();
  return runtime.once(createSqliteQueue)(() => {
    const state = { isOpen: true };
    return currentTransaction
      .run(state, () => retryTransaction(runtime, transaction))
      .finally(() => {
        state.isOpen = false;
      });
  });
}

async function retryTransaction<Result>(
  runtime: Runtime,
  transaction: () => Promise<Result>,
): Promise<Result> {
  for (const end = runtime.monotonic() + PATIENCE_MS; ; ) {
    await new Promise<void>((next) => runtime.setImmediate(next));
    try {
      return await transaction();
    } catch (error) {
      if (!isBusy(error) || runtime.monotonic() > end) throw error;
      if (STATEMENT_LEFT_OPEN.test(String(error))) collectGarbage();
    }
    await sleep(runtime, runtime.random() * MAX_PAUSE_MS);
  }
}

/** The error of a commit while libsql keeps a statement open that was refused with SQLITE_BUSY. */
const STATEMENT_LEFT_OPEN = /SQL statements in progress/;

/**
 * Runs the garbage collector, which closes the statements that libsql left open. An almost idle process would not run it
 * for minutes, and until then it could not commit anything.
 */
function collectGarbage(): void {
  const v8 = process.getBuiltinModule?.('node:v8');
  const vm = process.getBuiltinModule?.('node:vm');
  if (!v8 || !vm) return;
  v8.setFlagsFromString('--expose-gc');
  vm.runInNewContext('globalThis.gc?.()');
  v8.setFlagsFromString('--no-expose-gc');
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && `${error.code}`.startsWith('SQLITE_BUSY');

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
  return withConnections(kysely, () => {
    const transaction = currentTransaction.getStore();
    if (transaction?.isOpen && transaction.holds === adapter)
      return Promise.reject(createNestedError());
    return new Promise((resolve, reject) => {
      const hold = async () => {
        await runtime.turns.letOthersRun();
        const { connection, release } = await holdInTime(executor, runtime);
        if (transaction?.isOpen) transaction.holds ??= adapter;
        await new Promise<void>((done) => resolve({ connection, release: done }));
        if (transaction?.holds === adapter) transaction.holds = undefined;
        release();
      };
      queue(hold).catch(reject);
    });
  });
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

const createBusyError = (why: string) =>
  new RampError(
    'ERR_TIMEOUT',
    `SQLite ${why}. It runs one transaction at a time: keep the callbacks of withTransaction and your own transactions short, or use PostgreSQL.`,
  );

interface CurrentTransaction {
  isOpen: boolean;
  /** The adapter of the database whose connection the transaction holds. */
  holds?: DialectAdapter | undefined;
}

const currentTransaction = new AsyncLocalStorage<CurrentTransaction>();

/** Creates the error for a query that would wait forever, because it waits for the transaction that it is part of. */
const createNestedError = () =>
  createConfigError(
    'A SQLite transaction',
    'was started, or the order store was called, inside another transaction of the same process, so both would wait for each other. In withTransaction use the connection that its callback receives, and call the order store after it.',
  );
