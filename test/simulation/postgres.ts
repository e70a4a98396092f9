import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import { sqlOrderStore } from '../../src/server/sql/sqlOrderStore.js';
import { startPostgres } from '../support/database/postgresSetup.js';
import {
  createDialect,
  type DatabaseOptions,
  type HeldConnection,
  hostRuntime,
  type Query,
  type ShopTables,
  type SimulatedDatabase,
} from './databases.js';
import type { Random } from './random.js';
import type { World, WorldProcess } from './world.js';

/** The timers of the host, which the world replaces while it runs. */
const { setTimeout: setHostTimeout } = globalThis;
const delay = (ms: number) => new Promise<void>((done) => setHostTimeout(done, ms));

/** How many connections each instance has. */
const POOL_SIZE = 4;
/** How long an instance waits for a connection and for a response, in virtual milliseconds, as with `postgresPool`. */
const CONNECT_LIMIT_MS = 5000;
const QUERY_LIMIT_MS = 6000;

/** The server and its template database, which all runs of this process share. */
interface Server {
  readonly url: string;
  /** A connection that sees the locks of all others. */
  readonly monitor: pg.Client;
}

let server: Promise<Server> | undefined;
let databases = 0;

const connectTo = async (url: string, database?: string): Promise<pg.Client> => {
  const address = new URL(url);
  if (database) address.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: address.href });
  client.on('error', () => {});
  await client.connect();
  return client;
};

const TEMPLATE = `simulation_template_${process.pid}`;
const BOOKINGS = 'create table bookings (key text primary key not null, status text)';

async function startServer(): Promise<Server> {
  const { url } = await startPostgres();
  const monitor = await connectTo(url);
  await monitor.query(`create database ${TEMPLATE}`);
  const client = await connectTo(url, TEMPLATE);
  await client.query(BOOKINGS);
  const execute = async ({ sql, parameters }: Query) =>
    toResult(await client.query(sql, [...parameters]));
  const kysely = new Kysely<ShopTables>({
    dialect: createDialect(parts, async () => ({ execute, release() {} })),
  });
  await sqlOrderStore(kysely, undefined, hostRuntime).migrate?.();
  await client.end();
  return { url, monitor };
}

const toResult = ({ rows, rowCount }: pg.QueryResult): QueryResult<never> => ({
  rows: rows as never[],
  ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }),
});

const parts = {
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
};

/**
 * Creates a database on a real PostgreSQL. Statements and locks are real; the clock of the server, its time limits, and
 * the network to it are virtual. The world stands still while a statement runs. If the statement waits for a lock, the
 * world goes on, and the statement continues when another statement has released the lock.
 */
export async function createPostgresDatabase(options: DatabaseOptions): Promise<SimulatedDatabase> {
  const { world, plan } = options;
  server ??= startServer();
  const { url, monitor } = await server;
  const name = `simulation_${process.pid}_${++databases}`;
  await monitor.query(`create database ${name}${plan.isFresh ? '' : ` template ${TEMPLATE}`}`);
  const own = await connectTo(url, name);
  if (plan.isFresh) await own.query(BOOKINGS);
  const locks = createLockWatch(monitor);
  const clients = new Set<ServerConnection>();
  const connect = async () => {
    const client = new ServerConnection(await connectTo(url, name), locks, world);
    await client.start();
    clients.add(client);
    return client;
  };
  const executeNow = ({ sql, parameters }: Query) =>
    world.hold(() => own.query(withClock(sql, world), [...parameters]).then(toResult));
  const kysely = new Kysely<ShopTables>({
    dialect: createDialect(parts, async () => ({ execute: executeNow, release() {} })),
  });
  const auditor = sqlOrderStore(kysely, undefined, hostRuntime);
  return {
    connect(process, runtime) {
      const pool = new Pool(options, process, connect);
      process.onDeath(() => pool.close());
      const instance = new Kysely<ShopTables>({ dialect: createDialect(parts, pool.acquire) });
      return { store: sqlOrderStore(instance, undefined, runtime) };
    },
    auditor,
    sqlAuditor: auditor,
    listRecords: () => auditor.listOrders({ limit: 100_000 }),
    async find(reference) {
      const { rows } = await world.hold(() =>
        own.query("select to_regclass('ramp_checkouts') as name"),
      );
      return rows[0]?.name ? auditor.findCheckout(reference) : undefined;
    },
    async listBookings() {
      const { rows } = await own.query('select key from bookings');
      return rows.map(({ key }) => `${key}`);
    },
    async countPendingChanges() {
      return Number((await own.query('select count(*) as n from ramp_changes')).rows[0].n);
    },
    async close() {
      await own.end();
      await monitor.query(`drop database ${name} with (force)`);
    },
  };
}

