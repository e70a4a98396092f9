import { CompiledQuery, type Dialect, Kysely } from 'kysely';
import type { OrderStore } from '../../../src/server/index.js';
import { sqlOrderStore } from '../../../src/server/sql/index.js';
import { dialectOf } from './connectSource.js';

/** The step, from 1, at which a process crashes, and whether it crashes before or after that step. */
export interface CrashPoint {
  readonly stepNumber: number;
  readonly isAfterStep: boolean;
}

export interface CrashingStore {
  readonly store: OrderStore;
  /** The number of steps until now. */
  readonly steps: number;
  /** Closes the store and its connections. */
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

/** Creates a store whose process is killed at one of its calls. */
export function crashingStore(inner: OrderStore, death: CrashPoint): CrashingStore {
  const own = createCrashCounter(death);
  const store = new Proxy(inner, {
    get: (_, name: keyof OrderStore) => {
      const call = inner[name] as (...args: unknown[]) => Promise<unknown>;
      // A sync consists of many steps, but is not a step itself.
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

/** Creates a SQL store whose process is killed at one of its statements, including statements of transactions. */
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
      // A closed libsql connection keeps the lock of its transaction; a process that ends releases it.
      for (const rollback of undo.values()) await rollback().catch(() => {});
      await kysely.destroy();
    },
  };
}
