import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEventFeed } from '../../../src/server/handler/eventFeed.js';
import type { OrderStore, RampError } from '../../../src/server/index.js';
import { processRuntime, type Runtime } from '../../../src/server/internal/runtime.js';
import {
  migrateOrderStore,
  postgresListener,
  sqlOrderStore,
} from '../../../src/server/sql/index.js';
import {
  createPostgresDatabase,
  createPostgresSchema,
  type TestDatabase,
} from '../../support/database/sqlDatabases.js';
import { tcpProxy } from '../../support/database/tcpProxy.js';
import { baseTime, onRampIntent, onRampOrder } from '../../support/server/orderFixtures.js';

/** Runs the timers of a listener 20 times as fast: it probes every half second, and a probe takes at most 150 ms. */
const fast: Runtime = {
  ...processRuntime,
  setTimeout: (work, ms) => processRuntime.setTimeout(work, ms / 20),
};

/** How long a test waits for what must not happen. */
const QUIET_MS = 300;

interface InstanceOptions {
  readonly Client?: new (config?: pg.ClientConfig) => object;
  readonly connectionString?: string;
}

let names = 0;

/** Creates the store of one instance, whose listener has a connection with a name of its own. */
function createInstance(database: TestDatabase, options: InstanceOptions = {}) {
  const { Client = pg.Client, connectionString = database.target } = options;
  const name = `listener_${++names}`;
  const errors: RampError[] = [];
  const onListening = vi.fn();
  const listener = postgresListener(
    {
      Client,
      connectionString,
      application_name: name,
      onError: (error: RampError) => errors.push(error),
      onListening,
    } as never,
    fast,
  );
  const store = sqlOrderStore(database.connect(), { listener }, fast);
  const onRecorded = vi.fn();
  /** Opens the first event stream, as it were. Returns a function that closes it. */
  const open = () => {
    const stop = store.onRecorded?.(onRecorded) as () => void;
    onTestFinished(stop);
    return stop;
  };
  const isListening = () => vi.waitFor(() => expect(onListening).toHaveBeenCalled(), WAIT);
  return { name, store, errors, onListening, onRecorded, open, isListening };
}

const WAIT = { timeout: 10_000, interval: 5 };

let orders = 0;
const write = (store: OrderStore) =>
  store.recordOrders([onRampOrder({ orderId: `order-${++orders}` })], baseTime);

const countConnections = async (kysely: Kysely<unknown>, name: string) => {
  const { rows } = await sql`
    select 1 from pg_stat_activity where query ilike 'listen%' and application_name like ${`%${name}`}
  `.execute(kysely);
  return rows.length;
};

async function setUpTwo(options: InstanceOptions = {}) {
  const database = await createPostgresSchema();
  // The name is set by the option, not by the URL.
  const url = new URL(options.connectionString ?? database.target);
  url.searchParams.delete('application_name');
  const reader = createInstance(database, { ...options, connectionString: url.href });
  const writer = createInstance(database);
  reader.open();
  return { database, reader, writer };
}

