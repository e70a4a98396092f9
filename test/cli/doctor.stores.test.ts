import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../scripts/ports.mjs';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.js';
import { memoryOrderStore } from '../../src/server/index.js';
import {
  createPostgresSchema,
  sqlDatabases,
  type TestDatabase,
} from '../support/database/sqlDatabases.js';
import { writeWatermark } from '../support/server/syncStates.js';
import { testRuntime } from '../support/server/testRuntime.js';
import { printDoctor, runDoctor } from './runDoctor.js';
import { type DoctorShop, PAGE, startDoctorShop } from './startDoctorShop.js';

type Env = Readonly<Record<string, string>>;
type Options = Parameters<typeof runDoctor>[2];

/** What is wrong with a shop. By default nothing is. */
interface Fault {
  /** Changes the variables that the command reads. */
  readonly env?: (shop: DoctorShop, other: Sandbox) => Env;
  readonly args?: (shop: DoctorShop) => string[] | Promise<string[]>;
  readonly options?: (shop: DoctorShop) => Options;
  readonly hasMemoryStore?: boolean;
  readonly isUnsynced?: boolean;
  readonly change?: (database: TestDatabase) => Promise<unknown>;
}

const MINUTE_MS = 60_000;

/** Gives the URL of a database a password, which PostgreSQL ignores for a user that it trusts. */
function withCanary(target: string): string {
  if (!URL.canParse(target)) return target;
  const url = new URL(target);
  url.password ||= 'canary-password';
  return url.href;
}

/** Returns the secrets of a shop: the keys, each line of a PEM, and the password of the database. */
function listSecrets({ RAMP_SECRET_KEY, RAMP_API_PRIVATE_KEY, DATABASE_URL }: Env): string[] {
  const { password } = new URL(DATABASE_URL ?? 'postgres://user:canary-password@host');
  const lines = `${RAMP_API_PRIVATE_KEY}`.split('\n').filter((line) => /^[^-]/.test(line));
  return [`${RAMP_SECRET_KEY}`.replaceAll('"', ''), ...lines, password];
}

/** Returns all rows of the tables that a sync, a checkout or a migration changes. */
async function readAll(database: TestDatabase): Promise<unknown[]> {
  const db = database.connect();
  const tables = [
    'ramp_state',
    'ramp_checkouts',
    'ramp_replays',
    'ramp_migrations',
    'ramp_changes',
  ];
  return Promise.all(
    tables.map(async (table) => (await sql`select * from ${sql.table(table)}`.execute(db)).rows),
  );
}

/** Replaces the list of currencies in the responses of the sandbox by an empty one. */
const withEmptyList = () =>
  testRuntime({
    async fetch(...request) {
      const response = await fetch(...request);
      if (!String(request[0]).endsWith('/onramp/currency')) return response;
      const { headers } = response;
      return Response.json(
        { ...(await response.json()), data: [] },
        { headers: { date: headers.get('date') ?? '' } },
      );
    },
  });

/** Ten shops with one thing wrong each, with the check that must name it and a part of its text. */
const faults: readonly (readonly [string, string, string, Fault])[] = [
  [
    'keys of two environments',
    'keys',
    'do not belong together',
    {
      env: ({ env }, other) => ({
        ...env,
        RAMP_API_PRIVATE_KEY: other.apiPrivateKey,
      }),
    },
  ],
  [
    'a clock that is 10 minutes ahead',
    'clock',
    'seconds ahead of the service',
    { options: () => ({ runtime: testRuntime({ now: () => Date.now() + 10 * MINUTE_MS }) }) },
  ],
  [
    'a wrong path of the webhook',
    'webhook',
    'it responds with 404',
    { env: ({ env, backend }) => ({ ...env, RAMP_WEBHOOK_URL: `${backend}/webhooks` }) },
  ],
  ['a memory store', 'store', 'it has a memory store', { hasMemoryStore: true }],
  ['no tracker', 'tracker', 'No tracker has ever', { isUnsynced: true }],
  [
    'a missing origin',
    'origin',
    'does not allow the pages of https://www.shop.example',
    { args: ({ backend }) => ['--backend', backend, '--page', 'https://www.shop.example'] },
  ],
  [
    'quotes in a key',
    'environment',
    'RAMP_SECRET_KEY has quotation marks around it',
    { env: ({ env }) => ({ ...env, RAMP_SECRET_KEY: `"${env.RAMP_SECRET_KEY}"` }) },
  ],
  [
    'an old schema',
    'store',
    'The tables have version 0',
    {
      change: (database) => sql`delete from ramp_migrations`.execute(database.connect()),
    },
  ],
  [
    'an empty price list',
    'prices',
    'lists no fiat currencies',
    { options: () => ({ runtime: withEmptyList() }) },
  ],
  [
    'a closed port',
    'backend',
    'is closed',
    { args: async () => ['--backend', `http://127.0.0.1:${await findFreePort()}/api/ramp`] },
  ],
];

