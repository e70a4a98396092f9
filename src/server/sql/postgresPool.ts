import { createConfigError, RampError } from '../../protocol/errors/RampError.js';
import { isolateListener, logError } from '../internal/errorReports.js';
import {
  count,
  flag,
  func,
  milliseconds,
  type OptionReader,
  optional,
  readOptions,
  TIMER_SECONDS,
} from '../internal/options.js';

/** The part of a `pg` client that `postgresPool` uses. */
interface PoolClient {
  readonly connection?: {
    prependListener(event: 'readyForQuery', listener: (message: { status: string }) => void): void;
  };
  query(...args: never[]): unknown;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** A client in use. `release` returns it to the pool, or destroys it. */
interface PooledClient {
  release(destroy?: boolean): void;
}

type Callback = (error: unknown, client?: unknown, release?: unknown) => void;

/** The part of a `pg` pool that `postgresPool` uses. */
interface PgPool {
  readonly options: object;
  connect(): Promise<PooledClient>;
  connect(callback: never): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'connect', listener: (client: never) => void): unknown;
  on(event: 'release', listener: (error: Error, client: never) => void): unknown;
}

/** Options of `postgresPool`. All options of `pg.Pool` are accepted too, and replace the defaults of `postgresPool`. */
export interface PostgresPoolOptions<Pool, Config> {
  /** The class `Pool` of the package `pg`, version 8. */
  readonly Pool: new (
    config?: Config,
  ) => Pool;
  /**
   * Is called with an error when a connection breaks, the server is read-only or does not respond to a query, or a
   * connection pooler refuses the session limits. Queries on a broken connection reject as well. @default console.error
   */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** The limits that the server enforces on each session. Some connection poolers refuse connections that set them. */
const SESSION_LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/** How much longer the client waits for a query than the server, so that the server times out first. */
const GRACE_MS = 1000;

/**
 * Creates a `pg.Pool` with time limits, which `sqlOrderStore` needs in PostgreSQL. A plain `pg.Pool` has none, so a
 * request may wait forever for a database that does not respond. The server itself enforces the limits of statements
 * and of idle transactions.
 *
 * A connection returns to the pool only after the server has reported it idle, that is, without a running query or an
 * open transaction. A broken connection never ends the process.
 *
 * When a query times out, or the server is read-only or shuts down, the pool destroys the connection of the query and
 * all connections that were opened before that query. So after a failover, the next query connects to the new primary.
 * A query that waits longer than `connectionTimeoutMillis` for a connection fails with `ERR_TIMEOUT`.
 *
 * Defaults, which you can replace: `statement_timeout` 5 s, `query_timeout` one second longer,
 * `idle_in_transaction_session_timeout` 10 s, `connectionTimeoutMillis` 5 s, `maxLifetimeSeconds` 300, `max` 10,
 * `keepAlive` true. If a connection pooler refuses the session limits, the pool connects without them.
 *
 * @throws RampError `ERR_CONFIG_INVALID` in three cases: `Pool` is missing; one of these options or `lock_timeout` is
 * malformed or misspelt; or `query_timeout` does not exceed `statement_timeout`.
 * @example
 * const pool = postgresPool({ Pool: pg.Pool, connectionString: process.env.DATABASE_URL });
 * const store = sqlOrderStore(new Kysely({ dialect: new PostgresDialect({ pool }) }));
 */
export function postgresPool<Pool, Config extends object>(
  options: PostgresPoolOptions<Pool, Config> & Config,
): Pool {
  const { Pool, onError, config } = readPoolOptions(options);
  const created = new Pool(config as Config);
  const pool = created as unknown as PgPool;
  const ages = createClientAges();
  // An error event without a listener would end the process.
  pool.on('error', onError);
  pool.on('connect', (client: PoolClient) => {
    client.on('error', onError);
    ages.add(client);
    trackQueries(client, ages, onError);
  });
  pool.on('release', (_error, client: PoolClient) => {
    // After a query timeout, a statement or a transaction may still be open on the server, and the next user of the
    // client would be inside it. So end the client. `end` immediately marks the client as ending, so the pool removes
    // it.
    if (!idleClients.has(client)) void client.end();
  });
  replaceConnect(pool, ages, onError);
  return created;
}

/**
 * Validates `Pool`, `onError`, and those options of `pg` that are time limits or have a default here. Passes all other
 * options on.
 */
function readPoolOptions<Pool, Config>(options: PostgresPoolOptions<Pool, Config>) {
  const readPool: OptionReader<typeof options.Pool> = (value, { refuse }) =>
    typeof value === 'function'
      ? (value as typeof options.Pool)
      : refuse(
          "needs a Pool: the class of the package pg. Write import pg from 'pg', and pass pg.Pool as Pool.",
        );
  const { Pool, onError, ...own } = readOptions(
    'postgresPool',
    options,
    {
      Pool: readPool,
      onError: func<(error: Error) => void>(logError),
      max: count({ byDefault: 10 }),
      connectionTimeoutMillis: milliseconds(5000, 0),
      maxLifetimeSeconds: count({
        byDefault: 300,
        least: 0,
        most: TIMER_SECONDS,
        unit: 'whole seconds',
      }),
      keepAlive: flag(true),
      statement_timeout: milliseconds(5000),
      query_timeout: optional(milliseconds(0)),
      lock_timeout: optional(milliseconds(0, 0)),
      idle_in_transaction_session_timeout: milliseconds(10_000, 0),
    },
    'misspelt',
  );
  const { statement_timeout, query_timeout = statement_timeout + GRACE_MS } = own;
  if (query_timeout <= statement_timeout)
    throw createConfigError(
      'postgresPool',
      'needs a longer query_timeout than statement_timeout: if the client times out first, the statement continues on the server.',
    );
  const config = { ...options, ...own, query_timeout, Pool: undefined, onError: undefined };
  return { Pool, onError: isolateListener(onError), config: omitUndefined(config) };
}

const omitUndefined = (given: object) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

/** The clients that the server has reported idle: without a running query or an open transaction. */
const idleClients = new WeakSet<PoolClient>();

/**
 * Keeps `idleClients` up to date for a client. `pg` itself does not check whether a client is idle: after a query
 * timeout, it lets the client return to the pool while the server still runs the query, and it ignores a transaction
 * that was left open. The server reports both, because it ends each query with the message ReadyForQuery, which
 * contains the state of the transaction.
 *
 * When an error shows that the server has failed, or is no longer the primary, this function ends the client. It also
 * expires every client that connected before the query, because after a failover such a client would lead to the old
 * primary. It passes the error to `onError`: the store repeats the query, and a client that was ended on purpose emits
 * no error, so otherwise nothing would report the failure.
 */
function trackQueries(client: PoolClient, ages: ClientAges, onError: (error: Error) => void): void {
  if (!client.connection)
    throw createConfigError(
      'postgresPool',
      'needs the JavaScript client of pg: pg.native does not report when a connection is idle.',
    );
  let unanswered = 0;
  idleClients.add(client);
  // Prepend this listener, because the client's own listener may release the client, which must be marked idle by then.
  client.connection.prependListener('readyForQuery', ({ status }) => {
    unanswered = Math.max(0, unanswered - 1);
    if (status === 'I' && unanswered === 0) idleClients.add(client);
  });
  const query = client.query.bind(client);
  client.query = (...args: never[]) => {
    unanswered++;
    idleClients.delete(client);
    const { count } = ages;
    const result: unknown = query(...args);
    if (isPromise(result))
      result.catch((error: unknown) => {
        if (!isServerFailure(error)) return;
        onError(error);
        ages.expire(count);
        // After a timeout the statement may still run on the server, so the connection must not be used again.
        void client.end();
      });
    return result as never;
  };
}

/** Takes promises of other libraries too. Without a promise, `query` calls back. */
const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (Object(value) as { catch?: unknown }).catch === 'function';

/**
 * Returns whether an error shows that a connection must not be used again: the query timed out in the client, or the
 * server is read-only (25006), is shutting down, has crashed, is starting (57P01 to 57P03) or is unreachable (08…).
 */
const isServerFailure = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.message === 'Query read timeout' ||
    ('code' in error && /^(25006|57P0[123]|08...)$/.test(`${error.code}`)));

