import { type Kysely, PostgresAdapter, SqliteAdapter } from 'kysely';
import { createOptionChecks } from '../internal/options.js';
import type { Runtime } from '../internal/runtime.js';
import type { Tables } from './schema.js';
import { queueConnections } from './transactions/sqliteTransactions.js';

/** The databases that the order store supports. */
export type SqlDialect = 'postgres' | 'sqlite';

/**
 * The time limits of each transaction, in whole milliseconds. The PostgreSQL server itself enforces `lockMs`,
 * `statementMs` and `idleMs`. Limits in the client would not be enough, because the server would keep the transaction
 * of a disconnected client, and its locks.
 */
export interface TransactionLimits {
  /**
   * How long a statement waits for a lock. After that, the transaction is retried, up to five attempts. Keep this limit
   * below the `query_timeout` of the pool. PostgreSQL only. @default 2000
   */
  readonly lockMs: number;
  /** How long a statement may run. PostgreSQL only. @default 5000 */
  readonly statementMs: number;
  /**
   * How long a transaction may wait for its next statement before the server ends it, because the client is frozen or
   * has disconnected. PostgreSQL only. @default 5000
   */
  readonly idleMs: number;
  /**
   * How long the callback of a transaction may run. After that, the transaction is rolled back with `ERR_TIMEOUT`, and
   * the connection of the callback refuses further statements. It is the only limit that applies to SQLite.
   *
   * @default 10000
   */
  readonly workMs: number;
}

/** The dialect and the time limits of a transaction. */
export interface SqlTransactionOptions {
  /** Needed only for a third-party dialect that is not detected. @default the dialect of the Kysely instance */
  readonly dialect?: SqlDialect | undefined;
  /** Replaces some of the default time limits. SQLite uses only `workMs`. */
  readonly limits?:
    | { readonly [Name in keyof TransactionLimits]?: TransactionLimits[Name] | undefined }
    | undefined;
}

/** The same options as those of `withTransaction`, so you can pass one object to both. */
export interface SqlOrderStoreOptions extends SqlTransactionOptions {}

/** A database, with the limits and the runtime for its transactions. */
export interface TransactionTarget<Schema> {
  readonly db: Kysely<Schema>;
  readonly limits: TransactionLimits;
  readonly runtime: Runtime;
}

/** A database of a known dialect. By default, it has the tables of a store. */
export interface SqlDatabase<Schema = Tables> extends TransactionTarget<Schema> {
  readonly dialect: SqlDialect;
}

/** A Kysely instance, or one connection of it, that can query the tables of a store. */
export type SqlConnection = Kysely<Tables>;

/** A function that resolves with the database after its tables were created or updated. */
export type OpenDatabase = () => Promise<SqlDatabase>;

const OPTIONS: Record<keyof SqlOrderStoreOptions, true> = { dialect: true, limits: true };

const DEFAULT_LIMITS: TransactionLimits = {
  lockMs: 2000,
  statementMs: 5000,
  idleMs: 5000,
  workMs: 10_000,
};

/** The largest number of milliseconds that PostgreSQL settings and timers of Node.js accept. */
const MAX_MS = 2 ** 31 - 1;

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
  options: SqlTransactionOptions,
  runtime: Runtime,
): SqlDatabase<Schema> {
  const { refuse, checkNames } = createOptionChecks(caller);
  if (typeof kysely?.withoutPlugins !== 'function')
    refuse('needs a Kysely instance: new Kysely({ dialect }).');
  checkNames(options, OPTIONS);
  const { dialect = detectDialect(kysely), limits: given = {} } = options;
  if (dialect !== 'postgres' && dialect !== 'sqlite')
    return refuse(
      "supports PostgreSQL and SQLite only: pass the dialect of your database, { dialect: 'postgres' | 'sqlite' }.",
    );
  const set = Object.entries(given).filter(([, ms]) => ms !== undefined);
  if (!set.every(isLimit))
    refuse(
      `expects { lockMs, statementMs, idleMs, workMs } as limits: whole milliseconds from 1 to ${MAX_MS}.`,
    );
  return {
    db: dialect === 'sqlite' ? queueConnections(kysely, runtime) : kysely,
    dialect,
    limits: { ...DEFAULT_LIMITS, ...Object.fromEntries(set) },
    runtime,
  };
}

/**
 * Validates like {@link toSqlDatabase}, and removes the plugins of the Kysely instance: a plugin that renames columns
 * or parses JSON would change the stored data.
 *
 * @throws RampError `ERR_CONFIG_INVALID`
 */
export function toStoreDatabase<Schema>(
  kysely: Kysely<Schema>,
  options: SqlOrderStoreOptions,
  runtime: Runtime,
): SqlDatabase {
  const database = toSqlDatabase('sqlOrderStore', kysely, options, runtime);
  return { ...database, db: database.db.withoutPlugins() as unknown as SqlConnection };
}

const isLimit = ([name, ms]: readonly [string, unknown]): boolean =>
  name in DEFAULT_LIMITS && Number.isSafeInteger(ms) && Number(ms) >= 1 && Number(ms) <= MAX_MS;

function detectDialect<Schema>(kysely: Kysely<Schema>): SqlDialect | undefined {
  const { adapter } = kysely.getExecutor();
  if (adapter instanceof PostgresAdapter) return 'postgres';
  return adapter instanceof SqliteAdapter ? 'sqlite' : undefined;
}
