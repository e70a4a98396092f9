import { AsyncLocalStorage } from 'node:async_hooks';
import type { DialectAdapter } from 'kysely';
import { createConfigError, RampError } from '../../../protocol/errors/RampError.js';
import { createConcurrencyLimit } from '../../internal/createConcurrencyLimit.js';
import type { Runtime } from '../../internal/runtime.js';

/** The longest wait for SQLite: longer than the default limit of one transaction that never ends. */
export const MAX_WAIT_MS = 15_000;
const MAX_WAITING = 10_000;

/** Creates a queue that runs one task at a time, in the order of the calls. */
export const createSqliteQueue = (runtime: Runtime) =>
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

/** Creates the error of a query that could not begin. */
export const createBusyError = (why: string) =>
  new RampError(
    'ERR_TIMEOUT',
    `SQLite ${why}. It runs one transaction at a time: keep the callbacks of withTransaction and your own transactions short, or use PostgreSQL.`,
  );

/** The transaction in which the code runs. */
export interface CurrentTransaction {
  isOpen: boolean;
  /** The adapter of the Kysely instance whose connection the transaction holds. */
  holds?: DialectAdapter | undefined;
}

/** The transaction in which the code runs, if any. */
export const currentTransaction = new AsyncLocalStorage<CurrentTransaction>();

/** Creates the error of a query that would wait for the transaction in which it runs. */
export const createNestedError = () =>
  createConfigError(
    'A SQLite transaction',
    'was started, or the order store was called, inside another transaction of the same process, so both would wait for each other. In withTransaction use the connection that its callback receives, and call the order store after it.',
  );
