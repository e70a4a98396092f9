import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { DatabaseSync } from '@photostructure/sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { createRuntime, processRuntime, type Runtime } from '../../src/server/internal/runtime.js';
import {
  getMemoryTables,
  memoryOrderStore,
} from '../../src/server/orders/memory/memoryOrderStore.js';
import type { OrderRecord } from '../../src/server/orders/store/OrderRecord.js';
import type { CheckoutRecord, OrderStore } from '../../src/server/orders/store/OrderStore.js';
import { sqlOrderStore } from '../../src/server/sql/sqlOrderStore.js';
import type { SqlOrderStore } from '../../src/server/sql/store/SqlOrderStore.js';
import type { Plan } from './plan.js';
import type { Random } from './random.js';
import type { World, WorldProcess } from './world.js';

/** Called at each input and output of an instance. The instance may crash or freeze there. */
type OnStep = (process: WorldProcess, what: string) => void;

/** The store of one instance. */
interface Connection {
  readonly store: OrderStore;
}

export interface ShopTables {
  bookings: { key: string; status: string };
}

/** The database that all instances share. */
export interface SimulatedDatabase {
  connect(process: WorldProcess, runtime: Runtime): Connection;
  /** A store without faults and delays, for the auditor. Its first use creates missing tables. */
  readonly auditor: OrderStore;
  /** The same store, if it can erase data. */
  readonly sqlAuditor?: SqlOrderStore;
  /** Reads the records of all orders. */
  listRecords(): Promise<readonly OrderRecord[]>;
  /** Reads a checkout without faults and delays, and without creating tables. */
  find(reference: string): Promise<CheckoutRecord | undefined>;
  /** The keys of the calls whose row the partner wrote in this database. */
  listBookings(): readonly string[] | Promise<readonly string[]>;
  countPendingChanges(): Promise<number>;
  close(): unknown;
}

export interface DatabaseOptions {
  readonly world: World;
  readonly plan: Plan;
  readonly onStep: OnStep;
}

const never = <T>() => new Promise<T>(() => {});

/** The methods that are called over the simulated network. The others are added separately. */
type Method = Exclude<keyof OrderStore, 'withSyncLease' | 'handleChange'>;

const LEASE_SECONDS = 9;
/** How long after the end of the faults a database begins to answer calls without a delay. */
const CALM_MS = 3_600_000;

/**
 * Creates a database that keeps everything in memory, behind a network: calls take time, and may fail before or after
 * their effect, with an error or by a timeout.
 */
