import type { Kysely } from 'kysely';
import { createConfigError } from '../../protocol/errors/createConfigError.js';
import { logError } from '../internal/errorReports.js';
import { processRuntime, type Runtime } from '../internal/runtime.js';
import type { OrderStore } from '../orders/store/OrderStore.js';
import { isOwnPool } from './pool/poolProbe.js';
import type { SqlDatabase } from './SqlDatabase.js';
import { migrate } from './schema/migrate.js';
import { checkouts } from './store/checkouts.js';
import { deliveries } from './store/deliveries.js';
import { events } from './store/events.js';
import { orderRecorder } from './store/orderRecorder.js';
import { orders } from './store/orders.js';
import { purge } from './store/purge.js';
import { replays } from './store/replays.js';
import { syncState } from './store/syncState.js';
import { type SqlOrderStoreOptions, toSqlDatabase } from './toSqlDatabase.js';

/**
 * Creates an order store in PostgreSQL, for any number of instances, or in a SQLite file, for processes on
 * one machine. The names of its tables begin with `ramp_`; it creates them at the first call.
 *
 * @throws RampError `ERR_CONFIG_INVALID` unless `kysely` is a Kysely instance of PostgreSQL or SQLite and all
 * limits are in range.
 * @example
 * const pool = postgresPool({ Pool: pg.Pool, connectionString });
 * const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) });
 * const handler = createRampHandler({ signer, policy, allowedOrigins, store: sqlOrderStore(kysely) });
 */
export function sqlOrderStore<Database>(
  kysely: Kysely<Database>,
  options?: SqlOrderStoreOptions,
): OrderStore;
/** @internal */
export function sqlOrderStore<Database>(
  kysely: Kysely<Database>,
  options: SqlOrderStoreOptions | undefined,
  runtime: Runtime,
): OrderStore;
export function sqlOrderStore<Database>(
  kysely: Kysely<Database>,
  options: SqlOrderStoreOptions = {},
  runtime: Runtime = processRuntime,
): OrderStore {
  const database = toSqlDatabase(kysely, options, runtime);
  const { onWarning = logError } = options;
  let isWarned = false;
  let ready: Promise<SqlDatabase> | undefined;
  const open = () => {
    ready ??= prepare().catch((error) => {
      ready = undefined;
      throw error;
    });
    return ready;
  };
  const prepare = async () => {
    await migrate(database);
    if (database.dialect === 'postgres' && !isWarned && !(await isOwnPool(database.db))) {
      isWarned = true;
      onWarning(createPoolWarning());
    }
    return database;
  };
  return {
    ...checkouts(open),
    ...orderRecorder(open),
    ...orders(open),
    ...events(open),
    ...deliveries(open),
    ...replays(open),
    ...syncState(open),
    ...purge(open),
  };
}

/**
 * Creates or updates the tables of `sqlOrderStore`. Call it in a migration step if the backend itself must not
 * alter tables.
 *
 * @throws RampError `ERR_CONFIG_INVALID` as `sqlOrderStore` does, and the errors of the database.
 * @example
 * await migrateOrderStore(kysely);
 */
export async function migrateOrderStore<Database>(
  kysely: Kysely<Database>,
  options: SqlOrderStoreOptions = {},
): Promise<void> {
  await migrate(toSqlDatabase(kysely, options, processRuntime));
}

const createPoolWarning = () =>
  createConfigError(
    'sqlOrderStore',
    'runs on a PostgreSQL pool that postgresPool() did not create. No acknowledged write is lost, but a request may wait for as long as this pool waits for a database that does not respond. Create the pool with postgresPool() from @partner-ramp/react/server/sql to limit the wait.',
  );
