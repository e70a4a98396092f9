import { type Kysely, PostgresAdapter, SqliteAdapter } from 'kysely';
import { createOptionChecks } from '../internal/options.js';
import type { SqlDatabase, SqlDialect } from './SqlDatabase.js';
import { DEFAULT_LIMITS, type TransactionLimits } from './transactions/TransactionLimits.js';

/** The options of `withTransaction`. */
export interface SqlTransactionOptions {
  /** The SQL of the database. @default the dialect of the Kysely instance */
  readonly dialect?: SqlDialect | undefined;
  /** The time limits of transactions. SQLite has only `workMs`, and ignores the others. */
  readonly limits?:
    | { readonly [Name in keyof TransactionLimits]?: TransactionLimits[Name] | undefined }
    | undefined;
}

/** The options of `sqlOrderStore` and `withTransaction`: both may be called with one object. */
const OPTIONS: Record<keyof SqlTransactionOptions | 'onWarning', true> = {
  dialect: true,
  limits: true,
  onWarning: true,
};

/**
 * Validates a Kysely instance and the options for it, and adds the defaults.
 *
 * @param caller - The name of the function, for messages.
 * @throws RampError `ERR_CONFIG_INVALID` when the database is neither PostgreSQL nor SQLite, or a limit is
 * out of range.
 */
export function parseSqlOptions<Database>(
  caller: string,
  kysely: Kysely<Database>,
  options: SqlTransactionOptions,
): Pick<SqlDatabase, 'dialect' | 'limits'> {
  const { refuse, checkNames } = createOptionChecks(caller);
  if (typeof kysely?.withoutPlugins !== 'function')
    refuse('needs a Kysely instance: new Kysely({ dialect }).');
  checkNames(options, OPTIONS, 'all');
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
  return { dialect, limits: { ...DEFAULT_LIMITS, ...Object.fromEntries(set) } };
}

/** The largest time limit that PostgreSQL and timers accept. */
const MAX_MS = 2 ** 31 - 1;

const isLimit = ([name, ms]: readonly [string, unknown]): boolean =>
  name in DEFAULT_LIMITS && Number.isSafeInteger(ms) && Number(ms) >= 1 && Number(ms) <= MAX_MS;

function detectDialect<Database>(kysely: Kysely<Database>): SqlDialect | undefined {
  const { adapter } = kysely.getExecutor();
  if (adapter instanceof PostgresAdapter) return 'postgres';
  return adapter instanceof SqliteAdapter ? 'sqlite' : undefined;
}
