import type { Kysely } from 'kysely';
import { createConfigError } from '../../protocol/errors/RampError.js';
import { group, milliseconds, type OptionReader, readOptions } from '../internal/options.js';
import type { Runtime } from '../internal/runtime.js';
import type { Tables } from './schema.js';
import { queueConnections } from './transactions/sqliteTransactions.js';

/** A SQL dialect. It is detected from the features of the Kysely instance. */
export type SqlDialect = 'postgres' | 'sqlite';

/**
 * The time limits of each transaction, in whole milliseconds. The PostgreSQL server itself enforces `lockMs` and
 * `statementMs`. Limits in the client would not be enough, because after a client disconnects, the server would keep
 * its transaction and locks.
 */
export interface TransactionLimits {
  /**
   * How long a statement waits for a lock. After that, the transaction is retried, up to five attempts. Keep this limit
   * below the pool's `query_timeout`. PostgreSQL only. @default 2000
   */
  readonly lockMs: number;
  /** How long a statement may run. PostgreSQL only. @default 5000 */
  readonly statementMs: number;
  /**
   * How long the callback of a transaction may run. After that, the transaction is rolled back with `ERR_TIMEOUT`, and
   * the callback's connection refuses further statements. Of these limits, only this one applies to SQLite.
   *
   * @default 10000
   */
  readonly workMs: number;
}

/** Options of {@link sqlOrderStore} and {@link withTransaction}, so that you can pass one object to both. */
export interface SqlOptions {
  /** Needed only for a third-party dialect that is not detected. @default the dialect of the Kysely instance */
  readonly dialect?: SqlDialect | undefined;
  /** Replaces some of the default time limits. SQLite uses only `workMs`. */
  readonly limits?:
    | { readonly [Name in keyof TransactionLimits]?: TransactionLimits[Name] | undefined }
    | undefined;
}

export interface TransactionTarget<Schema> {
  readonly db: Kysely<Schema>;
  readonly limits: TransactionLimits & {
    /**
     * How long a transaction may wait for its next statement before the PostgreSQL server ends it. A longer wait means
     * that the client is frozen or disconnected.
     */
    readonly idleMs: number;
  };
  readonly runtime: Runtime;
}

export interface SqlDatabase<Schema = Tables> extends TransactionTarget<Schema> {
  readonly dialect: SqlDialect;
}

/** A Kysely instance, or one connection of it, that can query the tables of a store. */
export type SqlConnection = Kysely<Tables>;

/** A function that resolves with the database once its tables are ready for use. */
export type OpenDatabase = () => Promise<SqlDatabase>;

const IDLE_MS = 5000;

const readLimits = group<TransactionLimits>({
  lockMs: milliseconds(2000),
  statementMs: milliseconds(5000),
  workMs: milliseconds(10_000),
});

/**
 * Validates a Kysely instance and its options, and adds the defaults.
 *
 * @param caller - The name of the public function, with which error messages begin.
 * @throws RampError `ERR_CONFIG_INVALID` when the database is neither PostgreSQL nor SQLite, an option is unknown, or a
 * limit is out of range.
 */
export function toSqlDatabase<Schema>(
  caller: string,
  kysely: Kysely<Schema>,
  options: SqlOptions | undefined,
  runtime: Runtime,
): SqlDatabase<Schema> {
  if (typeof kysely?.withoutPlugins !== 'function')
    throw createConfigError(caller, 'needs a Kysely instance: new Kysely({ dialect }).');
  const readDialect: OptionReader<SqlDialect> = (value, { refuse }) => {
    const dialect = value ?? detectDialect(kysely);
    if (dialect === 'postgres' || dialect === 'sqlite') return dialect;
    return refuse(
      "supports PostgreSQL and SQLite only: pass the dialect of your database, { dialect: 'postgres' | 'sqlite' }.",
    );
  };
  const { dialect, limits } = readOptions(caller, options, {
    dialect: readDialect,
    limits: readLimits,
  });
  const db = dialect === 'sqlite' ? queueConnections(kysely, runtime) : kysely;
  return { db, dialect, limits: { ...limits, idleMs: IDLE_MS }, runtime };
}

/**
 * Returns the database for the statements of a store. It has no plugins, because one that renames columns or parses
 * JSON would change the stored data.
 */
export const withoutPlugins = <Schema>(database: SqlDatabase<Schema>): SqlDatabase => ({
  ...database,
  db: database.db.withoutPlugins() as unknown as SqlConnection,
});

function detectDialect<Schema>(kysely: Kysely<Schema>): SqlDialect | undefined {
  // Compare features, not classes: the shop's copy of Kysely may not be the one that this package uses. Of the
  // databases that Kysely supports, only these two can return rows from an insert.
  const { adapter } = kysely.getExecutor();
  if (!adapter?.supportsReturning) return undefined;
  return adapter.supportsTransactionalDdl ? 'postgres' : 'sqlite';
}
