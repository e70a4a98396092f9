import { createConfigError, RampError } from '../../protocol/errors/RampError.js';
import { isolateListener, logError } from '../internal/errorReports.js';
import {
  count,
  flag,
  func,
  isPromise,
  milliseconds,
  type OptionReader,
  optional,
  readOptions,
  TIMER_SECONDS,
} from '../internal/options.js';

/** The part of a `pg` client that `postgresPool` uses. */
interface PgClient {
  query(...args: never[]): unknown;
  end(): Promise<void>;
  getTransactionStatus(): 'I' | 'T' | 'E' | null;
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
  connect(callback?: Callback): Promise<PooledClient> | undefined;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'connect' | 'release', listener: (...args: never[]) => void): unknown;
}

type Class<Instance> = new (...args: never[]) => Instance;

/** Options of `postgresPool`. All options of `pg.Pool` are accepted too, and replace the defaults of `postgresPool`. */
export interface PostgresPoolOptions<Pool, Config> {
  /** The package `pg`, version 8.21 or later. */
  readonly pg: {
    readonly Pool: new (config?: Config) => Pool;
    readonly Client: new (...args: never[]) => object;
  };
  /**
   * Called with an error when a connection breaks, the server is read-only or does not respond to a query, or a
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
 * If it refuses another parameter, such as `search_path`, connecting fails with `ERR_CONFIG_INVALID`.
 *
 * @throws RampError `ERR_CONFIG_INVALID` in four cases: `pg` is missing; it is older than 8.21 or `pg.native`; one of
 * these options or `lock_timeout` is malformed or misspelt; or `query_timeout` does not exceed `statement_timeout`.
 * @example
 * const pool = postgresPool({ pg, connectionString: process.env.DATABASE_URL });
 * const store = sqlOrderStore(new Kysely({ dialect: new PostgresDialect({ pool }) }));
 */
export function postgresPool<Pool, Config extends object>(
  options: PostgresPoolOptions<Pool, Config> & Config,
): Pool {
  const { pg, onError, config } = readPoolOptions(options);
  const ages = createClientAges();
  const Client = createClientClass(pg.Client as Class<PgClient>, ages, onError);
  const Pool = createPoolClass(pg.Pool as unknown as Class<PgPool>, ages, onError);
  const pool = new Pool({ ...config, Client } as never);
  // An error event without a listener would end the process.
  pool.on('error', onError);
  pool.on('connect', (client: PgClient) => {
    client.on('error', onError);
    ages.add(client);
  });
  pool.on('release', (_error: unknown, client: InstanceType<typeof Client>) => {
    // The server may still run a statement or keep a transaction open, and the client's next user would end up inside
    // that transaction. The pool removes a client that has begun to end.
    if (!client.isIdle) void client.end();
  });
  return pool as Pool;
}

/**
 * Validates `pg`, and those options of `pg.Pool` that are time limits or have a default here. Passes all other options
 * on.
 */
function readPoolOptions<Pool, Config>(options: PostgresPoolOptions<Pool, Config>) {
  const readPg: OptionReader<typeof options.pg> = (value, { refuse }) => {
    const { Pool, Client } = Object(value) as Partial<typeof options.pg>;
    if (typeof Pool !== 'function' || typeof Client !== 'function')
      return refuse("needs the package pg. Write import pg from 'pg', and pass it as pg.");
    return 'getTransactionStatus' in Client.prototype
      ? (value as typeof options.pg)
      : refuse(
          'needs the JavaScript client of pg 8.21 or later: others do not report whether a transaction is open.',
        );
  };
  const { pg, onError, ...own } = readOptions(
    'postgresPool',
    options,
    {
      pg: readPg,
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
  const config = { ...options, ...own, query_timeout, pg: undefined, onError: undefined };
  return { pg, onError: isolateListener(onError), config: omitUndefined(config) };
}

const omitUndefined = (given: object) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

/**
 * Creates a class of clients that know whether they are idle. `pg` itself does not check this: it lets a client return
 * to the pool while the server still runs a query, or with an open transaction.
 *
 * When an error shows that the server has failed, or is no longer the primary, the client ends. Every client that
 * connected before the query expires, because after a failover it would still reach the old primary. `onError` receives
 * the error: the store repeats the query, and a client that was ended on purpose emits no error, so otherwise nothing
 * would report the failure.
 */
function createClientClass(
  Client: Class<PgClient>,
  ages: ClientAges,
  onError: (error: Error) => void,
) {
  return class extends Client {
    #unanswered = 0;

    /** True if no query is running on the server and no transaction is open. */
    get isIdle(): boolean {
      return this.#unanswered === 0 && this.getTransactionStatus() === 'I';
    }

    override query(...args: never[]): unknown {
      const connected = ages.count;
      const result = super.query(...args);
      // A query with a callback comes from `pool.query`, which destroys the client after an error.
      if (isPromise(result)) {
        this.#unanswered++;
        result.then(
          () => this.#unanswered--,
          (error) => {
            this.#unanswered--;
            if (!isServerFailure(error)) return;
            onError(error);
            ages.expire(connected);
            // After a timeout the statement may still run on the server, so the connection must not be used again.
            void this.end();
          },
        );
      }
      return result;
    }
  };
}

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
  /** How many clients have connected so far. Also the newest client's number. */
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
 * Creates a class of pools whose `connect`
 *
 * - destroys expired clients instead of returning them,
 * - connects without the session limits if a pooler such as PgBouncer refuses them,
 * - explains timeouts with `ERR_TIMEOUT`.
 */
function createPoolClass(Pool: Class<PgPool>, ages: ClientAges, onError: (error: Error) => void) {
  return class extends Pool {
    override connect(callback?: Callback): Promise<PooledClient> | undefined {
      const connected = this.#connectToPresentServer();
      if (!callback) return connected;
      connected.then((client) => callback(undefined, client, client.release), callback);
      return undefined;
    }

    async #connectToPresentServer(): Promise<PooledClient> {
      for (;;) {
        const client = await this.#connectWithoutRefusedLimits();
        if (!ages.isExpired(client)) return client;
        client.release(true);
      }
    }

    async #connectWithoutRefusedLimits(isSecondTry = false): Promise<PooledClient> {
      try {
        return await (super.connect() as Promise<PooledClient>);
      } catch (error) {
        const options = this.options as Record<string, unknown>;
        const refused = readRefusedParameter(error);
        if (isSecondTry || !refused) throw explainTimeout(error, options);
        if (!SESSION_LIMITS.includes(refused)) throw createRefusedError(refused, error as Error);
        if (SESSION_LIMITS.some((name) => options[name])) onError(createLimitsWarning(error));
        for (const name of SESSION_LIMITS) options[name] = undefined;
        return this.#connectWithoutRefusedLimits(true);
      }
    }
  };
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
 * Returns the name of the startup parameter that a pooler has refused, or undefined if the error means something else.
 * The code 08P01 (protocol_violation) is not enough to tell, because PgBouncer also uses it for other errors.
 */
function readRefusedParameter(error: unknown): string | undefined {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  if (code !== '08P01' || !(error instanceof Error)) return undefined;
  return /unsupported startup parameter(?: in options)?: (\w+)/.exec(`${message}`)?.[1];
}

/** Any parameter but a session limit may decide which tables are used, so the pool must not connect without it. */
const createRefusedError = (name: string, cause: Error) =>
  createConfigError(
    'The connection pooler',
    `in front of PostgreSQL refuses the parameter ${name} of the connection. Remove it from DATABASE_URL or from the options of postgresPool, and set what it contains for the database role instead, such as: alter role shop set search_path = shop.`,
    { cause },
  );

const createLimitsWarning = (cause: unknown) =>
  createConfigError(
    'The connection pooler',
    'in front of PostgreSQL refuses session limits such as statement_timeout, so postgresPool connects without them. Transactions of the order store keep their limits. To limit other statements, set statement_timeout for the database role.',
    { cause },
  );