export function createMemoryDatabase({ world, plan, onStep }: DatabaseOptions): SimulatedDatabase {
  const base = memoryOrderStore();
  const lease = { owner: 0, until: 0 };
  let owners = 0;

  const call = <T>(process: WorldProcess, name: string, effect: () => Promise<T>): Promise<T> => {
    const random = world.random(`database-${process.name}`);
    if (process.isDead) return never();
    // Long after the faults, delays no longer matter. Skipping them saves two events in each call.
    if (world.nowMs > plan.activeMs + CALM_MS) return effect();
    onStep(process, `before ${name}`);
    // If the process has died in this step, half of the time its request was not sent.
    if (process.isDead && random.chance(0.5)) return never();
    const isActive = world.nowMs < plan.activeMs;
    const fault =
      isActive && random.chance(plan.database)
        ? random.pick(['before', 'after', 'silent-before', 'silent-after'])
        : '';
    const slowMs = isActive && random.chance(plan.slowDatabase) ? random.log(20, 4000) : 0;
    const goMs = random.log(0.2, 4) + slowMs * random.next();
    const backMs = random.log(0.2, 4) + slowMs * random.next();
    if (fault) world.tell(`${process.name}: ${name} fails (${fault})`);
    return new Promise((resolve, reject) => {
      const run = async () => {
        const end = (work: () => void, ms = backMs) => void world.after(ms, work, process);
        const isLost = fault === 'before' || fault === 'silent-before';
        const result = isLost
          ? undefined
          : await effect().then(
              (value) => ({ value }),
              (error: unknown) => ({ error }),
            );
        onStep(process, `after ${name}`);
        if (fault.startsWith('silent'))
          return end(() => reject(new Error('Query read timeout')), 6000);
        if (fault || !result) return end(() => reject(new Error('Connection terminated')));
        end(() => ('error' in result ? reject(result.error) : resolve(result.value)));
      };
      world.after(goMs, () => void run());
    });
  };

  const now = () => world.seconds;
  /** Grants the lease as `sqlOrderStore` does, by the clock of the database. */
  const withSyncLease =
    (process: WorldProcess, runtime: Runtime): OrderStore['withSyncLease'] =>
    async (sync) => {
      const owner = ++owners;
      let renewedAt = process.monotonic();
      const isTaken = await call(process, 'lease', async () => {
        if (lease.until > now() && lease.until <= now() + LEASE_SECONDS) return false;
        Object.assign(lease, { owner, until: now() + LEASE_SECONDS });
        return true;
      });
      if (!isTaken) return false;
      const renew = async () => {
        const at = process.monotonic();
        const isOwn = await call(process, 'renewal', async () => {
          if (lease.owner === owner) lease.until = now() + LEASE_SECONDS;
          return lease.owner === owner;
        });
        renewedAt = isOwn ? at : Number.NEGATIVE_INFINITY;
      };
      const timer = runtime.setInterval(() => void renew().catch(() => {}), LEASE_SECONDS * 333);
      try {
        await sync(() => process.monotonic() - renewedAt < LEASE_SECONDS * 1000 - 1000);
      } finally {
        runtime.clearInterval(timer);
        await call(process, 'release', async () => {
          if (lease.owner === owner) Object.assign(lease, { owner: 0, until: 0 });
        }).catch(() => {});
      }
      return true;
    };

  /**
   * Handles a change as a store without transactions does: it reads the change, lets the partner's code run, and then
   * removes the change. So the code runs again if the process dies in between.
   */
  const handleChange =
    (process: WorldProcess): OrderStore['handleChange'] =>
    async (pending, handle) => {
      const read = await call(process, 'change', async () => {
        let found: Parameters<typeof handle> | undefined;
        await base
          .handleChange(pending, async (...change) => {
            found = change;
            throw new Error('only read');
          })
          .catch(() => {});
        return found;
      });
      if (!read) return false;
      const history = await handle(...read);
      return call(process, 'acknowledgement', () =>
        base.handleChange(pending, async () => history),
      );
    };

  const { withSyncLease: _, handleChange: __, ...methods } = base;
  return {
    connect(process, runtime) {
      const calls = Object.entries(methods).map(([name, method]) => [
        name,
        (...args: never[]) =>
          call(process, name, () => (method as (...args: never[]) => Promise<unknown>)(...args)),
      ]);
      const store = Object.fromEntries(calls) as Pick<OrderStore, Method>;
      return {
        store: {
          ...store,
          withSyncLease: withSyncLease(process, runtime),
          handleChange: handleChange(process),
        },
      };
    },
    auditor: base,
    listRecords: async () => [...(getMemoryTables(base)?.records.values() ?? [])],
    find: (reference) => base.findCheckout(reference),
    listBookings: () => [],
    countPendingChanges: async () => (await base.listPendingChanges(2 ** 40, 1_000_000)).length,
    close() {},
  };
}

/**
 * The folder of the database files. Files in memory are faster, and durability is not simulated, so a disk is not
 * needed.
 */
const folder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const template = `${folder}/simulation-${process.pid}-template.db`;
let fileCount = 0;

/** The timers of the host, for statements outside virtual time. The world replaces the global timers while it runs. */
const { setTimeout, clearTimeout } = globalThis;
const createHostRuntime = (world?: World) =>
  createRuntime({
    ...processRuntime,
    monotonic: () => 0,
    setTimeout: (work, ms) => setTimeout(work, ms),
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
    setImmediate(work) {
      world?.yieldToHost();
      setImmediate(work);
    },
  });
export const hostRuntime = createHostRuntime();

/** A statement that a file has prepared. */
interface Prepared {
  readonly statement: ReturnType<InstanceType<typeof DatabaseSync>['prepare']>;
  readonly isReader: boolean;
  /** The indexes of the parameters that take the time of the database. */
  readonly times: readonly number[];
}

const TIME = "strftime('%s', 'now')";

/** A connection to a SQLite file. It prepares each statement only once. */
class File {
  readonly #file: InstanceType<typeof DatabaseSync>;
  readonly #prepared = new Map<string, Prepared>();

  constructor(name: string) {
    this.#file = new DatabaseSync(name);
    // The statements of `migrateOrderStore` that configure a connection are left out, because they let it wait in real
    // time.
    this.exec('pragma synchronous = off');
    // A commit writes whole pages, so small ones save time.
    this.exec('pragma page_size = 512; pragma journal_mode = wal');
  }

