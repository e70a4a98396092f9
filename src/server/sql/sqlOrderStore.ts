import type { Kysely } from 'kysely';
import { processRuntime, type Runtime } from '../internal/runtime.js';
import { type SqlDatabase, type SqlOptions, toSqlDatabase, withoutPlugins } from './SqlDatabase.js';
import { migrate, requireTables } from './schema.js';
import { checkouts } from './store/checkouts.js';
import { deliveries } from './store/deliveries.js';
import { erasure } from './store/erasure.js';
import { orders } from './store/orders.js';
import { purge } from './store/purge.js';
import type { SqlOrderStore } from './store/SqlOrderStore.js';
import { replays, syncState } from './store/state.js';
import { support } from './store/support.js';

/**
 * Creates an order store in PostgreSQL (for any number of instances) or in a SQLite file (for processes on one
 * machine). Its tables, whose names begin with `ramp_`, are created and updated by `ramp.start()`, by
 * `migrateOrderStore`, and by the first use of the store except under `NODE_ENV=production`.
 *
 * @throws RampError `ERR_CONFIG_INVALID` unless `kysely` is a Kysely instance for PostgreSQL or SQLite and all limits
 * are in range.
 * @example
 * const pool = postgresPool({ pg, connectionString });
 * const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) });
 * const ramp = createRamp({ ...options, store: sqlOrderStore(kysely) });
 */
export function sqlOrderStore<Database>(
  kysely: Kysely<Database>,
  options?: SqlOptions,
): SqlOrderStore<Database>;
/** @internal */
export function sqlOrderStore<Database>(
  kysely: Kysely<Database>,
  options: SqlOptions | undefined,
  runtime: Runtime,
): SqlOrderStore<Database>;
export function sqlOrderStore<Database>(
  kysely: Kysely<Database>,
  options?: SqlOptions,
  runtime: Runtime = processRuntime,
): SqlOrderStore<Database> {
  return buildOrderStore(toSqlDatabase('sqlOrderStore', kysely, options, runtime));
}

/** @internal */
export function buildOrderStore<Database>(shop: SqlDatabase<Database>): SqlOrderStore<Database> {
  const database = withoutPlugins(shop);
  let ready: Promise<SqlDatabase> | undefined;
  const prepare = (prepared: Promise<void>) => {
    const current = prepared.then(
      () => database,
      (error) => {
        // Let the next call try again.
        if (ready === current) ready = undefined;
        throw error;
      },
    );
    ready = current;
    return current;
  };
  const open = () =>
    ready ??
    prepare(process.env.NODE_ENV === 'production' ? requireTables(database) : migrate(database));
  return {
    async migrate() {
      await prepare(migrate(database));
    },
    ...checkouts(open),
    ...orders(open),
    ...deliveries(open, shop),
    ...replays(open),
    ...syncState(open),
    ...purge(open),
    ...erasure(open),
    ...support(open),
  };
}

/**
 * Creates or updates the tables of `sqlOrderStore`. Call it in a migration step if the backend itself must not alter
 * tables.
 *
 * @throws RampError `ERR_CONFIG_INVALID` under the same conditions as `sqlOrderStore`.
 * @throws the errors of the database.
 * @example
 * await migrateOrderStore(kysely);
 */
export async function migrateOrderStore<Database>(
  kysely: Kysely<Database>,
  options?: SqlOptions,
): Promise<void> {
  await migrate(
    withoutPlugins(toSqlDatabase('migrateOrderStore', kysely, options, processRuntime)),
  );
}
