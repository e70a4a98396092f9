import type { Kysely } from 'kysely';
import { processRuntime, type Runtime } from '../internal/runtime.js';
import type { OrderStore } from '../orders/store/OrderStore.js';
import { type SqlDatabase, type SqlOptions, toStoreDatabase } from './SqlDatabase.js';
import { migrate } from './schema.js';
import { checkouts } from './store/checkouts.js';
import { deliveries } from './store/deliveries.js';
import { erasure } from './store/erasure.js';
import { orders } from './store/orders.js';
import { purge } from './store/purge.js';
import { replays, syncState } from './store/state.js';
import { support } from './store/support.js';

/**
 * Creates an order store in PostgreSQL (for any number of instances) or in a SQLite file (for processes on one
 * machine). The first use of the store creates or updates its tables, whose names begin with `ramp_`.
 *
 * @throws RampError `ERR_CONFIG_INVALID` unless `kysely` is a Kysely instance of PostgreSQL or SQLite and all
 * limits are in range.
 * @example
 * const pool = postgresPool({ pg, connectionString });
 * const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) });
 * const handler = createRampHandler({ signer, policy, allowedOrigins, store: sqlOrderStore(kysely) });
 */
export function sqlOrderStore<Database>(kysely: Kysely<Database>, options?: SqlOptions): OrderStore;
/** @internal */
export function sqlOrderStore<Database>(
  kysely: Kysely<Database>,
  options: SqlOptions | undefined,
  runtime: Runtime,
): OrderStore;
export function sqlOrderStore<Database>(
  kysely: Kysely<Database>,
  options?: SqlOptions,
  runtime: Runtime = processRuntime,
): OrderStore {
  const database = toStoreDatabase('sqlOrderStore', kysely, options, runtime);
  let ready: Promise<SqlDatabase> | undefined;
  const open = () => {
    ready ??= migrate(database).then(
      () => database,
      (error) => {
        // Let the next call try again.
        ready = undefined;
        throw error;
      },
    );
    return ready;
  };
  return {
    ...checkouts(open),
    ...orders(open),
    ...deliveries(open),
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
  await migrate(toStoreDatabase('migrateOrderStore', kysely, options, processRuntime));
}