describe.each(sqlDatabases)('doctor with %s', (name, createDatabase) => {
  let sandbox: Sandbox;
  /** The sandbox of another partner, which stands for another environment. */
  let other: Sandbox;
  let shop: DoctorShop;
  beforeAll(async () => {
    [sandbox, other] = await Promise.all([startSandbox({ log() {} }), startSandbox({ log() {} })]);
  });
  afterEach(() => shop.close());
  afterAll(() => Promise.all([sandbox.close(), other.close()]));

  async function examine(fault: Fault) {
    const database = await createDatabase();
    const store = fault.hasMemoryStore ? memoryOrderStore() : database.store();
    // A file without tables of the store, such as that of the shop's own tables.
    await sql`create table shop_users (id integer)`.execute(database.connect());
    shop = await startDoctorShop(sandbox, store);
    if (fault.isUnsynced) await store.readSyncState();
    else await shop.sync();
    await fault.change?.(database);
    const env = {
      ...(fault.env ?? (({ env }) => env))(shop, other),
      [name === 'SQLite' ? 'DATABASE_FILE' : 'DATABASE_URL']: withCanary(database.target),
    };
    const args = (await fault.args?.(shop)) ?? ['--backend', shop.backend, '--page', PAGE];
    return { env, args, options: fault.options?.(shop), database };
  }

  it('finds nothing wrong with a right shop', async () => {
    const { env, args } = await examine({});
    const { code, findings } = await runDoctor(env, args);
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual([
      'environment',
      'versions',
      'service',
      'clock',
      'keys',
      'prices',
      'orders',
      'widget',
      'backend',
      'origin',
      'webhook',
      'store',
      'tracker',
    ]);
    expect(code).toBe(0);
  });

  it.each(faults)('names %s, and nothing else', async (_, check, text, fault) => {
    const { env, args, options } = await examine(fault);
    const { code, output, findings, problems, warnings } = await runDoctor(env, args, options);
    expect(problems).toEqual([check]);
    expect(warnings).toEqual([]);
    expect(code).toBe(1);
    const found = findings.find(({ status }) => status === 'problem');
    expect(found?.message).toContain(text);
    expect(found?.cure).toMatch(/^[A-Z].*\.$/);
    const printed = await printDoctor(env, args, options);
    expect(printed.code).toBe(1);
    for (const secret of listSecrets(env)) expect(printed.output + output).not.toContain(secret);
  });

  it('does not write to the database', async () => {
    const { env, args, database } = await examine({});
    const before = await readAll(database);
    await runDoctor(env, args);
    expect(await readAll(database)).toEqual(before);
  });

  it('names a tracker that has stopped', async () => {
    const yesterday = Math.floor(Date.now() / 1000) - 27 * 3600;
    const { env } = await examine({
      change: (database) => writeWatermark(database.store(), yesterday),
    });
    const { findings } = await runDoctor(env);
    expect(findings.find(({ check }) => check === 'tracker')).toMatchObject({
      status: 'problem',
      message: 'The last sync was 27 hours ago.',
    });
  });

  it('names a tracker that has stopped while a checkout is open', async () => {
    const now = Math.floor(Date.now() / 1000);
    const { env } = await examine({
      async change(database) {
        const db = database.connect();
        await writeWatermark(database.store(), now - 7200);
        await sql`insert into ramp_checkouts (reference, expires_at, open_until, subject, created_at, terms)
          values ('r1', ${now + 600}, ${now + 600}, 'u1', ${now - 3600}, '{}')`.execute(db);
      },
    });
    const { findings } = await runDoctor(env);
    expect(findings.find(({ check }) => check === 'tracker')).toMatchObject({
      status: 'problem',
      message: 'A checkout is open, and the last sync was 2 hours ago.',
    });
  });

  it('accepts a tracker that slept until a checkout was opened', async () => {
    const now = Math.floor(Date.now() / 1000);
    const { env } = await examine({
      async change(database) {
        const db = database.connect();
        await writeWatermark(database.store(), now - 7200);
        await sql`insert into ramp_checkouts (reference, expires_at, open_until, subject, created_at, terms)
          values ('r1', ${now + 600}, ${now + 600}, 'u1', ${now - 30}, '{}')`.execute(db);
      },
    });
    const { problems } = await runDoctor(env);
    expect(problems).toEqual([]);
  });

  it('names a delivery that has failed for days', async () => {
    const at = Math.floor(Date.now() / 1000) - 3 * 86_400;
    const { env } = await examine({
      async change(database) {
        const db = database.connect();
        await sql`insert into ramp_changes (key, changed_at, not_before, tries, record)
          values ('o1:finished', ${at}, 0, 40, '{}')`.execute(db);
      },
    });
    const { findings } = await runDoctor(env);
    expect(findings.find(({ check }) => check === 'tracker')).toMatchObject({
      status: 'problem',
      message: "deliver or review has failed for 72 hours: 1 of the orders' changes wait.",
    });
  });

  it('warns about tables of a newer release', async () => {
    const { env } = await examine({
      change: (database) =>
        sql`insert into ramp_migrations (version) values (99)`.execute(database.connect()),
    });
    const { warnings } = await runDoctor(env);
    expect(warnings).toEqual(['store']);
  });

  it('names a memory store when no variable names a database', async () => {
    const { env } = await examine({ hasMemoryStore: true });
    const { DATABASE_FILE, DATABASE_URL, ...others } = env as Record<string, string>;
    const { problems, findings } = await runDoctor(others);
    expect(problems).toEqual(['store']);
    expect(findings.find(({ check }) => check === 'store')?.message).toContain('memory store');
  });
});