/** Replaces PostgreSQL's clock in a statement of the store with the time of the world. */
const withClock = (sql: string, world: World) =>
  sql.replaceAll('floor(extract(epoch from clock_timestamp()))', `${world.seconds}`);

interface LockWatch {
  /** Resolves when the statement of a backend has ended, or when it waits for a lock. */
  settle(pid: number, statement: Promise<unknown>): Promise<'ended' | 'waits'>;
  /** Adds a waiting statement, and calls `onEnd` once the statement has ended. */
  wait(pid: number, statement: Promise<unknown>, onEnd: () => void): void;
  /** Finds out which waiting statements have ended, because locks were released. */
  recheck(): Promise<void>;
  cancel(pid: number): Promise<void>;
  terminate(pid: number): Promise<void>;
}

function createLockWatch(monitor: pg.Client): LockWatch {
  const waiting = new Map<number, { statement: Promise<unknown>; onEnd: () => void }>();
  const settle: LockWatch['settle'] = async (pid, statement) => {
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
    };
    const ended = statement.then(end, end);
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 20)) {
      await Promise.race([ended, delay(pauseMs)]);
      if (hasEnded) return 'ended';
      // A lock is granted before the statement that released it returns, so this does not depend on timing.
      const { rows } = await monitor.query(
        'select 1 from pg_locks where pid = $1 and not granted limit 1',
        [pid],
      );
      if (rows.length > 0 && !hasEnded) return 'waits';
    }
  };
  const watch: LockWatch = {
    settle,
    wait: (pid, statement, onEnd) => void waiting.set(pid, { statement, onEnd }),
    async recheck() {
      for (const [pid, { statement, onEnd }] of waiting) {
        if ((await settle(pid, statement)) === 'waits') continue;
        waiting.delete(pid);
        onEnd();
      }
    },
    async cancel(pid) {
      await monitor.query('select pg_cancel_backend($1)', [pid]);
      await waiting.get(pid)?.statement.catch(() => {});
      await watch.recheck();
    },
    async terminate(pid) {
      await monitor.query('select pg_terminate_backend($1, 5000)', [pid]);
      await watch.recheck();
    },
  };
  return watch;
}

/** A real connection, with the time limits that the server would enforce, in virtual time. */
class ServerConnection {
  isBroken = false;
  #pid = 0;
  #isInTransaction = false;
  #lockMs = 0;
  #idleMs = 0;
  #idleTimer: { cancel(): void } | undefined;

  constructor(
    readonly client: pg.Client,
    readonly locks: LockWatch,
    readonly world: World,
  ) {}

  async start(): Promise<void> {
    const { rows } = await this.client.query('select pg_backend_pid() as pid');
    this.#pid = rows[0].pid;
  }

