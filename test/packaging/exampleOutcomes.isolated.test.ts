import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  CheckoutRecord,
  OrderStore,
  OrderTracker,
  OrderTrackerOptions,
  PendingChange,
  RampHandler,
} from '@partner-ramp/react/server';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { cryptoCurrencies } from '../../src/sandbox/catalog/cryptoCurrencies.js';
import { connect } from '../support/database/connectSource.js';
import { root } from '../support/root.js';
import { fakeOrderList, type ListedOrder } from '../support/server/fakeOrderList.js';
import vectors from '../vectors/signing.json' with { type: 'json' };

/** What an example has created with this package. */
const created: { handler?: RampHandler<unknown>; tracker?: OrderTracker; store?: OrderStore } = {};
/** Every change that `onOrderChange` of the example has handled. */
const handled: PendingChange[] = [];
let handle: (change: PendingChange) => unknown;

vi.mock('@partner-ramp/react/server', async (load) => {
  const ramp = await load<typeof import('@partner-ramp/react/server')>();
  const createOrderTracker = ({ onOrderChange, ...options }: OrderTrackerOptions) => {
    handle = onOrderChange as typeof handle;
    created.store = options.store as OrderStore;
    created.tracker = ramp.createOrderTracker({
      ...options,
      async onOrderChange(change) {
        await handle(change);
        handled.push(change);
      },
    });
    // The example starts its tracker. Here only the test syncs.
    return { ...created.tracker, start() {} };
  };
  const createRampHandler: typeof ramp.createRampHandler = (options) => {
    const handler = ramp.createRampHandler(options);
    created.handler = handler as unknown as RampHandler<unknown>;
    return handler;
  };
  return { ...ramp, createOrderTracker, createRampHandler };
});
// The pages of the examples are not needed.
vi.mock('vite', () => ({
  createServer: async () => ({
    middlewares: (_: unknown, __: unknown, next: () => void) => next(),
  }),
}));
/** The modules that create the tracker, by the name of the example. */
const modules: Readonly<Record<string, string>> = {
  fastify: 'ramp.js',
  functions: 'ramp.js',
  hono: 'ramp.js',
  html: 'server.js',
  koa: 'ramp.js',
  minimal: 'server.js',
  next: 'lib/ramp.ts',
  'node-http': 'ramp.js',
  'react-router': 'app/ramp.server.ts',
  'tanstack-start': 'src/ramp.server.ts',
};

/** The examples without a database: they print what they do. */
const inMemory = ['html', 'minimal'];

const now = Math.floor(Date.now() / 1000);
const ORIGIN = 'https://shop.example';
const EVM = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';
const user = { id: 'demo', wallets: { evm: EVM } };

const list = fakeOrderList([]);
let apiUrl: string;
let folder: string;
let db: Kysely<unknown>;
const printed: string[] = [];

