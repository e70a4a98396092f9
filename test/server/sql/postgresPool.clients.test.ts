import { describe, expect, it, vi } from 'vitest';
import { postgresPool } from '../../../src/server/sql/index.js';
import { FakeClient, FakePool } from '../../support/database/fakePg.js';

function poolOf(options: object = {}) {
  const errors: Error[] = [];
  const onError = (error: Error) => void errors.push(error);
  const pool = postgresPool<FakePool, object>({ Pool: FakePool, onError, ...options });
  return { pool, errors };
}

const coded = (code: string) => Object.assign(new Error('refused'), { code });

/** Creates a connected client. `released` releases it and returns whether the pool keeps it. */
function clientOf() {
  const { pool, errors } = poolOf();
  const { client } = pool;
  pool.emit('connect', client);
  const released = () => {
    const before = client.ended;
    pool.emit('release', undefined, client);
    return client.ended === before;
  };
  return { client, errors, released };
}

describe('the clients of postgresPool', () => {
  it('stay in the pool when they have not been used', () => {
    expect(clientOf().released()).toBe(true);
  });

  it('leave the pool while a query runs, and stay once the server reports its end', () => {
    const { client, released } = clientOf();
    void client.query('select 1');
    expect(released()).toBe(false);
    client.ready('I');
    expect(released()).toBe(true);
  });

  it.each(['T', 'E'] as const)('leave the pool within a transaction: %s', (status) => {
    const { client, released } = clientOf();
    void client.query('begin');
    client.ready(status);
    expect(released()).toBe(false);
  });

  it('leave the pool until the last of several queries has ended', () => {
    const { client, released } = clientOf();
    void client.query('select 1');
    void client.query('select 2');
    client.ready('I');
    expect(released()).toBe(false);
    client.ready('I');
    expect(released()).toBe(true);
  });

  it('ignore additional idle reports of the server', () => {
    const { client, released } = clientOf();
    // The first idle report completes the start-up of the connection, and the second one is additional. Neither may
    // count as the end of the query below.
    client.ready('I');
    client.ready('I');
    void client.query('select 1');
    expect(released()).toBe(false);
    client.ready('I');
    expect(released()).toBe(true);
  });

  it('are checked before the listener of the client itself releases them', () => {
    const { pool } = poolOf();
    const { client } = pool;
    let wasIdle = false;
    client.connection.on('readyForQuery', () => {
      pool.emit('release', undefined, client);
      wasIdle = client.ended === 0;
    });
    pool.emit('connect', client);
    void client.query('select 1');
    client.ready('I');
    expect(wasIdle).toBe(true);
  });

  it.each<readonly [string, Error]>([
    ['a query timeout of the client', new Error('Query read timeout')],
    ['25006, of a read-only server', coded('25006')],
    ['57P01, of a server that shuts down', coded('57P01')],
    ['57P02, of a server that crashed', coded('57P02')],
    ['57P03, of a server that starts', coded('57P03')],
    ['08006, of a broken connection', coded('08006')],
  ])('end after %s', async (_, error) => {
    const { client } = clientOf();
    const query = client.query('select 1') as Promise<unknown>;
    client.fail(error);
    await expect(query).rejects.toBe(error);
    expect(client.ended).toBe(1);
  });

  it.each<readonly [string, Error]>([
    ['an error without a code', new Error('division by zero')],
    ['57014, of a statement that took too long', coded('57014')],
    ['25P02, of a failed transaction', coded('25P02')],
    ['55P03, of a lock', coded('55P03')],
  ])('stay in the pool after %s', async (_, error) => {
    const { client } = clientOf();
    const query = client.query('select 1') as Promise<unknown>;
    client.fail(error);
    await expect(query).rejects.toBe(error);
    expect(client.ended).toBe(0);
  });

  it('are not lent again if they connected before a query that shows that their server has failed', async () => {
    const { pool } = poolOf();
    const [old, failing, young] = [pool.client, new FakeClient(), new FakeClient()];
    const release = vi.spyOn(old, 'release');
    for (const client of [failing, old]) pool.emit('connect', client);
    const query = failing.query('select 1') as Promise<unknown>;
    pool.emit('connect', young);
    failing.fail(coded('25006'));
    await expect(query).rejects.toThrow();
    const lent = pool.connect();
    pool.client = young;
    expect(await lent).toBe(young);
    expect(release).toHaveBeenCalledWith(true);
  });

  it('accept queries with a callback', () => {
    const { client, released } = clientOf();
    expect(client.query('select 1', () => {})).toBeUndefined();
    expect(released()).toBe(false);
  });

  it('report their errors to onError as the pool does', () => {
    const { pool, errors } = poolOf();
    pool.emit('connect', pool.client);
    const error = new Error('Connection terminated');
    pool.client.emit('error', error);
    pool.emit('error', error);
    expect(errors).toEqual([error, error]);
  });

  it('are refused if they are clients of pg.native', () => {
    const { pool } = poolOf();
    const native = Object.assign(new FakeClient(), { connection: undefined });
    expect(() => pool.emit('connect', native)).toThrow(
      'postgresPool needs the JavaScript client of pg: pg.native does not report when a connection is idle.',
    );
  });
});

