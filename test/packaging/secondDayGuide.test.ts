import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { buildWidgetUrl } from '../../src/protocol/index.js';
import { startSandbox } from '../../src/sandbox/index.js';
import {
  type CheckoutPolicy,
  createRamp,
  memoryOrderStore,
  type OrderStore,
  type OrderToReview,
  type Ramp,
  type RampOptions,
  type ReviewReason,
  type Shopper,
  type Wallets,
} from '../../src/server/index.js';
import { type SqlOrderStore, sqlOrderStore } from '../../src/server/sql/index.js';
import { createTestBackend, type TestShopper } from '../../src/testing/index.js';
import { createSqliteDatabase } from '../support/database/sqlDatabases.js';
import { root } from '../support/root.js';
import { createRampOptions } from '../support/server/createTestRamp.js';
import {
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../support/server/orderFixtures.js';
import vectors from '../vectors/signing.json' with { type: 'json' };

type Database = Kysely<Record<string, Record<string, unknown>>>;
type Transaction = Kysely<unknown>;
type Review = (order: OrderToReview, reason: ReviewReason, transaction: unknown) => unknown;
type User = Shopper & { readonly wallets: Wallets };

const folder = join(root, 'test/.output/second-day-guide');
const wallet = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';
const user = (id = 'ann'): User => ({ id, wallets: { evm: wallet } });
const refused = (message: string) =>
  expect.objectContaining({ code: 'ERR_POLICY_REFUSED', message });

/** Returns the blocks of code of the guide, by the name of the file in their first line. */
async function readBlocks(): Promise<Map<string, string>> {
  const text = await readFile(join(root, 'docs/second-day.md'), 'utf8');
  const blocks = [...text.matchAll(/^```tsx?\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  return new Map(blocks.map((code) => [/^\/\/ (\S+)\n/.exec(code)?.[1] ?? '', code]));
}

/** Loads a block as it is, with the sources in place of the package. */
async function loadBlock<Exports>(name: string): Promise<Exports> {
  const code = (await readBlocks()).get(name) ?? '';
  const src = '../../../src';
  const file = join(folder, name);
  await writeFile(
    file,
    code
      .replace("'@partner-ramp/react/server/sql'", `'${src}/server/sql/index.js'`)
      .replace("'@partner-ramp/react/server'", `'${src}/server/index.js'`)
      .replace("'@partner-ramp/react'", `'${src}/index.js'`),
  );
  return import(/* @vite-ignore */ file);
}

async function openDatabase(tables: Readonly<Record<string, string>>) {
  const kysely = (await createSqliteDatabase()).connect() as Kysely<unknown>;
  for (const [name, columns] of Object.entries(tables))
    await sql.raw(`create table ${name} (${columns})`).execute(kysely);
  return {
    kysely: kysely as unknown as Database,
    store: sqlOrderStore(kysely),
  };
}

const reportOpened = async (shopper: TestShopper, reference: string) => {
  const path = `/api/ramp/checkouts/${reference}/opened`;
  expect((await shopper.fetch(path, { method: 'POST' })).status).toBe(204);
};

/** Hides what the package prints to a developer. */
function hideWarnings() {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
}

beforeAll(() => mkdir(folder, { recursive: true }));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the guide has only blocks that a test of this file runs', async () => {
  const tests = await readFile(join(root, 'test/packaging/secondDayGuide.test.ts'), 'utf8');
  const names = [...(await readBlocks()).keys()];
  expect(names).toHaveLength(10);
  for (const name of names) expect(tests).toContain(`>('${name}')`);
});

test('a minimum refuses what is below it, and an order of another amount is reviewed', async () => {
  const { policy } = await loadBlock<{ policy: CheckoutPolicy<User> }>('minimum.ts');
  const backend = createTestBackend({ policy, getShopper: () => user() });
  const open = (selection: Record<string, string>) => backend.openCheckout({ selection });
  const minimum = refused('The minimum is 50 USD.');
  await expect(open({ amountFixed: '49.99', fiatCurrency: 'USD' })).rejects.toEqual(minimum);
  await expect(open({ amountFixed: '100', fiatCurrency: 'JPY' })).rejects.toEqual(minimum);
  await expect(open({ amountFixed: '100', fiatCurrency: 'USD,JPY' })).rejects.toEqual(minimum);
  await expect(open({ amount: '100', fiatCurrency: 'USD' })).rejects.toEqual(minimum);
  await expect(open({})).rejects.toEqual(minimum);
  await open({ amountFixed: '50', fiatCurrency: 'USD' });
  await backend.pay();
  await backend.finishOrder();
  expect(backend.deliveries).toMatchObject([{ currencyAmount: '50.00' }]);
  // The shopper removes the fixed amount from the URL of the widget.
  const changed = await open({ amountFixed: '60', fiatCurrency: 'USD' });
  const url = new URL(changed.url);
  url.searchParams.delete('amountFixed');
  Object.assign(changed, { url: url.href });
  await backend.pay(changed.reference, { amount: '20' });
  await backend.finishOrder();
  expect(backend.deliveries).toHaveLength(1);
  expect(backend.reviews).toMatchObject([{ reason: 'amount' }]);
  await backend.close();
});

test('the button is disabled below the minimum', async () => {
  const { TopUp } = await loadBlock<{ TopUp: ComponentType<{ initial?: string }> }>('TopUp.tsx');
  const isDisabled = (initial?: string) => {
    const html = renderToStaticMarkup(createElement(TopUp, { ...(initial && { initial }) }));
    return /<button[^>]*aria-disabled="(\w+)"/.exec(html)?.[1];
  };
  expect(['50', '49.99', 'x', undefined].map(isDisabled)).toEqual([
    'false',
    'true',
    'true',
    'false',
  ]);
});

test('the price card shows the minimum while its amount is lower', async () => {
  const { PriceCard } = await loadBlock<{ PriceCard: ComponentType }>('PriceCard.tsx');
  // Nothing is selected yet.
  const html = renderToStaticMarkup(createElement(PriceCard));
  expect(html).toContain('The minimum is 50 USD.');
  expect(html).toMatch(/<button[^>]*aria-disabled="true"[^>]*aria-describedby="minimum"/);
});

test('only shoppers in the listed countries get a checkout, and the others see their orders', async () => {
  const { policy } = await loadBlock<{ policy: CheckoutPolicy<User> }>('countries.ts');
  const backend = createTestBackend({ policy, getShopper: () => user() });
  const open = async (country?: string) => {
    const response = await backend.fetch('/api/ramp/checkouts', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(country && { 'CF-IPCountry': country }) },
      body: JSON.stringify({ widget: 'on-ramp' }),
    });
    const { reference, error } = (await response.json()) as Record<string, never>;
    return { status: response.status, reference, error };
  };
  for (const country of ['US', 'XX', 'T1', 'de', undefined])
    expect(await open(country)).toMatchObject({
      status: 403,
      error: { code: 'ERR_POLICY_REFUSED', message: 'We do not sell in your country.' },
    });
  const { status, reference } = await open('CH');
  expect(status).toBe(201);
  const abroad = { headers: { 'CF-IPCountry': 'US' } };
  expect((await backend.fetch(`/api/ramp/checkouts/${reference}`, abroad)).status).toBe(200);
  await backend.close();
});

test('the daily limit adds up the deliveries and the open checkouts of a shopper', async () => {
  type Guide = {
    createPolicy(kysely: Database, store: OrderStore): CheckoutPolicy<User>;
    deliver: RampOptions<User, User, Transaction>['deliver'];
  };
  const { createPolicy, deliver } = await loadBlock<Guide>('dailyLimit.ts');
  const purchases = 'order_id text primary key, user_id text, cents integer, paid_at integer';
  const { kysely, store } = await openDatabase({ purchases });
  const backend = createTestBackend<User, User, Transaction>({
    ...{ store, deliver, policy: createPolicy(kysely, store) },
    ...{ getShopper: ({ context }) => context, context: user() },
  });
  const sign = (amountFixed: string, shopper: TestShopper = backend) =>
    shopper.openCheckout({ selection: { amountFixed, fiatCurrency: 'USD' } });
  const open = async (amountFixed: string, shopper: TestShopper = backend) => {
    const { reference } = await sign(amountFixed, shopper);
    await reportOpened(shopper, reference);
    return reference;
  };
  const pay = async (reference: string, amount?: string) => {
    await backend.pay(reference, amount === undefined ? {} : { amount });
    await backend.finishOrder();
  };
  const limit = refused('The limit is 1000 USD a day, and your open checkouts count.');
  await expect(open('1000.01')).rejects.toEqual(limit);
  await expect(backend.openCheckout()).rejects.toEqual(refused('Choose an amount in USD.'));
  await pay(await open('600.50'));
  await expect(open('400')).rejects.toEqual(limit);
  await open('1000', backend.as(user('bob')));
  // A signature that no page has opened does not count, and an open checkout does.
  await sign('399.50');
  const left = await open('300');
  await expect(open('99.51')).rejects.toEqual(limit);
  const continued = await backend.fetch(`/api/ramp/checkouts/${left}/continue`, { method: 'POST' });
  expect(continued.status).toBe(200);
  await pay(await open('99.50'));
  // A page adds the selected amount to the signed parameters, and the test backend doesn't.
  await pay(left, '300');
  expect(backend.deliveries).toHaveLength(3);
  await expect(open('1')).rejects.toEqual(limit);
  // Now the purchases are older than a day.
  await kysely.updateTable('purchases').set({ paid_at: sql`paid_at - 90000` }).execute();
  await open('1000');
  await expect(open('1')).rejects.toEqual(limit);
  // A checkout that has expired doesn't count.
  await sql`update ramp_checkouts set terms = json_set(terms, '$.expiresAt', 1)`.execute(kysely);
  await open('1000');
  await backend.close();
});

test('one reminder is sent for each checkout that was left, and none for one that may be paid', async () => {
  type Guide = {
    sendReminders(
      ramp: Pick<Ramp, 'sync'>,
      store: SqlOrderStore,
      kysely: Database,
      send: (userId: string, reference: string) => Promise<void>,
      now?: number,
    ): Promise<void>;
  };
  const { sendReminders } = await loadBlock<Guide>('reminders.ts');
  const { kysely, store } = await openDatabase({
    reminders: 'reference text primary key, sent_at integer',
  });
  const backend = createTestBackend<Shopper, Shopper, Transaction>({
    store,
    onError() {},
    policy: () => ({
      params: { walletAddress: wallet },
      expectedAmount: '100',
      expectedFiatCurrency: 'USD',
    }),
  });
  const open = async (id: string) => {
    const shopper = backend.as({ id });
    const { reference } = await shopper.openCheckout();
    await reportOpened(shopper, reference);
    return reference;
  };
  const left = await open('left');
  const paid = await open('paid');
  await backend.pay(paid);
  await backend.finishOrder();
  const reviewed = await open('reviewed');
  await backend.pay(reviewed, { amount: '60' });
  await backend.finishOrder();
  expect(backend.reviews).toMatchObject([{ reason: 'amount' }]);
  await backend.as({ id: 'never opened' }).openCheckout();
  const older = await open('opened two');
  const unpaid = await open('bought with another');
  await backend.advance(5);
  const newer = await open('opened two');
  await backend.pay(await open('bought with another'));
  await backend.finishOrder();
  // The webhook arrives, and the list can't be read.
  const announced = await open('announced');
  await backend.pay(announced);
  backend.setFault('api-down');
  await backend.finishOrder();
  expect((await store.findCheckout(announced))?.announcedAt).toBeDefined();

  const begunAt = Math.floor(backend.now() / 1000);
  const sent: string[] = [];
  const run = (now: number, sync = async () => ({ ran: false as const })) =>
    sendReminders(
      { sync },
      store,
      kysely,
      async (userId, reference) => void sent.push(`${userId} ${reference}`),
      now,
    );
  await run(begunAt + 60);
  expect(sent).toEqual([]);
  const later = begunAt + 2 * 3600;
  const listed = await store.listUnpaidCheckouts({ before: later, limit: 100 });
  expect(listed.map(({ reference }) => reference).sort()).toEqual(
    [left, older, unpaid, newer].sort(),
  );
  await expect(run(later, () => Promise.reject(new Error('the list')))).rejects.toThrow('the list');
  expect(sent).toEqual([]);
  await Promise.all([run(later), run(later)]);
  await run(later + 600);
  expect(sent.sort()).toEqual([`left ${left}`, `opened two ${newer}`]);
  await kysely.deleteFrom('reminders').execute();
  await run(begunAt + 21 * 3600);
  expect(sent).toHaveLength(2);
  await backend.close();
});

test('each reason of a review has a severity, and its open cases are counted', async () => {
  type Guide = {
    review: Review;
    closeCases(orderId: string, kysely: Database): Promise<void>;
    formatOpenCases(kysely: Database): Promise<string>;
  };
  const { review, closeCases, formatOpenCases } = await loadBlock<Guide>('cases.ts');
  const { kysely, store } = await openDatabase({
    cases: 'key text primary key, order_id text, reason text, severity text, closed_at integer',
  });
  const backend = createTestBackend<Shopper, Shopper, Transaction>({ store, review });
  const now = Math.floor(backend.now() / 1000);
  const list = async (...orders: ReturnType<typeof onRampOrder>[]) => {
    await store.recordOrders(orders, now);
    await backend.sync();
  };
  // The purge of the first sync deletes checkouts that expired long ago.
  const times = { createdAt: now - 600, expiresAt: now + 86_400 };
  const expected = { expectedAmount: '100', expectedFiatCurrency: 'USD' };
  for (const reference of ['wallet', 'widget', 'second-order', 'unknown-status', 'ended'])
    await store.saveCheckout(onRampCheckout({ reference, ...times }));
  for (const reference of ['amount', 'currency'])
    await store.saveCheckout(onRampCheckout({ reference, ...times, ...expected }));
  await store.saveCheckout(nftCheckout({ reference: 'nft', ...times }));
  await list(
    onRampOrder({ orderId: 'o1', ext: 'wallet', walletAddress: '0xdead' }),
    nftOrder('finished', { orderId: 'o2', ext: 'widget', details: { merchantOrderNo: 'n-2' } }),
    onRampOrder({ orderId: 'o3', ext: 'second-order' }),
    onRampOrder({ orderId: 'o4', ext: 'second-order' }),
    onRampOrder({ orderId: 'o5', ext: 'unknown-status', state: 'unknown', orderStatus: 99 }),
    onRampOrder({ orderId: 'o6', ext: 'ended' }),
    onRampOrder({ orderId: 'o7', ext: 'amount', currencyAmount: '99.99' }),
    onRampOrder({ orderId: 'o8', ext: 'currency', fiatCurrency: 'JPY' }),
    nftOrder('finished', { orderId: 'o9', ext: 'nft', details: { mintQuantity: 3 } }),
    onRampOrder({ orderId: 'o10', ext: 'invoice-7' }),
  );
  await list(onRampOrder({ orderId: 'o6', ext: 'ended', state: 'unknown', orderStatus: 99 }));

  const guide = await readFile(join(root, 'docs/second-day.md'), 'utf8');
  const alarms = guide.slice(guide.indexOf('## An alarm'), guide.indexOf('## Test and production'));
  const severities = new Map(
    [...alarms.matchAll(/^\| (`.+`) \| (now|today) \|/gm)].flatMap(([, names = '', severity]) =>
      [...names.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => [name, severity] as const),
    ),
  );
  const readOpen = async () =>
    [...(await formatOpenCases(kysely)).matchAll(/^\w+\{reason="(.+)",severity="(.+)"\} (\d+)$/gm)]
      .map(([, reason, severity, count]) => `${reason} ${severity} ${count}`)
      .sort();
  const reasons = [...severities].map(([reason, severity]) => `${reason} ${severity}`);
  expect(reasons).toHaveLength(9);
  expect(await readOpen()).toEqual(reasons.map((reason) => `${reason} 1`).sort());
  for (const { order } of backend.reviews) await closeCases(order.orderId, kysely);
  expect(await readOpen()).toEqual(reasons.map((reason) => `${reason} 0`).sort());
  await backend.close();
});

test('an environment takes everything from its variables, and its store refuses another one', async () => {
  type Shop = Pick<
    RampOptions<Shopper>,
    'getShopper' | 'policy' | 'deliver' | 'review' | 'onError'
  >;
  type Guide = { createShopRamp(env: Record<string, string | undefined>, shop: Shop): Ramp };
  hideWarnings();
  const { createShopRamp } = await loadBlock<Guide>('environment.ts');
  const files = await mkdtemp(join(tmpdir(), 'ramp-environments-'));
  onTestFinished(() => rm(files, { recursive: true, force: true }));
  const production = {
    DATABASE_FILE: join(files, 'production.db'),
    RAMP_API_URL: 'https://api.example',
    RAMP_PARTNER_ID: 'production',
    RAMP_SECRET_KEY: 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D',
    RAMP_API_PRIVATE_KEY: vectors.keys.apiPrivateKey,
    RAMP_WEBHOOK_PUBLIC_KEY: vectors.keys.webhookPublicKey,
    SHOP_URL: 'https://shop.example',
  };
  const { getShopper, policy, deliver, review } = createRampOptions();
  const open = async (env: Record<string, string | undefined>) => {
    const ramp = createShopRamp(env, { getShopper, policy, deliver, review, onError() {} });
    const response = await ramp.handler(
      new Request(`${env.SHOP_URL}/api/ramp/checkouts`, {
        method: 'POST',
        headers: { origin: `${env.SHOP_URL}`, 'content-type': 'application/json' },
        body: JSON.stringify({ widget: 'on-ramp' }),
      }),
    );
    return { status: response.status, ramp, body: await response.text() };
  };
  for (const name of Object.keys(production))
    await expect(open({ ...production, [name]: '' })).rejects.toThrow(
      `The variable ${name} is not set.`,
    );
  expect(await open(production)).toMatchObject({ status: 201 });
  expect(await open(production)).toMatchObject({ status: 201 });
  const test = { ...production, SHOP_URL: 'https://test.shop.example' };
  for (const other of [{ RAMP_PARTNER_ID: 'test' }, { RAMP_API_URL: 'https://api-test.example' }]) {
    const { status, body, ramp } = await open({ ...test, ...other });
    expect([status, body]).toEqual([500, expect.stringContaining('ERR_CONFIG_INVALID')]);
    await expect(ramp.sync()).rejects.toMatchObject({ code: 'ERR_CONFIG_INVALID' });
  }
  const own = { RAMP_PARTNER_ID: 'test', DATABASE_FILE: join(files, 'test.db') };
  expect(await open({ ...test, ...own })).toMatchObject({ status: 201 });
});

test('two environments with one partner ID review the orders of each other, unless they ask', async () => {
  type Guide = {
    skipOrdersOf(isOther: (reference: string) => Promise<boolean>, review: Review): Review;
  };
  const { skipOrdersOf } = await loadBlock<Guide>('otherEnvironment.ts');
  const other = memoryOrderStore();
  await other.saveCheckout(onRampCheckout({ reference: 'theirs' }));
  const order = onRampOrder({ ext: 'theirs' });
  const run = async (wrap: (review: Review) => Review) => {
    const reviewed: string[] = [];
    const errors: unknown[] = [];
    const store = memoryOrderStore();
    const backend = createTestBackend({
      store: store as OrderStore,
      review: wrap(({ orderId }, reason) => void reviewed.push(`${orderId} ${reason}`)),
      onError: (error) => errors.push(error),
    });
    const now = Math.floor(backend.now() / 1000);
    await store.saveCheckout(onRampCheckout({ reference: 'ours', expiresAt: now + 86_400 }));
    const wrong = onRampOrder({ orderId: 'wrong', ext: 'ours', walletAddress: '0xdead' });
    const lost = onRampOrder({ orderId: 'lost', ext: 'lost' });
    const foreign = onRampOrder({ orderId: 'foreign', ext: '' });
    await store.recordOrders([order, wrong, lost, foreign], now);
    await backend.sync();
    await backend.close();
    return { reviewed: reviewed.sort(), errors };
  };
  const others = ['foreign no-checkout', 'lost no-checkout', 'wrong wallet'];
  expect(await run((review) => review)).toEqual({
    reviewed: [...others.slice(0, 2), 'o1 no-checkout', 'wrong wallet'],
    errors: [],
  });
  const ask = async (reference: string) => (await other.findCheckout(reference)) !== undefined;
  expect(await run((review) => skipOrdersOf(ask, review))).toEqual({
    reviewed: others,
    errors: [],
  });
  const fail = () => Promise.reject(new Error('the other environment is down'));
  const failed = await run((review) => skipOrdersOf(fail, review));
  expect(failed.reviewed).toEqual(['foreign no-checkout', 'wrong wallet']);
  expect(failed.errors.length).toBeGreaterThan(0);
});

test('keys that are read at each signature change without a restart', async () => {
  type Guide = {
    readKeysFrom(folder: string): Pick<RampOptions, 'secretKey' | 'apiPrivateKey'>;
  };
  hideWarnings();
  const { readKeysFrom } = await loadBlock<Guide>('keys.ts');
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const mounted = await mkdtemp(join(tmpdir(), 'ramp-keys-'));
  onTestFinished(() => rm(mounted, { recursive: true, force: true }));
  const replace = async (name: string, key: string) => {
    await writeFile(join(mounted, `${name}.new`), `${key}\n`);
    await rename(join(mounted, `${name}.new`), join(mounted, name));
  };
  const errors: unknown[] = [];
  const ramp = createRamp({
    ...createRampOptions(),
    ...readKeysFrom(mounted),
    apiUrl: sandbox.baseUrl,
    partnerId: sandbox.partnerId,
    onError: (error) => errors.push(error),
  });
  const openWidget = async () => {
    const response = await ramp.handler(
      new Request('https://shop.example/api/ramp/checkouts', {
        method: 'POST',
        headers: { origin: 'https://shop.example', 'content-type': 'application/json' },
        body: JSON.stringify({ widget: 'on-ramp' }),
      }),
    );
    const { params, error } = (await response.json()) as {
      params: Record<string, string>;
      error?: { code: string };
    };
    return error?.code ?? (await fetch(buildWidgetUrl(sandbox.widgetUrl, params))).status;
  };
  expect(await openWidget()).toBe('ERR_INTERNAL');
  expect(errors.length).toBeGreaterThan(0);

  await replace('secret-key', 'an old key of the other side');
  expect(await openWidget()).toBe(403);
  await replace('secret-key', sandbox.secretKey);
  expect(await openWidget()).toBe(200);

  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await replace('api-private-key.pem', privateKey);
  await expect(ramp.sync()).rejects.toMatchObject({ apiCode: '10003' });
  await replace('api-private-key.pem', sandbox.apiPrivateKey);
  expect(await ramp.sync()).toMatchObject({ ran: true, isComplete: true });
});