  /** Runs a statement. The world waits for it, unless the statement itself waits for a lock. */
  run({ sql, parameters }: Query): Promise<QueryResult<never>> {
    const { world, locks, client } = this;
    this.#idleTimer?.cancel();
    const text = this.#takeLimits(withClock(sql, world));
    return new Promise((resolve, reject) => {
      let timer: { cancel(): void } | undefined;
      let isTimedOut = false;
      const run = async () => {
        const statement = client.query(text, [...parameters]).then(toResult);
        const end = () => {
          timer?.cancel();
          if (/^(commit|rollback)/.test(sql)) this.#isInTransaction = false;
          if (sql.startsWith('begin')) this.#isInTransaction = true;
          this.#startIdleTimer();
          statement.then(resolve, (error) => {
            reject(isTimedOut ? Object.assign(error, { code: '55P03' }) : error);
          });
        };
        if ((await locks.settle(this.#pid, statement)) === 'ended') {
          end();
          return locks.recheck();
        }
        locks.wait(this.#pid, statement, end);
        if (this.#lockMs > 0)
          timer = world.after(this.#lockMs, () => {
            isTimedOut = true;
            void world.hold(() => locks.cancel(this.#pid));
          });
      };
      void world.hold(run);
    });
  }

  /** Removes the time limits that a transaction sets, and keeps those of locks and idle time as virtual limits. */
  #takeLimits(sql: string): string {
    return sql.replace(/set_config\('(\w+)', '(\d+)', true\)/g, (_, name: string, ms: string) => {
      if (name === 'lock_timeout') this.#lockMs = Number(ms);
      if (name === 'idle_in_transaction_session_timeout') this.#idleMs = Number(ms);
      return `set_config('${name}', '0', true)`;
    });
  }

  #startIdleTimer(): void {
    if (!this.#isInTransaction || this.#idleMs === 0) return;
    this.#idleTimer = this.world.after(this.#idleMs, () => this.break());
  }

  /** Ends the connection. The server then rolls back its open transaction. */
  break(): void {
    if (this.isBroken) return;
    this.isBroken = true;
    this.#idleTimer?.cancel();
    void this.world.hold(() => this.locks.terminate(this.#pid));
  }
}

/** The connections of one instance. */
class Pool {
  readonly #random: Random;
  readonly #all: ServerConnection[] = [];
  readonly #free: ServerConnection[] = [];
  readonly #waiting: ((connection: ServerConnection) => void)[] = [];

  constructor(
    readonly options: DatabaseOptions,
    readonly process: WorldProcess,
    readonly connect: () => Promise<ServerConnection>,
  ) {
    this.#random = options.world.random(`database-${process.name}`);
  }

  close(): void {
    for (const connection of this.#all) connection.break();
  }

  readonly acquire = async (): Promise<HeldConnection> => {
    const connection = await this.#take();
    return {
      execute: (query) => this.#execute(connection, query),
      release: () => this.#release(connection),
    };
  };

  async #take(): Promise<ServerConnection> {
    const { world } = this.options;
    for (let free = this.#free.pop(); free; free = this.#free.pop())
      if (!free.isBroken) return free;
    if (this.#all.filter(({ isBroken }) => !isBroken).length < POOL_SIZE) {
      const connection = await world.hold(this.connect);
      this.#all.push(connection);
      return connection;
    }
    return new Promise((resolve, reject) => {
      const timer = this.process.setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(new Error('timeout exceeded when trying to connect'));
      }, CONNECT_LIMIT_MS);
      const take = (connection: ServerConnection) => {
        this.process.clearTimer(timer);
        resolve(connection);
      };
      this.#waiting.push(take);
    });
  }

  #release(connection: ServerConnection): void {
    if (connection.isBroken) {
      const next = this.#waiting.shift();
      if (next) void this.#take().then(next);
      return;
    }
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#free.push(connection);
  }

  /** Sends a statement over an unreliable network. The connection can break before or after the statement has run. */
  #execute(connection: ServerConnection, query: Query): Promise<QueryResult<never>> {
    const { process } = this;
    const { world, plan, onStep } = this.options;
    const random = this.#random;
    const what = query.sql.slice(0, 24);
    if (process.isDead) return new Promise(() => {});
    onStep(process, `before ${what}`);
    if (process.isDead) return new Promise(() => {});
    const isActive = world.nowMs < plan.activeMs;
    const fault =
      isActive && random.chance(plan.database / 4)
        ? random.pick(['before', 'after', 'silent-before', 'silent-after'])
        : '';
    const isSlow = isActive && random.chance(plan.slowDatabase);
    const slowMs = isSlow ? random.log(20, 4000) : 0;
    const goMs = random.log(0.1, 1) + slowMs * random.next();
    const backMs = random.log(0.1, 1) + slowMs * random.next();
    if (fault) world.tell(`${process.name}: ${what} fails (${fault})`);
    return new Promise((resolve, reject) => {
      const end = (work: () => void, ms = backMs) => void world.after(ms, work, process);
      const breakOff = () => {
        connection.break();
        if (fault.startsWith('silent'))
          return end(() => reject(new Error('Query read timeout')), QUERY_LIMIT_MS);
        end(() => reject(new Error('Connection terminated unexpectedly')));
      };
      world.after(goMs, () => {
        if (connection.isBroken || fault.endsWith('before')) return breakOff();
        connection.run(query).then(
          (result) => {
            onStep(process, `after ${what}`);
            if (fault) breakOff();
            else end(() => resolve(result));
          },
          (error) => end(() => reject(error)),
        );
      });
    });
  }
}
