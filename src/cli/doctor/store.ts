import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { getSeconds } from '../../server/internal/runtime.js';
import { withTimeLimit } from '../../server/internal/withTimeLimit.js';
import { getWatermark, parseSyncState } from '../../server/orders/tracker/syncState.js';
import type { Shop } from './environment.js';
import { type Finding, ok, problem, skipped, warning } from './Finding.js';
import type { PeerLoader } from './peers.js';
import type { Surroundings } from './request.js';

/** A connection that cannot write. */
interface ReadOnlyDatabase {
  readonly dialect: 'postgres' | 'sqlite';
  /** Returns the first row. */
  query(text: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  close(): Promise<void>;
}

interface StoreOptions {
  readonly peers: PeerLoader;
  /** The folder that a SQLite file's path is relative to. */
  readonly cwd: string;
}

/**
 * Checks the shop's database, without writing to it: whether it contains the tables of `sqlOrderStore` in their current
 * version, and whether a tracker has synced lately.
 */
export async function checkStore(
  { databaseUrl, databaseFile }: Shop,
  surroundings: Surroundings,
  { peers, cwd }: StoreOptions,
): Promise<Finding[]> {
  const unread = skipped('tracker', 'The store cannot be read.');
  if (databaseUrl === undefined && databaseFile === undefined)
    return [
      problem(
        'store',
        'Neither DATABASE_URL nor DATABASE_FILE names a database. A shop with a memory store loses every order when it restarts.',
        'Use sqlOrderStore, and set one of them to its database, so that it can be checked.',
      ),
      skipped('tracker', 'There is no store in which a tracker records its syncs.'),
    ];
  const { runtime, signal, limitMs } = surroundings;
  const onTimeout = (): Finding[] => [
    problem(
      'store',
      `The database does not respond within ${limitMs / 1000} seconds.`,
      'Check its address, and that it accepts connections from this machine.',
    ),
    unread,
  ];
  return withTimeLimit({ runtime, limitMs, onTimeout, signal }, async (either) => {
    const database =
      databaseUrl !== undefined
        ? await openPostgres(databaseUrl, peers, either)
        : await openSqlite(resolve(cwd, databaseFile as string), peers);
    if ('status' in database) return [database, unread];
    try {
      return await readStore(database, getSeconds(runtime));
    } finally {
      await database.close().catch(() => {});
    }
  });
}

async function openPostgres(
  connectionString: string,
  peers: PeerLoader,
  signal: AbortSignal,
): Promise<ReadOnlyDatabase | Finding> {
  if (!/^postgres(?:ql)?:\/\//.test(connectionString))
    return problem(
      'store',
      'DATABASE_URL is not the address of a PostgreSQL database.',
      'Set it to one, such as postgres://user:password@host:5432/shop, or set DATABASE_FILE to a SQLite file.',
    );
  const pg = await peers.load<PgModule>('pg');
  if (!pg)
    return problem(
      'store',
      'The package pg is not installed, so neither the shop nor this command can use PostgreSQL.',
      'Run npm install kysely pg in the folder of the shop.',
    );
  signal.throwIfAborted();
  const { Client } = pg.default ?? pg;
  const client = new Client({ connectionString, application_name: 'partner-ramp doctor' });
  // Ignore the event, because a broken connection also rejects the query.
  client.on('error', () => {});
  // Let the process end even if the server does not respond.
  signal.addEventListener('abort', () => client.unref());
  const close = async () => {
    // Do not wait for the server.
    client.end().catch(() => {});
    client.unref();
  };
  try {
    await client.connect();
    await client.query('begin transaction read only');
    return {
      dialect: 'postgres',
      query: async (text) => (await client.query(text)).rows[0],
      close,
    };
  } catch (error) {
    await close();
    return describePostgresError(findCode(error));
  }
}

/** The part of `pg` that this command uses. */
interface PgModule {
  readonly default?: PgModule;
  readonly Client: new (
    options: object,
  ) => {
    on(event: 'error', listener: () => void): unknown;
    connect(): Promise<unknown>;
    query(text: string): Promise<{ rows: Record<string, unknown>[] }>;
    end(): Promise<void>;
    unref(): void;
  };
}

/**
 * Returns the code of an error. Drivers such as node:sqlite use one code for all errors, and tell them apart in
 * `errstr`.
 */
function findCode(error: unknown): string {
  const { code, errstr } = Object(error) as { code?: unknown; errstr?: unknown };
  return String(errstr ?? code ?? 'no code');
}

function describePostgresError(code: string): Finding {
  const cures: Readonly<Record<string, string>> = {
    '28P01': 'Correct the user or the password in DATABASE_URL.',
    '28000': 'Correct the user in DATABASE_URL, or allow it in pg_hba.conf.',
    '3D000': 'Correct the name of the database in DATABASE_URL, or create it.',
    ECONNREFUSED: 'Start PostgreSQL, or correct the host and the port in DATABASE_URL.',
  };
  return problem(
    'store',
    `PostgreSQL cannot be used (${code}).`,
    cures[code] ?? 'Check DATABASE_URL, and that PostgreSQL accepts connections from this machine.',
  );
}

async function openSqlite(file: string, peers: PeerLoader): Promise<ReadOnlyDatabase | Finding> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile())
    return problem(
      'store',
      'DATABASE_FILE names no file.',
      'Correct the path, which is relative to the current folder, or start the shop once, which creates the file.',
    );
  if (peers.findVersion('libsql') && !SQLITE_DRIVERS.some((name) => peers.findVersion(name)))
    return problem(
      'store',
      'The SQLite driver of the shop is libsql, which sqlOrderStore refuses for a file: when another process locks the file, libsql rolls back writes that have succeeded.',
      'Run npm install @photostructure/sqlite, open the file with sqliteDialect, and remove libsql. The file stays the same.',
    );
  try {
    const database = await openReadOnly(file, peers);
    if (!database)
      return warning(
        'store',
        'No SQLite driver is installed, so the file was not read.',
        'Run npm install @photostructure/sqlite in the folder of the shop, or use Node.js 22.16 or newer.',
      );
    return {
      dialect: 'sqlite',
      query: async (text) => database.prepare(text).get(),
      close: async () => void database.close(),
    };
  } catch (error) {
    return describeSqliteError(findCode(error));
  }
}