it('says why PostgreSQL cannot be used', async () => {
  const env = { DATABASE_URL: 'postgres://shop:canary-password@127.0.0.1:9/shop' };
  const { findings, output } = await runDoctor(env);
  expect(findings.find(({ check }) => check === 'store')).toMatchObject({
    status: 'problem',
    message: 'PostgreSQL cannot be used (ECONNREFUSED).',
  });
  expect(output).not.toContain('canary-password');
});

it('does not wait long for a PostgreSQL that does not respond', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { DATABASE_URL: `postgres://shop:canary-password@127.0.0.1:${port}/shop` };
  const { findings, output } = await runDoctor(env, [], { limitMs: 50 });
  expect(findings.find(({ check }) => check === 'store')?.message).toContain(
    'does not respond within 0.05 seconds',
  );
  expect(output).not.toContain('canary-password');
  server.close();
});

it('creates no SQLite file', async () => {
  const { findings } = await runDoctor({ DATABASE_FILE: 'missing/orders.db' });
  expect(findings.find(({ check }) => check === 'store')).toMatchObject({
    status: 'problem',
    message: 'DATABASE_FILE names no file.',
  });
});

it('names a file that is no database', async () => {
  const { findings } = await runDoctor({ DATABASE_FILE: 'package.json' });
  const store = findings.find(({ check }) => check === 'store');
  expect(store?.message).toBe('The tables cannot be read (file is not a database).');
});

it('names the SQLite driver libsql, which the store refuses', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ramp-doctor-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const install = async (name: string) => {
    await mkdir(join(folder, 'node_modules', name), { recursive: true });
    await writeFile(join(folder, 'node_modules', name, 'package.json'), '{"version":"1.0.0"}');
  };
  const file = join(folder, 'orders.db');
  await writeFile(file, '');
  const findStore = async () => {
    const { findings } = await runDoctor({ DATABASE_FILE: file }, [], { cwd: folder });
    return findings.find(({ check }) => check === 'store')?.message;
  };
  await install('libsql');
  expect(await findStore()).toContain('The SQLite driver of the shop is libsql');
  await install('better-sqlite3');
  expect(await findStore()).not.toContain('libsql');
});

it('names the rights that a role of PostgreSQL lacks', async () => {
  const database = await createPostgresSchema();
  const owner = database.connect();
  await database.store().readSyncState();
  const role = `${database.schema}_doctor`;
  await sql`create role ${sql.id(role)} login password 'secret'`.execute(owner);
  await sql`grant usage on schema ${sql.id(database.schema ?? '')} to ${sql.id(role)}`.execute(
    owner,
  );
  const tables = sql.raw('all tables in schema');
  await sql`grant all on ${tables} ${sql.id(database.schema ?? '')} to ${sql.id(role)}`.execute(
    owner,
  );
  await sql`revoke update on ramp_orders from ${sql.id(role)}`.execute(owner);
  onTestFinished(async () => {
    await sql`drop owned by ${sql.id(role)}`.execute(owner);
    await sql`drop role ${sql.id(role)}`.execute(owner);
  });
  const url = new URL(database.target);
  url.username = role;
  url.password = 'secret';
  const { findings } = await runDoctor({ DATABASE_URL: url.href });
  expect(findings.find(({ check }) => check === 'store')).toMatchObject({
    status: 'problem',
    message:
      'The user may not use ramp_changes_id_seq, ramp_checkouts_id_seq, ramp_orders, ramp_orders_id_seq, so checkouts fail.',
  });
});