/** Numbers the clients of one pool in the order in which they connected, to expire the older ones. */
interface ClientAges {
  add(client: object): void;
  /** How many clients have connected so far. It is also the number of the newest client. */
  readonly count: number;
  /** Expires the first `count` clients, because their server may have failed. */
  expire(count: number): void;
  isExpired(client: object): boolean;
}

function createClientAges(): ClientAges {
  const numbers = new WeakMap<object, number>();
  let count = 0;
  let lastExpired = 0;
  return {
    add: (client) => void numbers.set(client, ++count),
    get count() {
      return count;
    },
    expire(until) {
      lastExpired = Math.max(lastExpired, until);
    },
    isExpired: (client) => (numbers.get(client) ?? count + 1) <= lastExpired,
  };
}

/**
 * Replaces `pool.connect` with a function that
 *
 * - destroys expired clients instead of returning them,
 * - connects without the session limits if a pooler such as PgBouncer refuses them,
 * - explains timeouts with `ERR_TIMEOUT`.
 */
function replaceConnect(pool: PgPool, ages: ClientAges, onError: (error: Error) => void): void {
  const connect = pool.connect.bind(pool) as () => Promise<PooledClient>;
  const retryWithoutLimits = (error: unknown) => {
    if (!isRefusedParameter(error)) throw error;
    const options = pool.options as Record<string, unknown>;
    if (SESSION_LIMITS.some((name) => options[name])) onError(createLimitsWarning(error));
    for (const name of SESSION_LIMITS) options[name] = undefined;
    return connect();
  };
  const connectToPresentServer = async () => {
    for (;;) {
      const client = await connect()
        .catch(retryWithoutLimits)
        .catch((error) => {
          throw explainTimeout(error, pool.options);
        });
      if (!ages.isExpired(client)) return client;
      client.release(true);
    }
  };
  pool.connect = ((callback?: Callback) => {
    const connected = connectToPresentServer();
    if (!callback) return connected;
    connected.then((client) => callback(undefined, client, client.release), callback);
  }) as typeof pool.connect;
}