const describeSqliteError = (code: string) =>
  problem(
    'store',
    `The SQLite file cannot be read (${code}).`,
    'Check that DATABASE_FILE names the database of the shop, and that this user may read it.',
  );

interface SqliteDatabase {
  prepare(text: string): { get(): Record<string, unknown> | undefined };
  close(): void;
}

/** The packages that a shop may use to open its SQLite file. */
const SQLITE_DRIVERS = ['@photostructure/sqlite', 'better-sqlite3'];

/** Opens a SQLite file with the shop's driver, or with the one in Node.js. */
async function openReadOnly(file: string, peers: PeerLoader): Promise<SqliteDatabase | undefined> {
  type Driver = new (name: string, options: { readOnly: true; readonly: true }) => SqliteDatabase;
  type Module = { DatabaseSync?: Driver; default?: Driver };
  for (const name of [...SQLITE_DRIVERS, 'node:sqlite']) {
    const driver: Module | undefined = name.startsWith('node:')
      ? process.getBuiltinModule(name)
      : await peers.load<Module>(name);
    const Database = driver?.DatabaseSync ?? driver?.default;
    if (Database) return new Database(file, { readOnly: true, readonly: true });
  }
  return undefined;
}

async function readStore(database: ReadOnlyDatabase, now: number): Promise<Finding[]> {
  const old = (message: string, cure: string) => [
    problem('store', message, cure),
    skipped('tracker', 'The tables belong to another version.'),
  ];
  let version: number;
  try {
    const row = await database.query('select max(version) as version from ramp_migrations');
    version = Number(row?.version ?? 0);
  } catch (error) {
    if (!isMissingTable(error)) return old(...describeQueryError(error));
    return old(
      'The database has no tables of sqlOrderStore, so the shop has never used it: it has a memory store, or another database.',
      'Pass sqlOrderStore to createRamp, and start the shop once. With serverless, request the route /sync once.',
    );
  }
  const newest = await countMigrations();
  if (newest === undefined)
    return old(
      'The package kysely is not installed, which sqlOrderStore needs.',
      'Run npm install kysely in the folder of the shop.',
    );
  if (version < newest)
    return old(
      `The tables have version ${version}, and this release needs ${newest}.`,
      'Call migrateOrderStore, or start the shop with this release and a user that may alter tables.',
    );
  const rights = database.dialect === 'postgres' ? await findMissingRights(database) : undefined;
  if (rights !== undefined)
    return old(
      `The user may not use ${rights}, so checkouts fail.`,
      'Grant it select, insert, update and delete on the tables ramp_*, and usage on their sequences: docs/deployment.md#migrations.',
    );
  const store =
    version > newest
      ? warning(
          'store',
          `The tables have version ${version}, and this release knows ${newest}.`,
          'Run the command from the release that the shop uses.',
        )
      : ok('store', `The tables have version ${version}, which this release needs.`);
  return [
    store,
    await checkTracker(database, now).catch((error) =>
      problem('tracker', ...describeQueryError(error)),
    ),
  ];
}