beforeAll(async () => {
  const service = createServer((request, response) => list.answer(request, response));
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
  apiUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  return () => void service.close();
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ramp-outcomes-'));
  const { apiPrivateKey, webhookPublicKey } = vectors.keys;
  const variables = {
    PORT: '0',
    RAMP_PARTNER_ID: 'P1',
    RAMP_SECRET_KEY: 'b'.repeat(32),
    RAMP_API_URL: apiUrl,
    RAMP_API_PRIVATE_KEY: apiPrivateKey,
    RAMP_WEBHOOK_PUBLIC_KEY: webhookPublicKey,
    RAMP_WEBHOOK_URL: `${ORIGIN}/api/ramp/webhook`,
    SHOP_ORIGIN: ORIGIN,
    CRON_SECRET: 'a'.repeat(40),
    DATABASE_FILE: join(folder, 'orders.db'),
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  for (const level of ['log', 'error', 'warn'] as const)
    vi.spyOn(console, level).mockImplementation((...args) => void printed.push(args.join(' ')));
  db = connect(variables.DATABASE_FILE);
});
afterEach(async () => {
  await created.tracker?.stop();
  await db.destroy();
  vi.resetModules();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const name of Object.keys(globalThis))
    if (/^ramp/.test(name)) Reflect.deleteProperty(globalThis, name);
  list.orders = [];
  handled.length = 0;
  printed.length = 0;
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function loadExample(name: string): Promise<void> {
  if (name === 'functions') {
    // The functions use PostgreSQL, whose statements are the same.
    vi.doMock('../../examples/functions/database.js', () => ({ db, store: sqlOrderStore(db) }));
    const tables = await readFile(join(root, 'examples/functions/migrate.js'), 'utf8');
    for (const [, statement = ''] of tables.matchAll(/await sql`([^`]*)`/g))
      await sql.raw(statement).execute(db);
  }
  const loaded = await import(join(root, 'examples', name, modules[name] ?? ''));
  loaded.getRamp?.();
}

/** Opens a checkout in the shop, and returns its reference. */
async function openCheckout(selection = {}, shopper = user): Promise<string> {
  const origin = process.env.SHOP_ORIGIN ?? '';
  const request = new Request(`${origin}/api/ramp/checkouts`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json' },
    body: JSON.stringify({ widget: 'on-ramp', params: {}, selection }),
  });
  const response = await created.handler?.(request, { ...shopper, user: shopper });
  const body = await response?.json();
  expect(response?.status, JSON.stringify(body)).toBe(201);
  return body.reference;
}

/** Returns the IDs of the orders that the shop has delivered, one for each delivery. */
async function listDeliveries(name: string): Promise<string[]> {
  if (inMemory.includes(name))
    return printed.flatMap((line) => /^Delivered order ([\w-]+)/.exec(line)?.[1] ?? []);
  const { rows } = await sql<{ order_id: string }>`select order_id from paid`.execute(db);
  return rows.map(({ order_id }) => order_id);
}

/** Returns the orders that wait for the staff, each with its reason. */
async function listReviews(name: string): Promise<string[]> {
  if (inMemory.includes(name))
    return printed.flatMap((line) => /^Review order (.*)$/.exec(line)?.[1] ?? []);
  const { rows } = await sql<{
    text: string;
  }>`select order_id || ': ' || reason as text from review`.execute(db);
  return rows.map(({ text }) => text);
}

async function findCheckout(reference: string): Promise<CheckoutRecord> {
  const checkout = await created.store?.findCheckout(reference);
  if (!checkout) throw new Error(`${reference} is missing.`);
  return checkout;
}

const unique = (texts: readonly string[]) => [...new Set(texts)].sort();

/** The files that name the wallets of the demo user, of the examples with a price card. */
const users: Readonly<Record<string, string>> = {
  fastify: 'server.js',
  functions: 'function.js',
  hono: 'server.js',
  koa: 'server.js',
  minimal: 'server.js',
  next: 'app/api/ramp/[...path]/route.ts',
  'node-http': 'server.js',
  'react-router': 'app/routes/ramp.ts',
  'tanstack-start': 'src/routes/api/ramp/$.ts',
};

describe.each(Object.entries(users))('the price card of examples/%s', (name, file) => {
  it('has only coins that its policy sells', async () => {
    if (inMemory.includes(name)) vi.stubEnv('SHOP_ORIGIN', 'http://localhost:0');
    await loadExample(name);
    const text = await readFile(join(root, 'examples', name, file), 'utf8');
    const wallets = Object.fromEntries(
      [...text.matchAll(/(evm|bitcoin|solana|tron): '(\w+)'/g)].map(([, family, address]) => [
        family,
        address,
      ]),
    );
    for (const { code } of cryptoCurrencies)
      await openCheckout(
        { defaultCurrency: code },
        { ...user, wallets: { ...user.wallets, ...wallets } },
      );
  });
});

describe.each(Object.keys(modules))('examples/%s', (name) => {
  it('delivers each purchase once, and shows every other outcome to the staff', async () => {
    if (inMemory.includes(name)) vi.stubEnv('SHOP_ORIGIN', 'http://localhost:0');
    await loadExample(name);
    const sync = async (orders: readonly Partial<ListedOrder>[]) => {
      list.orders = orders.map((order, i) => ({
        walletAddress: EVM,
        finishTime: now - 100 + i,
        orderId: `${i}`,
        ...order,
      }));
      await created.tracker?.sync();
    };
    const [once, twice, wrong, unknown, undone] = [
      await openCheckout(),
      await openCheckout(),
      await openCheckout(),
      await openCheckout(),
      await openCheckout(),
    ];
    const lost = 'lost-checkout';
    const other = 'handled-by-hand';
    const orders = [
      { orderId: 'once', ext: once },
      { orderId: 'first', ext: twice },
      { orderId: 'second', ext: twice },
      { orderId: 'wrong', ext: wrong, walletAddress: '0xdead000000000000000000000000000000000001' },
      { orderId: 'unknown', ext: unknown, orderStatus: 99 },
      { orderId: 'undone', ext: undone },
      { orderId: 'foreign', ext: 'invoice-7' },
      { orderId: 'nameless' },
      { orderId: 'lost', ext: lost },
      { orderId: 'by-hand', ext: other },
    ];
    await sync(orders);
    // The payment of one order is taken back. A backup brings two checkouts back, and the staff has handled one of them.
    const { intent } = await findCheckout(once);
    for (const reference of [lost, other])
      await created.store?.saveIntent({
        ...intent,
        reference,
        params: { ...intent.params, ext: reference },
      });
    await created.store?.resolveOrder('by-hand', 'refunded', now);
    await sync(
      orders.map((order) => (order.orderId === 'undone' ? { ...order, orderStatus: 99 } : order)),
    );
    expect(await created.store?.listUndelivered({ limit: 99 })).toEqual([]);
    // A process that ends right after a call repeats it.
    for (const change of handled) await handle(change);

    const deliveries = await listDeliveries(name);
    expect([...deliveries].sort()).toEqual(['first', 'lost', 'once', 'undone']);
    expect(unique(await listReviews(name))).toEqual([
      'by-hand: unmatched',
      'foreign: unmatched',
      'lost: unmatched',
      'nameless: unmatched',
      'second: paid again',
      'undone: unknown',
      'unknown: unknown',
      'wrong: quarantined',
    ]);
  });
});

describe('the other examples', () => {
  /** Returns the code of `onOrderChange` of an example, without the indentation and what it prints. */
  async function readHandler(file: string): Promise<string> {
    const text = await readFile(join(root, 'examples', file), 'utf8');
    const [, code = ''] = /\n( *(?:async )?onOrderChange\([\s\S]*?\n) *\},\n/.exec(text) ?? [];
    return code.replace(/^ +/gm, '');
  }

  it.each([
    ['astro/src/ramp.ts', 'react-router/app/ramp.server.ts'],
    ['siwe/shop.js', 'hono/ramp.js'],
    ['vue/server.js', 'html/server.js'],
  ])('%s has the same code as %s', async (file, tested) => {
    expect(await readHandler(file)).toBe(await readHandler(tested));
    expect(await readHandler(file)).toContain('isLaterOrder');
  });
});
