import type { DialectAdapter, Kysely, QueryExecutor } from 'kysely';
import type { ConcurrencyLimit } from '../../internal/createConcurrencyLimit.js';
import type { Runtime } from '../../internal/runtime.js';
import {
  createBusyError,
  createNestedError,
  createSqliteQueue,
  currentTransaction,
  MAX_WAIT_MS,
} from './sqliteQueue.js';
import { type HeldConnection, holdConnection, withConnections } from './withConnections.js';

/** The queue of each database. Instances that Kysely derives from one another share an adapter. */
const queues = new WeakMap<DialectAdapter, ConcurrencyLimit>();

/**
 * Returns a Kysely instance of SQLite whose queries and transactions wait in a queue for the only connection.
 * The queue wakes one waiter at a time, and lets other work of the event loop run. Kysely itself wakes all
 * waiters each time the connection is released, and drivers of SQLite never return to the event loop, so a
 * thousand requests that arrive together would keep the process from all other work for seconds.
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

/** Holds the connection, unless a transaction of the partner's own, which is not in the queue, keeps it for too long. */
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
