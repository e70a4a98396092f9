import type { Kysely } from 'kysely';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { Runtime } from '../internal/runtime.js';
import { parseSqlOptions, type SqlTransactionOptions } from './parseSqlOptions.js';
import type { SqlDatabase } from './SqlDatabase.js';
import type { Tables } from './schema/Tables.js';
import { queueConnections } from './transactions/queueConnections.js';

/** The options of `sqlOrderStore`. */
export interface SqlOrderStoreOptions extends SqlTransactionOptions {
  /** Is called once if `postgresPool` did not create the PostgreSQL pool. @default console.error */
  readonly onWarning?: ((warning: RampError) => void) | undefined;
}

/**
 * Returns the database of a Kysely instance without its plugins: a plugin that renames columns or parses JSON
 * would change the stored data.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when it is neither PostgreSQL nor SQLite.
 */
export function toSqlDatabase<Database>(
  kysely: Kysely<Database>,
  options: SqlOrderStoreOptions,
  runtime: Runtime,
): SqlDatabase {
  const { dialect, limits } = parseSqlOptions('sqlOrderStore', kysely, options);
  const db = kysely.withoutPlugins() as unknown as Kysely<Tables>;
  return {
    db: dialect === 'sqlite' ? queueConnections(db, runtime) : db,
    dialect,
    limits,
    runtime,
  };
}
