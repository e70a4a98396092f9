import type { Kysely } from 'kysely';
import { processRuntime } from '../../../src/server/internal/runtime.js';
import type { SqlOptions, SqlOrderStore } from '../../../src/server/sql/index.js';
import { toSqlDatabase } from '../../../src/server/sql/SqlDatabase.js';
import { buildOrderStore } from '../../../src/server/sql/sqlOrderStore.js';

/**
 * Creates an order store whose transactions may wait only `idleMs` for their next statement, in place of 5 seconds, so
 * that the tests of this limit are short.
 */
export function storeWithIdleLimit<Database>(
  kysely: Kysely<Database>,
  options: SqlOptions,
  idleMs: number,
): SqlOrderStore<Database> {
  const { limits, ...database } = toSqlDatabase('sqlOrderStore', kysely, options, processRuntime);
  return buildOrderStore({ ...database, limits: { ...limits, idleMs } });
}
