import { CompiledQuery, type Dialect, Kysely } from 'kysely';
import type { OrderStore } from '../../../src/server/index.js';
import { sqlOrderStore } from '../../../src/server/sql/index.js';
import { dialectOf } from './connectSource.js';

/** When the simulated process crashes: before or after one step. The first step has the number 1. */
export interface CrashPoint {
  readonly stepNumber: number;
  readonly isAfterStep: boolean;
}

export interface CrashingStore {
  readonly store: OrderStore;
  /** The number of steps that were started. */
  readonly steps: number;
  /** Rolls back the open transactions and closes the connections of this store, as the end of a process does. */
  close(): Promise<void>;
}

function createCrashCounter({ stepNumber, isAfterStep }: CrashPoint) {
  let steps = 0;
  let isOver = false;
  const end = () => {
    isOver = true;
    throw new Error('The process was killed.');
  };
  return {
    get steps() {
      return steps;
    },
    async step<Result>(work: () => Promise<Result>): Promise<Result> {
      if (isOver) end();
      const isLast = ++steps === stepNumber;
      if (isLast && !isAfterStep) end();
      const result = await work();
      return isLast ? end() : result;
    },
  };
}

/**
 * Wraps a store to simulate that its process is killed at one of its calls. Each call is a step. The step at which the
 * process is killed throws, and so do all later steps.
 */
export function crashingStore(inner: OrderStore, death: CrashPoint): CrashingStore {
  const own = createCrashCounter(death);
  const store = new Proxy(inner, {
    get: (_, name: keyof OrderStore) => {
      const call = inner[name] as ((...args: unknown[]) => Promise<unknown>) | undefined;
      if (!call) return undefined;
      // withSyncLease runs the whole sync, which consists of other calls. So it is no step itself.
      if (name === 'withSyncLease') return call;
      return (...args: unknown[]) => own.step(() => call(...args));
    },
  });
  return {
    store,
    get steps() {
      return own.steps;
    },
    close: async () => {},
  };
}

/**
 * Creates a SQL store that simulates that its process is killed at one of its statements. Each statement is a step,
 * even inside a transaction. The step at which the process is killed throws, and so do all later steps.
 */
export function crashingSqlStore(target: string, death: CrashPoint): CrashingStore {
  const own = createCrashCounter(death);
  const dialect = dialectOf(target);
  const undo = new Map<object, () => Promise<unknown>>();
  const crashing: Dialect = {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver() {
      const driver = dialect.createDriver();
      const acquire = driver.acquireConnection.bind(driver);
      driver.acquireConnection = async () => {
        const connection = await acquire();
        if (undo.has(connection)) return connection;
        const execute = connection.executeQuery.bind(connection);
        undo.set(connection, async () => execute(CompiledQuery.raw('rollback')));
        connection.executeQuery = (query) => own.step(() => execute(query)) as never;
        return connection;
      };
      return driver;
    },
  };
  const kysely = new Kysely({ dialect: crashing });
  return {
    store: sqlOrderStore(kysely),
    get steps() {
      return own.steps;
    },
    async close() {
      // Roll back open transactions, because a closed connection keeps its lock until its statements are collected. The
      // end of a real process would release the lock.
      for (const rollback of undo.values()) await rollback().catch(() => {});
      await kysely.destroy();
    },
  };
}
