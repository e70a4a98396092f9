import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postgresPool, sqlOrderStore } from '../../../src/server/sql/index.js';
import { createPostgresSchema } from '../../support/database/sqlDatabases.js';
import { tcpProxy } from '../../support/database/tcpProxy.js';
import { onRampCheckout } from '../../support/server/orderFixtures.js';
import { refusingPooler } from './refusingPooler.js';

const LIMITS = { statement_timeout: 300, query_timeout: 600 };

async function poolOf(more: object = {}) {
  const { target } = await createPostgresSchema();
  const proxy = await tcpProxy(target);
  const errors: Error[] = [];
  const onError = (error: Error) => errors.push(error);
  const pool = postgresPool({ pg, connectionString: proxy.url, onError, ...more });
  onTestFinished(async () => {
    await pool.end();
    await proxy.close();
  });
  return { pool, proxy, errors };
}

const processOf = async (pool: pg.Pool) =>
  (await pool.query('select pg_backend_pid() as pid')).rows[0].pid;

describe('postgresPool', () => {
  it('sets the limits of every session on the server', async () => {
    const { pool } = await poolOf();
    const setting = async (name: string) => (await pool.query(`show ${name}`)).rows[0][name];
    expect(await setting('statement_timeout')).toBe('5s');
    expect(await setting('idle_in_transaction_session_timeout')).toBe('10s');
    expect(pool.options).toMatchObject({ query_timeout: 6000, maxLifetimeSeconds: 300, max: 10 });
  });

  it('accepts the options of pg.Pool, and times out on the client after the server', async () => {
    const { pool } = await poolOf({ max: 2, statement_timeout: 100, idleTimeoutMillis: undefined });
    expect(pool.options).toMatchObject({ max: 2, query_timeout: 1100 });
    await expect(pool.query('select pg_sleep(1)')).rejects.toThrow(/statement timeout/);
    expect(await processOf(pool)).toBeTypeOf('number');
  });

  it('reuses a connection that the server has reported idle', async () => {
    const { pool, proxy } = await poolOf();
    const first = await processOf(pool);
    const client = await pool.connect();
    await client.query('begin');
    await client.query('select 1');
    await client.query('commit');
    client.release();
    await expect(pool.query('select 1 / 0')).rejects.toThrow(/division/);
    await new Promise<void>((done) => pool.query('select 1', () => done()));
    const again = await pool.connect();
    again.release();
    expect(await processOf(pool)).toBeTypeOf('number');
    expect(first).toBeTypeOf('number');
    // All queries reuse one connection, except that pg itself destroys the connection of a failed pool.query.
    expect(proxy.connectionCount).toBeLessThanOrEqual(2);
  });

  it('destroys a connection that is released inside a transaction', async () => {
    const { pool } = await poolOf({ max: 1 });
    const client = await pool.connect();
    const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
    await client.query('begin');
    await client.query('select 1');
    client.release();
    expect(await processOf(pool)).not.toBe(pid);
  });

  it('destroys a connection that is released in a failed transaction', async () => {
    const { pool } = await poolOf({ max: 1 });
    const client = await pool.connect();
    const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
    await client.query('begin');
    await client.query('select 1 / 0').catch(() => {});
    client.release();
    expect(await processOf(pool)).not.toBe(pid);
  });

  it('destroys a connection that is released while a query runs on it', async () => {
    const { pool } = await poolOf({ max: 1 });
    const client = await pool.connect();
    const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
    const running = client.query('select pg_sleep(0.2)');
    client.release();
    await expect(running).rejects.toThrow(/terminated/);
    expect(await processOf(pool)).not.toBe(pid);
  });

  // PL/pgSQL raises an error with any code.
  const raise = (code: string) => `do $$ begin raise exception using errcode = '${code}'; end $$`;

  it.each([
    ['25006', 'the server is read-only'],
    ['57P01', 'the server shuts down'],
    ['57P02', 'the server has crashed'],
    ['57P03', 'the server starts'],
    ['08006', 'the connection is broken'],
  ])('destroys a connection after the error %s: %s', async (code) => {
    const { pool, errors } = await poolOf();
    const client = await pool.connect();
    const ended = once(client, 'end');
    await expect(client.query(raise(code))).rejects.toMatchObject({ code });
    await ended;
    client.release();
    expect(errors).toMatchObject([{ code }]);
    expect(pool.totalCount).toBe(0);
  });

  it.each([
    ['22012', 'a division by zero'],
    ['57014', 'a statement that took too long'],
    ['25P02', 'a failed transaction'],
    ['55P03', 'a lock'],
  ])('keeps a connection after the error %s: %s', async (code) => {
    const { pool, errors } = await poolOf();
    const client = await pool.connect();
    await expect(client.query(raise(code))).rejects.toMatchObject({ code });
    client.release();
    expect(errors).toEqual([]);
    expect(pool.idleCount).toBe(1);
  });

  it('keeps a connection that was not used', async () => {
    const { pool } = await poolOf();
    (await pool.connect()).release();
    expect(pool.idleCount).toBe(1);
  });

  it('destroys a connection that is released while the last of several queries runs', async () => {
    const { pool } = await poolOf();
    const client = await pool.connect();
    const first = client.query('select 1');
    const last = client.query('select pg_sleep(0.2)');
    await first;
    client.release();
    await expect(last).rejects.toThrow(/terminated/);
    expect(pool.totalCount).toBe(0);
  });

  it('keeps connections that were opened after the query that failed had begun', async () => {
    const { pool } = await poolOf();
    const [old, failing] = [await pool.connect(), await pool.connect()];
    const failed = failing.query(
      `do $$ begin perform pg_sleep(0.3); raise exception using errcode = '25006'; end $$`,
    );
    const young = await pool.connect();
    await expect(failed).rejects.toMatchObject({ code: '25006' });
    // The pool lends the client that was released last.
    for (const client of [young, failing, old]) client.release();
    const next = await pool.connect();
    expect(next).toBe(young);
    next.release();
    expect(pool.totalCount).toBe(1);
  });

  it('destroys an unresponsive connection after a query timeout, and recovers immediately', async () => {
    const { pool, proxy } = await poolOf({ ...LIMITS, max: 1 });
    await processOf(pool);
    proxy.freeze();
    const client = await pool.connect();
    // The pool must destroy the connection at the timeout, before its release, so that later queries fail immediately.
    const ended = once(client, 'end');
    await expect(client.query('select 1')).rejects.toThrow(/timeout/);
    await ended;
    client.release();
    expect(await processOf(pool)).toBeTypeOf('number');
    expect(proxy.connectionCount).toBe(2);
  });

  it('destroys all connections to a primary that became read-only at the first error', async () => {
    const { pool } = await poolOf();
    const store = sqlOrderStore(new Kysely({ dialect: new PostgresDialect({ pool }) }));
    await store.readSyncState();
    // Make these connections read-only, like connections to a demoted primary. New connections can write, as if they
    // reached the new primary.
    const clients = await Promise.all(Array.from({ length: 5 }, () => pool.connect()));
    for (const client of clients)
      await client.query('set session characteristics as transaction read only');
    for (const client of clients) client.release();
    await expect(store.saveCheckout(onRampCheckout())).rejects.toMatchObject({ code: '25006' });
    await store.saveCheckout(onRampCheckout());
    expect(await store.findCheckout('r1')).toBeDefined();
  });

  it('destroys all connections to a primary that stopped responding at the first timeout', async () => {
    const { pool, proxy } = await poolOf(LIMITS);
    const clients = await Promise.all(Array.from({ length: 3 }, () => pool.connect()));
    for (const client of clients) client.release();
    proxy.freeze();
    const client = await pool.connect();
    await expect(client.query('select 1')).rejects.toThrow('Query read timeout');
    client.release();
    expect(await processOf(pool)).toBeTypeOf('number');
    expect(proxy.connectionCount).toBe(4);
  });

  it('rejects with ERR_TIMEOUT and the limit when no connection is free in time', async () => {
    // Long enough to connect on a busy machine.
    const { pool } = await poolOf({ max: 1, connectionTimeoutMillis: 1000 });
    const client = await pool.connect();
    await expect(pool.query('select 1')).rejects.toMatchObject({
      code: 'ERR_TIMEOUT',
      message: expect.stringMatching(/within 1000 ms: all 1 of this pool were in use/),
      cause: expect.any(Error),
    });
    client.release();
    expect(await processOf(pool)).toBeTypeOf('number');
  });

  it('rejects with ERR_TIMEOUT and the limit when the server does not accept a connection in time', async () => {
    const silent = createTcpServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const pool = postgresPool({ pg, port, connectionTimeoutMillis: 100 });
    await expect(pool.connect()).rejects.toMatchObject({
      code: 'ERR_TIMEOUT',
      message: expect.stringMatching(/did not accept a connection within 100 ms/),
      cause: expect.any(Error),
    });
  });

  it('reports broken connections to onError, and does not end the process', async () => {
    const { pool, errors } = await poolOf({ max: 2 });
    const client = await pool.connect();
    const { pid } = (await client.query('select pg_backend_pid() as pid')).rows[0];
    // Terminate the session of `client` while no query runs on it, so that no query can report the error.
    await pool.query('select pg_terminate_backend($1)', [pid]);
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    client.release();
    expect(await processOf(pool)).not.toBe(pid);
  });

  it('reports a connection that breaks under a running query', async () => {
    const { pool, errors } = await poolOf({ max: 2 });
    const client = await pool.connect();
    const { pid } = (await client.query('select pg_backend_pid() as pid')).rows[0];
    const running = expect(client.query('select pg_sleep(4)')).rejects.toThrow(/terminating/);
    await pool.query('select pg_terminate_backend($1)', [pid]);
    await running;
    client.release();
    expect(errors).toMatchObject([{ code: '57P01' }]);
  });

  async function poolBehindPooler(message?: string) {
    const { target } = await createPostgresSchema();
    const pooler = await refusingPooler(target, message);
    const errors: Error[] = [];
    const onError = (error: Error) => void errors.push(error);
    const pool = postgresPool({ pg, connectionString: pooler.url, onError });
    onTestFinished(async () => {
      await pool.end();
      await pooler.close();
    });
    return { pool, errors };
  }

  it('connects without session limits through a pooler that refuses them, and reports it once', async () => {
    const { pool, errors } = await poolBehindPooler();
    const shown = await Promise.all([1, 2, 3].map(() => pool.query('show statement_timeout')));
    expect(shown.map(({ rows }) => rows[0].statement_timeout)).toEqual(['0', '0', '0']);
    expect(errors).toMatchObject([
      {
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringMatching(
          /^The connection pooler in front.*refuses session limits such as statement_timeout/,
        ),
        cause: { code: '08P01' },
      },
    ]);
  });

  it.each([
    ['options', 'unsupported startup parameter: options'],
    ['search_path', 'unsupported startup parameter in options: search_path'],
  ])(
    'rejects when a pooler refuses %s, which decides where the tables are',
    async (name, message) => {
      const { pool, errors } = await poolBehindPooler(message);
      await expect(pool.connect()).rejects.toMatchObject({
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringMatching(`refuses the parameter ${name} .* alter role`),
        cause: { code: '08P01' },
      });
      expect(errors).toEqual([]);
    },
  );

  it('rejects when a pooler refuses the connection for another reason', async () => {
    const { pool, errors } = await poolBehindPooler('invalid message');
    await expect(pool.connect()).rejects.toMatchObject({ code: '08P01' });
    expect(errors).toEqual([]);
  });

  it('rejects with every other connection error', async () => {
    const nothing = createServer();
    await new Promise<void>((done) => nothing.listen(0, '127.0.0.1', done));
    const { port } = nothing.address() as { port: number };
    await new Promise((done) => nothing.close(done));
    const pool = postgresPool({ pg, host: '127.0.0.1', port, onError() {} });
    await expect(pool.query('select 1')).rejects.toThrow(/ECONNREFUSED/);
    await pool.end();
  });

  const connectWithCallback = (pool: pg.Pool) =>
    new Promise<unknown[]>((done) => pool.connect((...results) => done(results)));

  it('passes the client and its release to a callback', async () => {
    const { pool } = await poolOf();
    const [error, client, release] = await connectWithCallback(pool);
    expect([error, client]).toEqual([undefined, expect.any(pg.Client)]);
    (release as () => void)();
    expect(pool.idleCount).toBe(1);
  });

  it('passes only an error to a callback when it cannot connect', async () => {
    const { pool } = await poolBehindPooler('invalid message');
    expect(await connectWithCallback(pool)).toEqual([expect.objectContaining({ code: '08P01' })]);
  });
});