/** Returns the tables and sequences for which the user lacks rights that the store needs, or undefined if none. */
async function findMissingRights(database: ReadOnlyDatabase): Promise<string | undefined> {
  const row = await database.query(`
    select string_agg(relname, ', ' order by relname) as missing from pg_class
    where relname ~ '^ramp_((checkouts|orders|changes)(_id_seq)?|replays|state)$'
      and relkind in ('r', 'S') and pg_table_is_visible(oid)
      and not case relkind
        when 'S' then has_sequence_privilege(oid, 'usage')
        else has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
          and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')
      end`);
  return typeof row?.missing === 'string' ? row.missing : undefined;
}

/** Returns the newest version of the tables, or `undefined` if the optional peer kysely is missing. */
const countMigrations = () =>
  import('../../server/sql/schema.js').then(
    ({ migrations }) => migrations.length,
    () => undefined,
  );

/** Returns whether a query failed because its table does not exist: `42P01` in PostgreSQL. */
const isMissingTable = (error: unknown) =>
  findCode(error) === '42P01' || /no such table/.test(String((error as Error).message));

const describeQueryError = (error: unknown): [string, string] => [
  `The tables cannot be read (${findCode(error)}).`,
  'Check that DATABASE_URL or DATABASE_FILE is the database of the shop, and that this user may read the tables ramp_*.',
];

/** A shop without open checkouts syncs once a day. */
const MAX_IDLE_SECONDS = 26 * 3600;
/** With an open checkout, a sync is due at least every ten minutes, unless `maxPollSeconds` is longer. */
const MAX_BUSY_SECONDS = 1800;

/** A delivery that has failed for a shorter time may still succeed on a retry. */
const MAX_FAILING_SECONDS = 3600;

const TRACKER_CURE =
  'Call ramp.start() when the server starts, or let a scheduled job request {basePath}/sync every minute, and read what onError reports.';

async function checkTracker(database: ReadOnlyDatabase, now: number): Promise<Finding> {
  const row = await database.query('select sync_state from ramp_state');
  const watermark = getWatermark(parseSyncState(String(row?.sync_state ?? '{}')));
  if (watermark === undefined)
    return problem('tracker', 'No tracker has ever read the whole order list.', TRACKER_CURE);
  const age = now - watermark;
  if (age > MAX_IDLE_SECONDS)
    return problem('tracker', `The last sync was ${formatAge(age)} ago.`, TRACKER_CURE);
  const waiting = await database.query(
    `select 1 as one from ramp_checkouts where open_until > ${watermark} and created_at < ${now - MAX_BUSY_SECONDS} limit 1`,
  );
  if (age > MAX_BUSY_SECONDS && waiting)
    return problem(
      'tracker',
      `A checkout is open, and the last sync was ${formatAge(age)} ago.`,
      TRACKER_CURE,
    );
  const failing = await database.query(
    'select count(*) as number, min(changed_at) as since from ramp_changes where tries > 0',
  );
  const failingFor = now - Number(failing?.since ?? now);
  if (failingFor > MAX_FAILING_SECONDS)
    return problem(
      'tracker',
      `deliver or review has failed for ${formatAge(failingFor)}: ${Number(failing?.number)} of the orders' changes wait.`,
      'Read what onError reports, and fix your function. The orders are then delivered automatically.',
    );
  return ok('tracker', `The last sync was ${formatAge(Math.max(0, age))} ago.`);
}

function formatAge(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} minutes`;
  return `${Math.floor(seconds / 3600)} hours`;
}