  get inTransaction(): boolean {
    return this.#file.isTransaction;
  }

  exec(sql: string): void {
    this.#file.exec(sql);
  }

  close(): void {
    this.#file.close();
  }

  /** @param time - What the statement sees as the time, Unix seconds. By default, SQLite's own clock. */
  execute({ sql, parameters }: Query, time?: number): QueryResult<never> {
    const { statement, isReader, times } = this.#prepare(sql, time !== undefined);
    let values = parameters;
    for (const index of times) values = values.toSpliced(index, 0, `${time}`);
    if (isReader) return { rows: statement.all(...values) as never[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }

  #prepare(sql: string, takesTime: boolean): Prepared {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const parts = takesTime ? sql.split(TIME) : [sql];
    const statement = this.#file.prepare(parts.join('?'));
    const times = parts.slice(1).map((_, index) => {
      const before = parts.slice(0, index + 1).join('?');
      return before.split('?').length - 1;
    });
    const prepared = { statement, isReader: statement.columns().length > 0, times };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

const removeFile = (name: string) => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(name + suffix, { force: true });
};

/** Creates a file with the tables. Each run begins with a copy of it, unless `isFresh` is set. */
async function createTemplate(): Promise<void> {
  const file = new File(template);
  process.on('exit', () => removeFile(template));
  const kysely = new Kysely<ShopTables>({ dialect: createSqliteDialect(executeNow(file)) });
  await sqlOrderStore(kysely, undefined, hostRuntime).migrate?.();
  file.exec('create table bookings (key text primary key not null, status text)');
  file.exec('pragma wal_checkpoint(truncate)');
  file.close();
  for (const suffix of ['-wal', '-shm']) rmSync(template + suffix, { force: true });
}

/**
 * Creates a database in a real SQLite file. Each instance has its own connection, and a statement blocks its process,
 * as SQLite drivers do. The time of the database and the waits for a lock are virtual.
 */
export async function createSqliteDatabase({
  world,
  plan,
  onStep,
}: DatabaseOptions): Promise<SimulatedDatabase> {
  if (!existsSync(template)) await createTemplate();
  const name = `${folder}/simulation-${process.pid}-${++fileCount}.db`;
  if (!plan.isFresh) copyFileSync(template, name);
  const files = new Set<File>();
  /** Connections of processes that have ended. Opening a file and preparing statements would take longer. */
  const idle: File[] = [];
  const open = () => {
    const file = idle.pop() ?? new File(name);
    files.add(file);
    return file;
  };
  const own = open();
  if (plan.isFresh) own.exec('create table bookings (key text primary key not null, status text)');
  const readRows = (sql: string): Record<string, unknown>[] =>
    own.execute({ sql, parameters: [] }).rows;
  const hasTable = (table: string) =>
    readRows(`select 1 from sqlite_master where name = '${table}'`).length > 0;
  const auditor = sqlOrderStore(
    new Kysely<ShopTables>({ dialect: createSqliteDialect(executeNow(own)) }),
    undefined,
    createHostRuntime(world),
  );
  return {
    connect(process, runtime) {
      const file = open();
      const dialect = createSqliteDialect(
        createSlowExecution({ world, plan, onStep }, process, file),
      );
      const kysely = new Kysely<ShopTables>({ dialect });
      process.onDeath(() => {
        // A connection without a transaction is like a new one.
        if (!file.inTransaction) return void idle.push(file);
        files.delete(file);
        // A closed connection keeps its lock until its statements are collected, so roll back first.
        file.exec('rollback');
        file.close();
      });
      return { store: sqlOrderStore(kysely, undefined, runtime) };
    },
    auditor,
    sqlAuditor: auditor,
    listRecords: () => auditor.listOrders({ limit: 100_000 }),
    find: async (reference) =>
      hasTable('ramp_checkouts') ? auditor.findCheckout(reference) : undefined,
    listBookings: () => readRows('select key from bookings').map(({ key }) => `${key}`),
    async countPendingChanges() {
      if (!hasTable('ramp_changes')) return 0;
      return Number(readRows('select count(*) as n from ramp_changes')[0]?.n);
    },
    close() {
      for (const file of files) file.close();
      removeFile(name);
    },
  };
}

type Execute = HeldConnection['execute'];

const executeNow =
  (file: File): Execute =>
  async (query) =>
    query.sql.startsWith('pragma') ? { rows: [] } : file.execute(query);

/** Faults after which SQLite may have rolled the transaction back itself. */
const DISK_FAULTS = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY'];
/** What `migrateOrderStore` sets. */
const SQLITE_BUSY = 5;
const BUSY_TIMEOUT_MS = 20;
/** The pauses after which SQLite tries again to get a lock. */
const BUSY_DELAYS_MS = [1, 2, 5, 10, 2];

/** Returns how long a slow disk takes. A stalled one makes others wait until their time is over. */
const pickStallMs = (random: Random): number =>
  random.chance(0.05) ? random.log(10_000, 25_000) : random.log(5, 3000);

function createSlowExecution(
  { world, plan, onStep }: DatabaseOptions,
  process: WorldProcess,
  file: File,
): Execute {
  const random = world.random(`database-${process.name}`);
  /** Makes the statement take time. Meanwhile its process does nothing else. */
  const block = (ms: number) =>
    new Promise<void>((resolve) => {
      process.freeze(ms, false);
      world.after(ms, resolve, process);
    });
  return async (query) => {
    if (process.isDead) return never();
    const { sql } = query;
    const what = sql.slice(0, 24);
    if (sql.startsWith('pragma')) return { rows: [] };
    onStep(process, `before ${what}`);
    if (process.isDead) return never();
    const isActive = world.nowMs < plan.activeMs;
    const isSlow = isActive && random.chance(plan.slowDatabase);
    if (world.nowMs < plan.activeMs + CALM_MS)
      await block(random.log(0.05, 0.6) + (isSlow ? pickStallMs(random) : 0));
    const isWrite = /^(insert|update|delete|commit|create)/i.test(sql);
    if (isWrite && isActive && random.chance(plan.database / 2)) {
      world.tell(`${process.name}: ${what} fails`);
      if (random.chance(0.5) && file.inTransaction) file.exec('rollback');
      throw Object.assign(new Error('database or disk is full'), {
        code: random.pick(DISK_FAULTS),
      });
    }
    for (let waitedMs = 0, tries = 0; ; tries++) {
      try {
        const result = file.execute(query, world.seconds);
        onStep(process, `after ${what}`);
        return process.isDead ? never() : result;
      } catch (error) {
        const isBusy = (error as { errcode?: unknown }).errcode === SQLITE_BUSY;
        const leftMs = BUSY_TIMEOUT_MS - waitedMs;
        if (!isBusy || leftMs <= 0) throw error;
        const delayMs = Math.min(BUSY_DELAYS_MS[tries] ?? leftMs, leftMs);
        waitedMs += delayMs;
        await block(delayMs);
      }
    }
  };
}

export interface HeldConnection {
  execute(query: Query): Promise<QueryResult<never>>;
  release(): void;
}

export type Query = Pick<CompiledQuery, 'sql' | 'parameters'>;

/**
 * Creates a dialect whose connections come from `acquire`. Kysely's own begin, commit and rollback do nothing, because
 * the store runs them as statements.
 */
export function createDialect(
  parts: Pick<Dialect, 'createAdapter' | 'createQueryCompiler' | 'createIntrospector'>,
  acquire: () => Promise<HeldConnection>,
): Dialect {
  const nothing = async () => {};
  return {
    ...parts,
    createDriver: () => ({
      init: nothing,
      destroy: nothing,
      beginTransaction: nothing,
      commitTransaction: nothing,
      rollbackTransaction: nothing,
      acquireConnection: async () => new SimulatedConnection(await acquire()),
      async releaseConnection(connection) {
        (connection as SimulatedConnection).held.release();
      },
    }),
  };
}

class SimulatedConnection implements DatabaseConnection {
  constructor(readonly held: HeldConnection) {}

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.held.execute(query);
  }

  async *streamQuery(): AsyncGenerator<never> {}
}

/** Kysely compiles one query at a time, so all instances share the compiler. Creating one takes long. */
const sqliteCompiler = new SqliteQueryCompiler();

/** Creates a SQLite dialect with one connection behind a mutex, like Kysely's own. */
function createSqliteDialect(execute: Execute): Dialect {
  let last = Promise.resolve();
  const parts = {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => sqliteCompiler,
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  };
  return createDialect(parts, async () => {
    const previous = last;
    let release = () => {};
    last = new Promise((done) => {
      release = done;
    });
    await previous;
    return { execute, release };
  });
}