describe('the options of postgresPool', () => {
  const createPool = (options: object = {}) => postgresPool({ pg, ...options });

  it('have defaults', () => {
    expect(createPool().options).toMatchObject({
      max: 10,
      connectionTimeoutMillis: 5000,
      maxLifetimeSeconds: 300,
      keepAlive: true,
      statement_timeout: 5000,
      idle_in_transaction_session_timeout: 10_000,
      query_timeout: 6000,
    });
  });

  it('replace the defaults unless they are undefined', () => {
    const { options } = createPool({ max: undefined, keepAlive: false, query_timeout: 5001 });
    expect(options).toMatchObject({ max: 10, keepAlive: false, query_timeout: 5001 });
  });

  const oldPg = { Pool: pg.Pool, Client: class {} };

  it.each<readonly [string, object | undefined, string]>([
    ['no options', undefined, 'postgresPool needs the package pg.'],
    ['no package', { connectionString: 'postgres://x' }, 'postgresPool needs the package pg.'],
    ['the class of a pool', { pg: pg.Pool }, 'postgresPool needs the package pg.'],
    [
      'an older package',
      { pg: oldPg },
      'postgresPool needs the JavaScript client of pg 8.21 or later',
    ],
    [
      'a limit of 0',
      { pg, statement_timeout: 0 },
      'postgresPool expects whole milliseconds from 1 to 2147483647 as statement_timeout.',
    ],
    ['a negative limit', { pg, statement_timeout: -1, query_timeout: 5 }, 'as statement_timeout'],
    [
      'a part of a second',
      { pg, maxLifetimeSeconds: 0.5 },
      'postgresPool expects whole seconds from 0 to 2147483 as maxLifetimeSeconds.',
    ],
    ['text as limit', { pg, statement_timeout: '5000' }, 'It is text, not a number'],
    [
      'a client that times out first',
      { pg, query_timeout: 5000 },
      'postgresPool needs a longer query_timeout than statement_timeout',
    ],
  ])('are refused with %s', (_, options, message) => {
    expect(() => postgresPool(options as never)).toThrow(
      expect.objectContaining({
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringContaining(message),
      }),
    );
  });
});