describe('postgresListener', () => {
  it('tells a store of the writes of another instance that listens to nothing itself', async () => {
    const { database, reader, writer } = await setUpTwo();
    await reader.isListening();
    reader.onRecorded.mockClear();
    await write(writer.store);
    await vi.waitFor(() => expect(reader.onRecorded).toHaveBeenCalled(), WAIT);
    expect(await countConnections(database.connect(), writer.name)).toBe(0);
    expect([...reader.errors, ...writer.errors]).toEqual([]);
  });

  it('tells of writes only, and not of those in another schema of the database', async () => {
    const { reader, writer } = await setUpTwo();
    await reader.isListening();
    const other = createInstance(await createPostgresSchema());
    reader.onRecorded.mockClear();
    await write(other.store);
    await writer.store.saveIntent(onRampIntent());
    await writer.store.recordOrders([], baseTime);
    await wait(QUIET_MS);
    expect(reader.onRecorded).not.toHaveBeenCalled();
  });

  it('sends a few notifications for many writes at once, and one after the last of them', async () => {
    const { reader, writer } = await setUpTwo();
    await reader.isListening();
    reader.onRecorded.mockClear();
    await Promise.all(Array.from({ length: 30 }, () => write(writer.store)));
    const seen: number[] = [];
    reader.onRecorded.mockImplementation(async () => seen.push(await reader.store.lastEventId()));
    await write(writer.store);
    await vi.waitFor(() => expect(seen.at(-1)).toBe(31), WAIT);
    expect(reader.onRecorded.mock.calls.length).toBeLessThanOrEqual(31);
  });

  it('connects again after its connection was terminated, and reports each change once', async () => {
    const { database, reader, writer } = await setUpTwo();
    for (let round = 1; round <= 2; round++) {
      await vi.waitFor(() => expect(reader.onListening).toHaveBeenCalledTimes(round), WAIT);
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${reader.name}
      `.execute(database.connect());
      await vi.waitFor(() => expect(reader.errors).toHaveLength(round), WAIT);
    }
    await vi.waitFor(() => expect(reader.onListening).toHaveBeenCalledTimes(3), WAIT);
    expect(reader.errors).toMatchObject([{ code: 'ERR_NETWORK' }, { code: 'ERR_NETWORK' }]);
    expect(reader.errors[0]?.message).toContain('57P01');
    reader.onRecorded.mockClear();
    await write(writer.store);
    await vi.waitFor(() => expect(reader.onRecorded).toHaveBeenCalled(), WAIT);
  });

  it('connects again when the connection is silent', async () => {
    const database = await createPostgresSchema();
    const proxy = await tcpProxy(database.target);
    onTestFinished(() => proxy.close());
    const reader = createInstance(database, { connectionString: proxy.url });
    reader.open();
    await reader.isListening();
    expect(proxy.freeze()).toBe(1);
    await vi.waitFor(() => expect(reader.onListening).toHaveBeenCalledTimes(2), WAIT);
    expect(reader.errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]);
    expect(proxy.connectionCount).toBe(2);
    const before = reader.onRecorded.mock.calls.length;
    await write(createInstance(database).store);
    await vi.waitFor(
      () => expect(reader.onRecorded.mock.calls.length).toBeGreaterThan(before),
      WAIT,
    );
  });

  it('reports a pooler that drops LISTEN once, and goes on trying', async () => {
    let isPooled = true;
    let connections = 0;
    /** After each statement, a pooler with transaction pooling resets the session. */
    class PooledClient extends pg.Client {
      override async connect(): Promise<never> {
        connections++;
        return super.connect() as Promise<never>;
      }
      override async query(text: never): Promise<never> {
        const result = await super.query(text);
        if (isPooled) await super.query('unlisten *' as never);
        return result as never;
      }
    }
    const { reader } = await setUpTwo({ Client: PooledClient });
    await vi.waitFor(() => expect(connections).toBeGreaterThanOrEqual(3), WAIT);
    expect(reader.errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]);
    expect(reader.errors[0]?.message).toContain('drops LISTEN');
    expect(reader.onListening).not.toHaveBeenCalled();
    isPooled = false;
    await reader.isListening();
    expect(reader.errors).toHaveLength(1);
  });

  it('refuses a connection to another database, because its notifications do not arrive', async () => {
    const { reader } = await setUpTwo({
      connectionString: (await createPostgresSchema()).target.replace('/postgres?', '/template1?'),
    });
    await vi.waitFor(() => expect(reader.errors).toMatchObject([{ code: 'ERR_TIMEOUT' }]), WAIT);
    expect(reader.onListening).not.toHaveBeenCalled();
  });

  it('names a read replica, and a server that cannot be reached', async () => {
    class ReplicaClient extends pg.Client {
      override async query(): Promise<never> {
        throw Object.assign(new Error('cannot execute LISTEN during recovery'), { code: '25006' });
      }
    }
    const replica = await setUpTwo({ Client: ReplicaClient });
    const unreachable = await setUpTwo({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    await vi.waitFor(() => expect(unreachable.reader.errors).toHaveLength(1), WAIT);
    await vi.waitFor(() => expect(replica.reader.errors).toHaveLength(1), WAIT);
    expect(replica.reader.errors).toMatchObject([{ code: 'ERR_CONFIG_INVALID' }]);
    expect(replica.reader.errors[0]?.message).toContain('read replica');
    expect(unreachable.reader.errors).toMatchObject([{ code: 'ERR_NETWORK' }]);
    expect(unreachable.reader.errors[0]?.message).toContain('ECONNREFUSED');
  });

  it('disconnects some time after the last stream, and a stream before that keeps it', async () => {
    const { database, reader } = await setUpTwo();
    await reader.isListening();
    const kysely = database.connect();
    expect(await countConnections(kysely, reader.name)).toBe(1);
    for (let i = 0; i < 3; i++) reader.open()();
    expect(await countConnections(kysely, reader.name)).toBe(1);
    expect(reader.onListening).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['no Client', {}, /needs a Client/],
    ['a misspelt option', { Client: pg.Client, onListning: () => {} }, /onListening/],
    ['a time as text', { Client: pg.Client, query_timeout: '5' }, /query_timeout/],
  ])('refuses %s', (_, options, message) => {
    expect(() => postgresListener(options as never)).toThrow(message);
  });
});

describe('sqlOrderStore with a listener', () => {
  it('refuses one that postgresListener did not create', async () => {
    const database = await createPostgresSchema();
    expect(() => sqlOrderStore(database.connect(), { listener: {} as never })).toThrow(
      /postgresListener/,
    );
  });

  it('disconnects 30 seconds after the last stream', async () => {
    const database = await createPostgresSchema();
    const stopped = vi.fn();
    const listen = vi.fn(() => stopped);
    const timers = new Set<() => void>();
    const runtime: Runtime = {
      ...processRuntime,
      setTimeout: (work, ms) => {
        if (ms !== 30_000) return processRuntime.setTimeout(work, ms);
        timers.add(work);
        return Object.assign(work, { unref() {} });
      },
      clearTimeout: (timer) => {
        if (!timers.delete(timer as never)) processRuntime.clearTimeout(timer);
      },
    };
    const store = sqlOrderStore(database.connect(), { listener: { listen } }, runtime);
    const [first, second] = [store.onRecorded?.(() => {}), store.onRecorded?.(() => {})];
    first?.();
    first?.();
    expect(timers.size).toBe(0);
    second?.();
    expect(timers.size).toBe(1);
    const third = store.onRecorded?.(() => {});
    expect([timers.size, stopped.mock.calls.length, listen.mock.calls.length]).toEqual([0, 0, 1]);
    third?.();
    for (const disconnect of timers) disconnect();
    expect(stopped).toHaveBeenCalledOnce();
    store.onRecorded?.(() => {})();
    expect(listen).toHaveBeenCalledTimes(2);
  });

  it('records orders although its role may not notify, and reports that', async () => {
    const database = await createPostgresDatabase();
    const owner = database.connect();
    const url = new URL(database.target);
    const role = `${database.schema}_role`;
    await migrateOrderStore(owner);
    for (const statement of [
      `create role ${role} login password 'password'`,
      `grant select, insert, update, delete on all tables in schema public to ${role}`,
      `grant usage on all sequences in schema public to ${role}`,
      'revoke execute on function pg_notify from public',
    ])
      await sql.raw(statement).execute(owner);
    onTestFinished(async () => {
      await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(owner);
    });
    url.username = role;
    url.password = 'password';
    const pool = new pg.Pool({ connectionString: url.href });
    onTestFinished(() => pool.end());
    const errors: RampError[] = [];
    const listener = postgresListener({
      Client: pg.Client,
      connectionString: url.href,
      onError: (error: RampError) => errors.push(error),
    });
    const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) });
    const store = sqlOrderStore(kysely, { listener }, fast);
    onTestFinished(store.onRecorded?.(() => {}) as () => void);
    expect(await write(store)).toBe(1);
    expect(await store.lastEventId()).toBe(1);
    await vi.waitFor(() => expect(errors).toMatchObject([{ code: 'ERR_NETWORK' }]), WAIT);
    expect(errors[0]?.message).toContain('42501');
  });
});

describe('createEventFeed of two instances', () => {
  /** Creates the feed of an instance. Returns a function that records a change and waits until the feed has it. */
  async function setUpFeed(store: OrderStore, reference: string) {
    let arrived = 0;
    const feed = createEventFeed({
      runtime: processRuntime,
      store,
      read: async (name) => name,
      onError: () => {},
    });
    const listener = { onEvent: () => ++arrived, onHeartbeat() {} };
    await feed.subscribe(reference, listener);
    onTestFinished(() => feed.unsubscribe(reference, listener));
    return async (writer: OrderStore) => {
      const count = arrived;
      await writer.recordOrders([onRampOrder({ orderId: `order-${++orders}` })], baseTime);
      await vi.waitFor(() => expect(arrived).toBeGreaterThan(count), WAIT);
    };
  }

  it('sends a change of the other one while it listens, while LISTEN is dropped, and afterwards', async () => {
    let isPooled = false;
    class DroppingClient extends pg.Client {
      override async query(text: never): Promise<never> {
        const result = await super.query(text);
        if (isPooled) await super.query('unlisten *' as never);
        return result as never;
      }
    }
    const { database, reader, writer } = await setUpTwo({ Client: DroppingClient });
    await writer.store.saveIntent(onRampIntent());
    const sendChange = await setUpFeed(reader.store, 'r1');
    await reader.isListening();
    await sendChange(writer.store);
    isPooled = true;
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${reader.name}
    `.execute(database.connect());
    await vi.waitFor(() => expect(reader.errors).toHaveLength(1), WAIT);
    await sendChange(writer.store);
    isPooled = false;
    await vi.waitFor(() => expect(reader.onListening).toHaveBeenCalledTimes(2), WAIT);
    await sendChange(writer.store);
  });
});
