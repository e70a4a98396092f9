import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, inject } from 'vitest';
import type { OrderStore } from '../../../src/server/index.js';
import { sqlOrderStore } from '../../../src/server/sql/index.js';
import { connect } from './connectSource.js';
import type {} from './postgresSetup.js';
import { type RemoteStore, remoteStore } from './remoteStore.js';
import { startPostgres } from './startPostgres.js';

/** An empty database; as many may connect as like. */
export interface TestDatabase {
  /** What `connect` takes. */
  readonly target: string;
  /** Where its tables are, in PostgreSQL. */
  readonly schema?: string;
  connect(): Kysely<unknown>;
  /** A store with a connection of its own. */
  store(): OrderStore;
  /** One in a process of its own, as another instance has. */
  remote(): RemoteStore;
}

const undo: (() => Promise<unknown>)[] = [];

/** Whatever a file of tests opened is closed after it, the newest first. */
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
  const store = () => sqlOrderStore(connected());
  return { target, ...(schema && { schema }), connect: connected, store, remote };
}

export async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'ramp-sqlite-'));
  undo.push(() => rm(folder, { recursive: true }));
  return database(join(folder, 'orders.db'));
}

/** A schema of its own, in which the tables of the store are. */
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

/** A database of its own: advisory locks are shared by all schemas of a database. */
export async function createPostgresDatabase(
  server = inject('databaseUrl'),
): Promise<TestDatabase> {
  const url = new URL(server);
  const name = `ramp_${randomBytes(6).toString('hex')}`;
  const owner = connect(server);
  await sql`create database ${sql.id(name)}`.execute(owner);
  undo.push(() => owner.destroy());
  undo.push(() => sql`drop database ${sql.id(name)} with (force)`.execute(owner));
  url.pathname = `/${name}`;
  url.searchParams.set('application_name', name);
  return database(url.href, name);
}

/** The same for tests that are given no server: one of their own. */
export async function startOwnPostgres(): Promise<TestDatabase> {
  const { url, close } = await startPostgres();
  undo.push(close);
  return createPostgresSchema(url);
}

export const sqlDatabases: readonly (readonly [string, () => Promise<TestDatabase>])[] = [
  ['SQLite', createSqliteDatabase],
  ['PostgreSQL', () => createPostgresSchema()],
];