describe('the options of postgresPool', () => {
  it('have defaults, and nothing else', () => {
    expect(poolOf().pool.options).toStrictEqual({
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
    const { options } = poolOf({ max: undefined, keepAlive: false, query_timeout: 5001 }).pool;
    expect(options).toMatchObject({ max: 10, keepAlive: false, query_timeout: 5001 });
  });

  it.each<readonly [string, object | undefined, string]>([
    ['no options', undefined, 'postgresPool needs a Pool: the class of the package pg.'],
    ['no Pool', {}, 'postgresPool needs a Pool: the class of the package pg.'],
    [
      'a limit of 0',
      { Pool: FakePool, statement_timeout: 0 },
      'postgresPool expects whole milliseconds from 1 to 2147483647 as statement_timeout.',
    ],
    [
      'a negative limit',
      { Pool: FakePool, statement_timeout: -1, query_timeout: 5 },
      'as statement_timeout',
    ],
    [
      'a part of a second',
      { Pool: FakePool, maxLifetimeSeconds: 0.5 },
      'postgresPool expects whole seconds from 0 to 2147483 as maxLifetimeSeconds.',
    ],
    ['text as limit', { Pool: FakePool, statement_timeout: '5000' }, 'It is text, not a number'],
    [
      'a client that times out first',
      { Pool: FakePool, query_timeout: 5000 },
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

/** Creates the error with which PgBouncer refuses a session limit as a startup parameter. */
const refused = (message = 'unsupported startup parameter: statement_timeout') =>
  Object.assign(new Error(message), { code: '08P01' });

describe('postgresPool behind a pooler', () => {
  it('connects without the session limits when the pooler refuses them', async () => {
    const { pool, errors } = poolOf({ lock_timeout: 100 });
    pool.errors = [refused()];
    expect(await pool.connect()).toBe(pool.client);
    expect(pool.attempts[0]).toMatchObject({ statement_timeout: 5000, lock_timeout: 100 });
    const none = {
      statement_timeout: undefined,
      lock_timeout: undefined,
      idle_in_transaction_session_timeout: undefined,
      max: 10,
    };
    expect(pool.attempts[1]).toMatchObject(none);
    expect(errors).toMatchObject([
      {
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringMatching(
          /^The connection pooler in front.*refuses session limits.*database role/,
        ),
        cause: { code: '08P01' },
      },
    ]);
  });

  it('reports the refused limits once, even if they are refused again', async () => {
    const { pool, errors } = poolOf();
    pool.errors = [refused()];
    await pool.connect();
    pool.errors = [refused()];
    await pool.connect();
    expect(errors).toHaveLength(1);
  });

  it('reports the refused limits if only one of them is set', async () => {
    const { pool, errors } = poolOf({ idle_in_transaction_session_timeout: 0 });
    pool.errors = [refused()];
    await pool.connect();
    expect(errors).toHaveLength(1);
  });

  it.each<readonly [string, unknown]>([
    ['another protocol violation', refused('invalid message')],
    ['an error with another code', Object.assign(refused(), { code: '28P01' })],
    ['a thrown object', { code: '08P01', message: 'unsupported startup parameter: x' }],
  ])('throws %s', async (_, error) => {
    const { pool, errors } = poolOf();
    pool.errors = [error];
    await expect(pool.connect()).rejects.toBe(error);
    expect(pool.attempts).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it('passes the client and its release to a callback, or only an error', async () => {
    const { pool } = poolOf();
    const connect = pool.connect.bind(pool) as unknown as (callback: unknown) => unknown;
    const callback = vi.fn();
    expect(connect(callback)).toBeUndefined();
    await vi.waitFor(() => expect(callback).toHaveBeenCalled(), 10_000);
    expect(callback).toHaveBeenCalledWith(undefined, pool.client, pool.client.release);
    const error = new Error('ECONNREFUSED');
    pool.errors = [error];
    const failed = vi.fn();
    connect(failed);
    await vi.waitFor(() => expect(failed).toHaveBeenCalled(), 10_000);
    expect(failed).toHaveBeenCalledWith(error);
  });
});
