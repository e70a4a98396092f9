import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, inject } from 'vitest';
import type { Runtime } from '../../../src/server/internal/runtime.js';
import { type SqlOrderStore, sqlOrderStore } from '../../../src/server/sql/index.js';
import { testRuntime } from '../server/testRuntime.js';
import { connect } from './connectSource.js';
import { startPostgres } from './postgresSetup.js';
import { type RemoteStore, remoteStore } from './remoteStore.js';

/** A database or PostgreSQL schema that is empty at first. */
export interface TestDatabase {
  /** The URL of the PostgreSQL database, or the name of the SQLite file. */
  readonly target: string;
  /** The name of the created PostgreSQL schema or database. Undefined for SQLite. */
  readonly schema?: string;
  connect(): Kysely<unknown>;
  /** Creates a store in this process with its own connection. `parts` replace parts of its runtime, such as `now`. */
  store(parts?: Partial<Runtime>): SqlOrderStore;
  /** Creates a store in a new process, which stands for another instance of the backend. */
  remote(): RemoteStore;
}

const undo: (() => Promise<unknown>)[] = [];

// Close everything that the test file has opened, in reverse order.
afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

function database(target: string, schema?: string): TestDatabase {
  const connected = () => {
    const kysely = connect(target);
    undo.push(() => kysely.destroy());
    return kysely;
  };
  const remote = () => {
    const started = remoteStore(target);
    undo.push(started.kill);
    return started;
  };
  const store = (parts?: Partial<Runtime>) =>
    sqlOrderStore(connected(), undefined, testRuntime(parts));
  return { target, ...(schema && { schema }), connect: connected, store, remote };
}

export async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'ramp-sqlite-'));
  undo.push(() => rm(folder, { recursive: true }));
  return database(join(folder, 'orders.db'));
}

/** Creates an empty schema on the shared PostgreSQL server, and drops it after the tests of the file. */
export async function createPostgresSchema(server = inject('databaseUrl')): Promise<TestDatabase> {
  const url = new URL(server);
  const schema = `ramp_${randomBytes(6).toString('hex')}`;
  const owner = connect(url.href);
  await owner.schema.createSchema(schema).execute();
  undo.push(() => owner.destroy());
  undo.push(() => owner.schema.dropSchema(schema).cascade().execute());
  url.searchParams.set('options', `-c search_path=${schema}`);
  url.searchParams.set('application_name', schema);
  return database(url.href, schema);
}

/** Creates a separate database, for tests of what all schemas of a database share, such as advisory locks. */
export async function createPostgresDatabase(
  server = inject('databaseUrl'),
  encoding = 'UTF8',
): Promise<TestDatabase> {
  const url = new URL(server);
  const name = `ramp_${randomBytes(6).toString('hex')}`;
  const owner = connect(server);
  const locale = sql`lc_collate 'C' lc_ctype 'C' template template0`;
  await sql`create database ${sql.id(name)} encoding ${sql.lit(encoding)} ${locale}`.execute(owner);
  undo.push(() => owner.destroy());
  undo.push(() => sql`drop database ${sql.id(name)} with (force)`.execute(owner));
  url.pathname = `/${name}`;
  url.searchParams.set('application_name', name);
  return database(url.href, name);
}

/** Starts a PostgreSQL server and creates a schema on it, for Vitest projects without `postgresSetup`. */
export async function startOwnPostgres(): Promise<TestDatabase> {
  const { url, close } = await startPostgres();
  undo.push(close);
  return createPostgresSchema(url);
}

export const sqlDatabases: readonly (readonly [string, () => Promise<TestDatabase>])[] = [
  ['SQLite', createSqliteDatabase],
  ['PostgreSQL', () => createPostgresSchema()],
];
