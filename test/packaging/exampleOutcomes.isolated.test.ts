import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckoutRecord, OrderStore, Ramp, RampOptions } from '@partner-ramp/react/server';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { cryptoCurrencies } from '../../src/sandbox/catalog/cryptoCurrencies.js';
import { connect } from '../support/database/connectSource.js';
import { root } from '../support/root.js';
import { fakeOrderList, type ListedOrder } from '../support/server/fakeOrderList.js';
import { withResolved } from '../support/server/withResolved.js';
import vectors from '../vectors/signing.json' with { type: 'json' };

/** What an example has created with this package. */
const created: { ramp?: Ramp; store?: OrderStore } = {};
/** The IDs of the orders that the staff has resolved. */
const resolved = new Set<string>();
/** The keys of the calls of `deliver` and `review` that were interrupted, and the calls that were not. */
const interrupted = new Set<string>();
const completed: string[] = [];
let canInterrupt = false;

vi.mock('@partner-ramp/react/server', async (load) => {
  const server = await load<typeof import('@partner-ramp/react/server')>();
  /** Interrupts the first call for each key at its end, as if the process ended before the commit. */
  const interruptOnce =
    <Args extends [{ readonly key: string }, ...unknown[]]>(
      name: string,
      call: (...args: Args) => unknown,
    ) =>
    async (...args: Args) => {
      await call(...args);
      const [{ key }] = args;
      if (canInterrupt && !interrupted.has(key)) {
        interrupted.add(key);
        throw new Error('The process has ended.');
      }
      completed.push(`${name} ${key}`);
    };
  const createRamp = (options: RampOptions) => {
    const { deliver, review } = options;
    if (review === 'log') throw new Error('The example lets nobody see an order.');
    created.store = withResolved(options.store, resolved);
    created.ramp = server.createRamp({
      ...options,
      store: created.store,
      deliver: interruptOnce('deliver', deliver),
      review: interruptOnce('review', review),
    });
    // The example starts its ramp. Here only the test syncs.
    return { ...created.ramp, start() {} };
  };
  return { ...server, createRamp };
});
// The pages of the examples are not needed.
vi.mock('vite', () => ({
  createServer: async () => ({
    middlewares: (_: unknown, __: unknown, next: () => void) => next(),
  }),
}));
/** The modules that create the ramp, by the name of the example. */
const modules: Readonly<Record<string, string>> = {
  functions: 'ramp.js',
  minimal: 'server.js',
  next: 'lib/ramp.ts',
  'node-servers': 'ramp.js',
  'react-router': 'app/ramp.server.ts',
  'tanstack-start': 'src/ramp.server.ts',
  'without-react': 'ramp.js',
};

/** The examples without a database: they print what they do. */
const inMemory = ['minimal', 'without-react'];

const now = Math.floor(Date.now() / 1000);
const ORIGIN = 'https://shop.example';
const EVM = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';
const user = { id: 'demo', wallets: { evm: EVM } };
/** What the host of a function waits for. */
const work: Promise<unknown>[] = [];
const waitUntil = (each: Promise<unknown>) => void work.push(each);

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
  vi.useRealTimers();
  await created.ramp?.stop();
  await db.destroy();
  vi.resetModules();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const name of Object.keys(globalThis))
    if (/^ramp/.test(name)) Reflect.deleteProperty(globalThis, name);
  list.orders = [];
  canInterrupt = false;
  interrupted.clear();
  resolved.clear();
  completed.length = 0;
  printed.length = 0;
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function loadExample(name: string): Promise<void> {
  if (inMemory.includes(name)) vi.stubEnv('SHOP_ORIGIN', 'http://localhost:0');
  if (name === 'functions') {
    // The functions use PostgreSQL, whose statements are the same.
    vi.doMock('../../examples/functions/database.js', () => ({ db }));
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
  const response = await created.ramp?.handler(request, { ...shopper, waitUntil });
  await Promise.all(work.splice(0));
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

/** The files that name the wallets of the demo user, of the examples with a price card. */
const users: Readonly<Record<string, string>> = {
  ...modules,
  'node-servers': 'user.js',
};
const { 'without-react': _, ...withPriceCard } = users;

describe.each(Object.entries(withPriceCard))('the price card of examples/%s', (name, file) => {
  it('has only coins that its policy sells', async () => {
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
    await loadExample(name);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    // What was only printed cannot be rolled back.
    canInterrupt = !inMemory.includes(name);
    const sync = async (orders: readonly Partial<ListedOrder>[]) => {
      list.orders = orders.map((order, i) => ({
        walletAddress: EVM,
        finishTime: now - 100 + i,
        orderId: `${i}`,
        ...order,
      }));
      await created.ramp?.sync();
      // Interrupted calls are repeated after a pause.
      vi.setSystemTime(Date.now() + 60_000);
      await created.ramp?.sync();
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
    const {
      orders: _,
      openedAt: __,
      outcome: ___,
      announcedAt: ____,
      ...checkout
    } = await findCheckout(once);
    for (const reference of [lost, other])
      await created.store?.saveCheckout({
        ...checkout,
        reference,
        params: { ...checkout.params, ext: reference },
      });
    resolved.add('by-hand');
    await sync(
      orders.map((order) => (order.orderId === 'undone' ? { ...order, orderStatus: 99 } : order)),
    );
    expect(await created.store?.listPendingChanges(now + 1e6, 99)).toEqual([]);
    expect(interrupted.size).toBe(canInterrupt ? completed.length : 0);

    const deliveries = await listDeliveries(name);
    expect([...deliveries].sort()).toEqual(['first', 'lost', 'once', 'undone']);
    const reviews = await listReviews(name);
    expect([...reviews].sort()).toEqual([
      'by-hand: no-checkout',
      'foreign: no-checkout',
      'lost: no-checkout',
      'nameless: no-checkout',
      'second: second-order',
      'undone: status-after-end',
      'unknown: unknown-status',
      'wrong: wallet',
    ]);
  });
});

describe('the other examples', () => {
  /** Returns the code of `deliver` and `review` of an example, without the indentation. */
  async function readOutcomes(file: string): Promise<string> {
    const text = await readFile(join(root, 'examples', file), 'utf8');
    const [, code = ''] =
      /\n( *(?:async )?deliver\b[\s\S]*?\n)(?: *onError: console\.error,\n)? *\}\);\n/.exec(text) ??
      [];
    return code.replace(/^ +/gm, '');
  }

  it.each([
    // Its tsconfig.json extends one of Astro, without which Vite does not load a file of this example.
    ['astro/src/ramp.ts', 'react-router/app/ramp.server.ts'],
    ['siwe/shop.js', 'node-servers/ramp.js'],
  ])('%s has the same code as %s', async (file, tested) => {
    expect(await readOutcomes(file)).toBe(await readOutcomes(tested));
    expect(await readOutcomes(file)).toContain('review');
  });
});
