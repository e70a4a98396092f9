import { type Kysely, PostgresAdapter, SqliteAdapter } from 'kysely';
import { RampError } from '../../protocol/ramp-error.js';
import type { SqlDatabase, SqlDialect } from './SqlDatabase.js';
import type { Tables } from './tables.js';

export interface SqlOrderStoreOptions {
  /** Which SQL it speaks. @default what the dialect of the Kysely instance tells */
  readonly dialect?: SqlDialect;
  /** Called once when the PostgreSQL pool is not one of `postgresPool`. @default console.error */
  readonly onWarning?: ((warning: RampError) => void) | undefined;
}

/**
 * Plugins are left out: one that renames columns or parses JSON would change what is kept.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when it is neither PostgreSQL nor SQLite.
 */
export function connectTo<Database>(
  kysely: Kysely<Database>,
  options: SqlOrderStoreOptions,
): SqlDatabase {
  if (typeof kysely?.withoutPlugins !== 'function')
    refuse('needs a Kysely instance: new Kysely({ dialect }).');
  const { dialect = dialectOf(kysely) } = options;
  if (dialect !== 'postgres' && dialect !== 'sqlite')
    refuse("is for PostgreSQL and SQLite: name the one it is, { dialect: 'postgres' | 'sqlite' }.");
  return { db: kysely.withoutPlugins() as unknown as Kysely<Tables>, dialect };
}

function dialectOf<Database>(kysely: Kysely<Database>): SqlDialect | undefined {
  const { adapter } = kysely.getExecutor();
  if (adapter instanceof PostgresAdapter) return 'postgres';
  return adapter instanceof SqliteAdapter ? 'sqlite' : undefined;
}

function refuse(message: string): never {
  throw new RampError('ERR_CONFIG_INVALID', `sqlOrderStore ${message}`);
}