function explainTimeout(error: unknown, options: PgPool['options']): unknown {
  const { message } = Object(error) as { message?: unknown };
  const { max, connectionTimeoutMillis: ms } = options as Record<string, unknown>;
  if (message === 'timeout exceeded when trying to connect')
    return new RampError(
      'ERR_TIMEOUT',
      `No connection to PostgreSQL was free within ${ms} ms: all ${max} of this pool were in use. If the database is fast, raise max of postgresPool, or start more instances.`,
      { cause: error },
    );
  if (message === 'Connection terminated due to connection timeout')
    return new RampError(
      'ERR_TIMEOUT',
      `PostgreSQL did not accept a connection within ${ms} ms. Check that it runs and can be reached.`,
      { cause: error },
    );
  return error;
}

/**
 * Returns whether a pooler refused a startup parameter. The code 08P01 (protocol_violation) is not enough to tell,
 * because PgBouncer also uses it for other errors.
 */
const isRefusedParameter = (error: unknown): error is Error =>
  error instanceof Error &&
  (error as { code?: unknown }).code === '08P01' &&
  /unsupported startup parameter/.test(error.message);

const createLimitsWarning = (cause: Error) =>
  createConfigError(
    'The connection pooler',
    'in front of PostgreSQL refuses session limits such as statement_timeout, so postgresPool connects without them. Transactions of the order store keep their limits. To limit other statements, set statement_timeout for the database role.',
    { cause },
  );
