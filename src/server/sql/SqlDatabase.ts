import { type Kysely, PostgresAdapter, SqliteAdapter } from 'kysely';
import { createConfigError } from '../../protocol/errors/RampError.js';
import { group, milliseconds, type OptionReader, readOptions } from '../internal/options.js';
import type { Runtime } from '../internal/runtime.js';
import type { Tables } from './schema.js';
import { queueConnections } from './transactions/sqliteTransactions.js';

/** The SQL of a database. */
export type SqlDialect = 'postgres' | 'sqlite';

/**
 * The limits of each transaction, in whole milliseconds. PostgreSQL itself enforces the first three. For them a
 * limit of the client would not be enough: the server would keep the transaction and its locks after the client
 * has disconnected.
 */
export interface TransactionLimits {
  /**
   * How long a statement waits for a lock before the transaction is retried, up to five attempts. Keep it below
   * the `query_timeout` of the pool. PostgreSQL only. @default 2000
   */
  readonly lockMs: number;
  /** How long a statement may run. PostgreSQL only. @default 5000 */
  readonly statementMs: number;
  /**
   * How long the server keeps the transaction of a client that is frozen or lost, or that sends no statement.
   * PostgreSQL only. @default 5000
   */
  readonly idleMs: number;
  /**
   * How long the callback of a transaction may run. Then the transaction is rolled back with `ERR_TIMEOUT`, and
   * the callback's connection refuses further statements. SQLite has no other limit. @default 10000
   */
  readonly workMs: number;
}

/** The options of `withTransaction`. */
export interface SqlTransactionOptions {
  /** The SQL of the database. @default the dialect of the Kysely instance */
  readonly dialect?: SqlDialect | undefined;
  /** The time limits of transactions. SQLite has only `workMs`, and ignores the others. */
  readonly limits?:
    | { readonly [Name in keyof TransactionLimits]?: TransactionLimits[Name] | undefined }
    | undefined;
}

/** The options of `sqlOrderStore`: those of `withTransaction`, so one object can serve both. */
export interface SqlOrderStoreOptions extends SqlTransactionOptions {}

/** What a transaction needs. */
export interface TransactionTarget<Schema> {
  readonly db: Kysely<Schema>;
  readonly limits: TransactionLimits;
  readonly runtime: Runtime;
}

/** A database, by default one with the tables of a store. */
export interface SqlDatabase<Schema = Tables> extends TransactionTarget<Schema> {
  readonly dialect: SqlDialect;
}

/** A connection to the tables of a store. */
export type SqlConnection = Kysely<Tables>;

/** A function that resolves with the database when its tables are ready. */
export type OpenDatabase = () => Promise<SqlDatabase>;

const readLimits = group<TransactionLimits>({
  lockMs: milliseconds(2000),
  statementMs: milliseconds(5000),
  idleMs: milliseconds(5000),
  workMs: milliseconds(10_000),
});

/**
 * Validates a Kysely instance and the options for it, and adds the defaults.
 *
 * @param caller - The name of the function, for messages.
 * @throws RampError `ERR_CONFIG_INVALID` when the database is neither PostgreSQL nor SQLite, an option is
 * unknown, or a limit is out of range.
 */
export function toSqlDatabase<Schema>(
  caller: string,
  kysely: Kysely<Schema>,
  options: SqlTransactionOptions | undefined,
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
  return { db, dialect, limits, runtime };
}

/**
 * Returns the database of a store, without the plugins of the Kysely instance: a plugin that renames columns or
 * parses JSON would change the stored data. @throws as `toSqlDatabase`
 */
export function toStoreDatabase<Schema>(
  caller: string,
  kysely: Kysely<Schema>,
  options: SqlOrderStoreOptions | undefined,
  runtime: Runtime,
): SqlDatabase {
  const database = toSqlDatabase(caller, kysely, options, runtime);
  return { ...database, db: database.db.withoutPlugins() as unknown as SqlConnection };
}

function detectDialect<Schema>(kysely: Kysely<Schema>): SqlDialect | undefined {
  const { adapter } = kysely.getExecutor();
  if (adapter instanceof PostgresAdapter) return 'postgres';
  return adapter instanceof SqliteAdapter ? 'sqlite' : undefined;
}
