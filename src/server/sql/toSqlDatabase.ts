import { type Kysely, PostgresAdapter, SqliteAdapter } from 'kysely';
import { createConfigError } from '../../protocol/errors/createConfigError.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { SqlDatabase, SqlDialect } from './SqlDatabase.js';
import type { Tables } from './schema/Tables.js';
import { DEFAULT_LIMITS, type TransactionLimits } from './transactions/TransactionLimits.js';

export interface SqlOrderStoreOptions {
  /** Which SQL it speaks. @default what the dialect of the Kysely instance tells */
  readonly dialect?: SqlDialect;
  /** Time limits of PostgreSQL's transactions. SQLite ignores them. */
  readonly limits?: Partial<TransactionLimits> | undefined;
  /** Called once when the PostgreSQL pool is not one of `postgresPool`. @default console.error */
  readonly onWarning?: ((warning: RampError) => void) | undefined;
}

/**
 * Plugins are left out: one that renames columns or parses JSON would change what is kept.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when it is neither PostgreSQL nor SQLite.
 */
export function toSqlDatabase<Database>(
  kysely: Kysely<Database>,
  options: SqlOrderStoreOptions,
): SqlDatabase {
  if (typeof kysely?.withoutPlugins !== 'function')
    throw createConfigError('sqlOrderStore', 'needs a Kysely instance: new Kysely({ dialect }).');
  const { dialect = detectDialect(kysely) } = options;
  if (dialect !== 'postgres' && dialect !== 'sqlite')
    throw createConfigError(
      'sqlOrderStore',
      "is for PostgreSQL and SQLite: name the one it is, { dialect: 'postgres' | 'sqlite' }.",
    );
  const db = kysely.withoutPlugins() as unknown as Kysely<Tables>;
  return { db, dialect, limits: parseLimits(options.limits) };
}

function parseLimits(given: Partial<TransactionLimits> = {}): TransactionLimits {
  const limits = { ...DEFAULT_LIMITS, ...given };
  for (const [name, ms] of Object.entries(limits))
    if (!(name in DEFAULT_LIMITS) || !Number.isSafeInteger(ms) || ms < 1 || ms > MAX_MS)
      throw createConfigError(
        'sqlOrderStore',
        `takes as limits lockMs, statementMs and idleMs: whole milliseconds from 1 to ${MAX_MS}.`,
      );
  return limits;
}

/** The largest time limit that PostgreSQL takes. */
const MAX_MS = 2 ** 31 - 1;

function detectDialect<Database>(kysely: Kysely<Database>): SqlDialect | undefined {
  const { adapter } = kysely.getExecutor();
  if (adapter instanceof PostgresAdapter) return 'postgres';
  return adapter instanceof SqliteAdapter ? 'sqlite' : undefined;
}
