import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createRamp,
  memoryOrderStore,
  type OrderToDeliver,
  type RampOptions,
  type Shopper,
} from '../../src/server/index.js';
import { callHandler, secretKey, wallet } from '../support/server/createTestHandler.js';
import { createRampOptions, createTestRamp } from '../support/server/createTestRamp.js';
import {
  createWebhook,
  type TestWebhook,
  webhookPublicKey,
  webhookTime,
} from '../support/server/createWebhook.js';
import { fakeOrderList, type ListedOrder } from '../support/server/fakeOrderList.js';
import vectors from '../vectors/signing.json' with { type: 'json' };

type Options = Partial<RampOptions<Shopper, unknown, unknown>>;

const webhookUrl = 'https://shop.example/api/ramp/webhook';
const syncSecret = 'k3Jq9vYt2LmX8pRw5sZc7dFh4gNb6aUe';
const refusal = (message: RegExp | string) =>
  expect.objectContaining({
    name: 'RampError',
    code: 'ERR_CONFIG_INVALID',
    message:
      typeof message === 'string'
        ? expect.stringContaining(message)
        : expect.stringMatching(message),
  });

/** Answers the requests of the API client as the order list of a service does. */
const serve = (list: ReturnType<typeof fakeOrderList>) => async (input: unknown) => {
  let body = '';
  const response = {
    setHeader() {},
    end(text: string) {
      body = text;
    },
  };
  list.answer({ url: `${input}` } as never, response as never);
  return new Response(body);
};

/** Creates the backend of a shop and its service at the time of the webhooks of `createWebhook`. */
function openShop(options: Options = {}) {
  const list = fakeOrderList([]);
  const clock = { seconds: webhookTime };
  const delivered: [OrderToDeliver, unknown][] = [];
  const reviewed: unknown[][] = [];
  const errors: unknown[] = [];
  const fetch = vi.fn(serve(list));
  const store = memoryOrderStore();
  const ramp = createTestRamp(
    {
      store,
      ...{ webhookUrl, webhookPublicKey },
      policy: () => ({
        params: { walletAddress: wallet, walletAddressLocked: '1' },
        metadata: { cart: 7 },
      }),
      deliver: (...call) => void delivered.push(call),
      review: (...call) => void reviewed.push(call),
      onError: (error) => errors.push(error),
      ...options,
    },
    { fetch, now: () => clock.seconds * 1000 },
  );
  const handler = ramp.handler as Parameters<typeof callHandler>[0];
  const open = async (): Promise<string> => (await callHandler(handler)).json.reference;
  const pay = (ext: string, given: Partial<ListedOrder> = {}) =>
    void list.orders.push({
      ...{ orderId: 'o1', finishTime: clock.seconds, walletAddress: wallet, ext },
      ...given,
    });
  const post = ({ headers, body }: TestWebhook) =>
    handler(new Request(webhookUrl, { method: 'POST', headers, body: body as never }));
  const readProgress = async (reference: string) => {
    const path = `/api/ramp/checkouts/${reference}`;
    return (await callHandler(handler, { method: 'GET', path })).json.progress;
  };
  return {
    ramp,
    handler,
    store,
    fetch,
    clock,
    list,
    delivered,
    reviewed,
    errors,
    open,
    pay,
    post,
    readProgress,
  };
}

describe('a purchase', () => {
  it('is opened, paid, announced by a webhook, and delivered once', async () => {
    const shop = openShop();
    shop.ramp.start();
    onTestFinished(() => shop.ramp.stop());
    const reference = await shop.open();
    expect(await shop.readProgress(reference)).toBe('waiting');
    shop.pay(reference);
    const webhook = createWebhook({ url: webhookUrl, body: { ext: reference } });
    for (let times = 0; times < 2; times++) expect((await shop.post(webhook)).status).toBe(200);
    await vi.waitFor(() => expect(shop.delivered).toHaveLength(1), 20_000);
    const [[order, transaction]] = shop.delivered as [[OrderToDeliver, unknown]];
    expect(order).toMatchObject({
      orderId: 'o1',
      currencyAmount: '100',
      key: 'o1:deliver',
      checkout: { reference, subject: 'u1', metadata: { cart: 7 } },
    });
    // A store in memory has no transaction.
    expect(transaction).toBeUndefined();
    await vi.waitFor(async () => expect(await shop.readProgress(reference)).toBe('finished'));
    await shop.ramp.sync();
    expect([shop.delivered.length, shop.reviewed, shop.errors]).toEqual([1, [], []]);
  });

  it('without a webhook is found by reading the list, in a backend without webhooks', async () => {
    const shop = openShop({ webhookUrl: undefined, webhookPublicKey: undefined });
    shop.pay(await shop.open());
    expect((await shop.post(createWebhook({ url: webhookUrl }))).status).toBe(404);
    expect(await shop.ramp.sync()).toEqual({
      ...{ ran: true, isComplete: true, listed: 1, recorded: 1, malformed: 0, delivered: 1 },
    });
    expect(shop.delivered).toHaveLength(1);
  });

  it('with another wallet is reviewed, and with a failing delivery repeated', async () => {
    const shop = openShop({
      deliver() {
        throw new Error('The shop is down.');
      },
    });
    const [right, wrong] = [await shop.open(), await shop.open()];
    shop.pay(right);
    shop.pay(wrong, { orderId: 'o2', walletAddress: '0x000000000000000000000000000000000000dEaD' });
    await shop.ramp.sync();
    expect(shop.reviewed).toEqual([
      [
        expect.objectContaining({ orderId: 'o2', field: 'walletAddress', key: 'o2:wallet' }),
        'wallet',
        undefined,
      ],
    ]);
    expect(shop.errors).toMatchObject([{ message: 'The shop is down.' }]);
    expect(await shop.store.listPendingChanges(webhookTime + 3600, 9)).toMatchObject([
      { key: 'o1:finished', tries: 1 },
    ]);
  });

  it('is seen by its shopper only, and not opened for nobody', async () => {
    const shop = openShop({
      getShopper: ({ request }) => {
        const id = request.headers.get('x-user');
        return id ? { id } : undefined;
      },
    });
    const send = (user: string, path = '', method = 'GET') =>
      callHandler(shop.handler, {
        ...{ method, path: `/api/ramp/checkouts${path}`, headers: { 'x-user': user } },
      });
    const { json } = await send('ann', '', 'POST');
    expect((await send('ann', `/${json.reference}`)).status).toBe(200);
    expect((await send('bob', `/${json.reference}`)).status).toBe(404);
    expect((await send('', '', 'POST')).json.error.code).toBe('ERR_SIGNED_OUT');
  });
});

describe("review: 'log'", () => {
  it('calls onError with ERR_ORDER_REVIEW once for each order, and delivers nothing', async () => {
    const shop = openShop({ review: 'log' });
    const reference = await shop.open();
    shop.pay(reference, { walletAddress: '0x000000000000000000000000000000000000dEaD' });
    for (let times = 0; times < 3; times++) {
      await shop.ramp.sync();
      shop.clock.seconds += 60;
    }
    expect(shop.errors).toEqual([
      expect.objectContaining({
        code: 'ERR_ORDER_REVIEW',
        message: expect.stringMatching(/^The order o1 needs a person: wallet\./),
      }),
    ]);
    expect([shop.delivered, shop.reviewed]).toEqual([[], []]);
  });

  it('counts as reviewed although onError throws', async () => {
    const onError = vi.fn(() => {
      throw new Error('no log');
    });
    const shop = openShop({ review: 'log', onError });
    shop.pay('no-checkout');
    await shop.ramp.sync();
    await shop.ramp.sync();
    expect(onError).toHaveBeenCalledOnce();
    expect(await shop.store.listPendingChanges(webhookTime + 3600, 9)).toEqual([]);
  });
});

describe('createRamp', () => {
  it('sends no request until it is started or asked to sync', async () => {
    const shop = openShop();
    await shop.open();
    expect(shop.fetch).not.toHaveBeenCalled();
    expect(await shop.ramp.status()).toEqual({
      ...{ nextAt: webhookTime, why: 'first', failures: 0 },
      ...{ begunAt: undefined, endedAt: undefined, syncedAt: undefined },
    });
    expect(shop.fetch).not.toHaveBeenCalled();
    shop.ramp.start();
    await vi.waitFor(() => expect(shop.fetch).toHaveBeenCalled(), 10_000);
    await shop.ramp.stop();
    const [address, init] = shop.fetch.mock.calls[0] as unknown as [string, RequestInit];
    expect(new URL(address).origin).toBe('https://api.example');
    expect(new Headers(init.headers).get('x-fp-partner-id')).toBe('p1');
  });

  it('tells when orders were read and when they will be, in another process too', async () => {
    const shop = openShop();
    await shop.open();
    const other = createTestRamp({ store: shop.store }, { now: () => shop.clock.seconds * 1000 });
    await shop.ramp.sync();
    const read = { begunAt: webhookTime, endedAt: webhookTime, syncedAt: webhookTime };
    const status = { nextAt: webhookTime + 60, why: 'checkout', failures: 0, ...read };
    expect(await shop.ramp.status()).toEqual(status);
    expect(await other.status()).toEqual(status);
    shop.fetch.mockRejectedValue(new Error('offline'));
    shop.clock.seconds += 60;
    await expect(shop.ramp.sync()).rejects.toThrow();
    const failedAt = shop.clock.seconds;
    expect(await other.status()).toEqual({
      ...{ nextAt: failedAt + 5, why: 'failed', failures: 1 },
      ...{ begunAt: failedAt, endedAt: failedAt, syncedAt: webhookTime },
    });
  });

  it('returns an API client of the same partner', () => {
    const ramp = createTestRamp();
    expect([ramp.api.partnerId, ramp.api.baseUrl]).toEqual(['p1', 'https://api.example']);
  });

  it('uses pageSize and cryptoCurrenciesPath for the requests to the service', async () => {
    const shop = openShop({ pageSize: 50, cryptoCurrenciesPath: '/open/api/v2/token' });
    await shop.ramp.sync();
    await shop.ramp.api.cryptoCurrencies({}).catch(() => {});
    const urls = shop.fetch.mock.calls.map(([input]) => new URL(`${input}`));
    expect(urls[0]?.searchParams.get('size')).toBe('50');
    expect(urls.at(-1)?.pathname).toBe('/open/api/v2/token');
  });

  it('responds at basePath, with the lifetimes of the options', async () => {
    const options: Options = { basePath: '/pay', signatureSeconds: 60, checkoutSeconds: 600 };
    const { store, handler } = openShop(options);
    const { json } = await callHandler(handler, { path: '/pay/checkouts' });
    expect(json.expiresInSeconds).toBe(60);
    const checkout = await store.findCheckout(json.reference);
    expect(checkout?.expiresAt).toBe(webhookTime + 600);
  });

  it('accepts a webhook with the fields of its body signed if signedWebhookBody is true', async () => {
    const query = '?orderId=o1';
    const signed = createWebhook({ url: webhookUrl, query });
    const webhook = { ...signed, query: '', body: new TextEncoder().encode('{"orderId":"o1"}') };
    const statusWith = async (signedWebhookBody: boolean) =>
      (await openShop({ signedWebhookBody }).post(webhook)).status;
    expect([await statusWith(true), await statusWith(false)]).toEqual([200, 401]);
  });

  it('ignores what else the result of startSandbox() has, which may be spread into the options', () => {
    const sandbox = { widgetUrl: 'http://127.0.0.1:4010', consoleUrl: 'x', close: async () => {} };
    expect(() => createRamp({ ...sandbox, ...createRampOptions() })).not.toThrow();
  });

  it('accepts null for optional options', async () => {
    const names = [
      ...['webhookPublicKey', 'webhookUrl', 'deliverAt', 'serverless', 'basePath', 'allowBearer'],
      ...['chains', 'checkoutSeconds', 'signatureSeconds', 'pollSeconds', 'maxPollSeconds'],
      ...['lookbackSeconds', 'fullSyncLookbackSeconds', 'retentionSeconds', 'pageSize'],
      ...['cryptoCurrenciesPath', 'signedWebhookBody', 'onError'],
    ];
    const nothing = Object.fromEntries(names.map((name) => [name, null]));
    const { handler } = createTestRamp(nothing as never);
    expect((await callHandler(handler as never)).status).toBe(201);
  });
});

describe('createRamp with a wrong option', () => {
  const missing = 'is missing. Is its environment variable set?';
  const list = "needs allowedOrigins: a list of the origins of your pages, such as ['https://shop";
  it.each([
    ['apiUrl', `apiUrl of createRamp ${missing}`],
    ['partnerId', `partnerId of createRamp ${missing}`],
    ['secretKey', `secretKey of createRamp ${missing}`],
    ['apiPrivateKey', `apiPrivateKey of createRamp ${missing}`],
    ['store', 'createRamp needs a store: sqlOrderStore(kysely), or memoryOrderStore()'],
    ['allowedOrigins', `createRamp ${list}`],
    ['getShopper', 'createRamp needs getShopper: your function that returns who sends a request'],
    ['policy', 'createRamp needs policy: your function that returns the parameters to sign'],
    ['deliver', 'createRamp needs deliver: your function that gives the shopper what an order'],
    [
      'review',
      "createRamp needs review: your function that lets a person see an order that is not delivered, or 'log'.",
    ],
  ])('refuses to start without %s', (name, message) => {
    for (const value of [undefined, null]) {
      const options = { ...createRampOptions(), [name]: value };
      expect(() => createRamp(options)).toThrow(refusal(message));
    }
    const { [name as 'store']: _, ...options } = createRampOptions();
    expect(() => createRamp(options as never)).toThrow(refusal(message));
  });

  it('refuses to start without options, and with the promise of some', () => {
    expect(() => createRamp(undefined as never)).toThrow(
      refusal('apiUrl of createRamp is missing'),
    );
    const promised = Promise.resolve(createRampOptions());
    expect(() => createRamp(promised as never)).toThrow(refusal('called with a Promise'));
  });

  it.each<readonly [string, Record<string, unknown>, RegExp]>([
    ['an address without TLS', { apiUrl: 'http://api.example' }, /^apiUrl of createRamp /],
    [
      'an address with a path of the API',
      { apiUrl: 'https://a.example/open/api/' },
      /as apiUrl .*\/open\/api/,
    ],
    ['a partner ID with a space', { partnerId: 'p 1' }, /^partnerId of createRamp must be/],
    ['a secret with white space', { secretKey: `${secretKey}\n` }, /^secretKey of createRamp must/],
    ['a secret in quotes', { secretKey: `"${secretKey}"` }, /^secretKey .* quotation marks/],
    [
      'a public key as apiPrivateKey',
      { apiPrivateKey: vectors.keys.webhookPublicKey },
      /^apiPrivateKey of createRamp /,
    ],
    ['text as webhookPublicKey', { webhookPublicKey: 'key' }, /^webhookPublicKey of createRamp /],
    [
      'an address without TLS as webhookUrl',
      { webhookPublicKey, webhookUrl: 'http://shop.example/hook' },
      /^webhookUrl of createRamp /,
    ],
    ['a store that keeps nothing', { store: {} }, /needs a store/],
    ['a misspelt review', { review: 'logs' }, /needs review: .* or 'log'\.$/],
    [
      'a misspelt deliverAt',
      { deliverAt: 'Finished' },
      /expects 'finished', 'settlement' or 'settled' as deliverAt\.$/,
    ],
    ['text as allowBearer', { allowBearer: 'yes' }, /expects true or false as allowBearer\.$/],
    ['a page size of 0', { pageSize: 0 }, /a whole number from 1 to 1000 as pageSize/],
    ['a page size above 1000', { pageSize: 1001 }, /a whole number from 1 to 1000 as pageSize/],
    ['a poll time above that of timers', { pollSeconds: 2 ** 31 }, /1 to 2147483 as pollSeconds/],
    [
      'a maxPollSeconds below pollSeconds',
      { pollSeconds: 120, maxPollSeconds: 60 },
      /expects a maxPollSeconds that is not less than pollSeconds\.$/,
    ],
    ['a path with a query', { cryptoCurrenciesPath: '/token?a=1' }, /cryptoCurrenciesPath/],
    ['a list as chains', { chains: ['solana'] }, /expects an object of names as chains/],
    ['another type of serverless', { serverless: true }, /\{ syncSecret, .*\} as serverless\.$/],
  ])('refuses %s', (_, wrong, message) => {
    expect(() => createTestRamp(wrong)).toThrow(refusal(message));
  });

  it.each([
    ['delivers', 'deliver'],
    ['reviews', 'review'],
    ['secretkey', 'secretKey'],
    ['webhookURL', 'webhookUrl'],
    ['serverles', 'serverless'],
  ])('refuses %s, and suggests %s', (misspelt, meant) => {
    const options = { ...createRampOptions(), [misspelt]: () => {} };
    expect(() => createRamp(options)).toThrow(
      refusal(`createRamp has no option ${misspelt}. Did you mean ${meant}?`),
    );
  });

  it('refuses one of webhookUrl and webhookPublicKey without the other', () => {
    expect(() => createTestRamp({ webhookUrl })).toThrow(
      refusal(
        'createRamp has webhookUrl without webhookPublicKey: a webhook is verified with both',
      ),
    );
    expect(() => createTestRamp({ webhookPublicKey })).toThrow(
      refusal(
        'createRamp has webhookPublicKey without webhookUrl: a webhook is verified with both',
      ),
    );
    expect(() => createTestRamp({ webhookUrl, webhookPublicKey })).not.toThrow();
  });

  it('names no secret in its messages', () => {
    const wrong: readonly Record<string, unknown>[] = [
      { secretKey: ` ${secretKey}` },
      { secretKey: `'${secretKey}'` },
      { apiPrivateKey: secretKey },
      { serverless: { syncSecret: secretKey.slice(0, 31) } },
      { allowedOrigins: [secretKey] },
    ];
    for (const options of wrong) {
      expect(() => createTestRamp(options)).toThrow(refusal(/./));
      expect(() => createTestRamp(options)).not.toThrow(secretKey.slice(0, 31));
    }
  });
});

describe('serverless', () => {
  it('refuses start(), because no timer outlives the request', () => {
    const ramp = createTestRamp({ serverless: { syncSecret } });
    expect(() => ramp.start()).toThrow(refusal(/^ramp\.start\(\) is for a process that keeps run/));
  });

  it('is needed for sync({ onlyIfDue: true })', async () => {
    const shop = openShop();
    await expect(shop.ramp.sync({ onlyIfDue: true })).rejects.toThrow(
      refusal(/^ramp\.sync\(\{ onlyIfDue: true \}\) needs the option serverless/),
    );
    expect(shop.fetch).not.toHaveBeenCalled();
  });

  it('syncs with onlyIfDue only when a sync is due', async () => {
    const shop = openShop({ serverless: { syncSecret } });
    shop.pay(await shop.open());
    const run = await shop.ramp.sync({ onlyIfDue: true });
    expect(run).toMatchObject({ ran: true, isComplete: true, listed: 1, delivered: 1 });
    expect(await shop.ramp.sync({ onlyIfDue: true })).toEqual({ ran: false });
    expect(shop.delivered).toHaveLength(1);
  });

  it('lets waitUntil keep the function alive, so that the webhook gets its response at once', async () => {
    const work: Promise<void>[] = [];
    const contexts: unknown[] = [];
    const waitUntil = (promise: Promise<void>, { context }: { context: unknown }) => {
      work.push(promise);
      contexts.push(context);
    };
    const shop = openShop({ serverless: { syncSecret, waitUntil } });
    const reference = await shop.open();
    await Promise.all(work.splice(0));
    shop.pay(reference);
    shop.clock.seconds += 30;
    const webhook = createWebhook({ url: webhookUrl, body: { ext: reference } });
    const { headers, body } = webhook;
    const request = new Request(webhookUrl, { method: 'POST', headers, body: body as never });
    const handle = shop.ramp.handler as (request: Request, context: unknown) => Promise<Response>;
    expect((await handle(request, { ctx: 1 })).status).toBe(200);
    await Promise.all(work);
    expect(contexts.at(-1)).toEqual({ ctx: 1 });
    expect(shop.delivered).toHaveLength(1);
  });

  it.each<readonly [object, RegExp]>([
    [{}, /^serverless\.syncSecret of createRamp is missing/],
    [{ syncSecret: 'short' }, /as serverless\.syncSecret.*openssl rand -hex 32/],
    [{ syncSecret, waitUntil: true }, /expects a function as serverless\.waitUntil\.$/],
    [{ syncSecret, syncSeconds: 1 }, /whole seconds from 2 to 3600 as serverless\.syncSeconds/],
    [{ syncSecret, syncSeconds: 3601 }, /whole seconds from 2 to 3600 as serverless\.syncSeconds/],
    [
      { syncSecret, syncSecond: 20 },
      /no option serverless\.syncSecond\. Did you mean .*syncSeconds/,
    ],
    [{ syncSecret, region: 'eu' }, /has no option serverless\.region\. It has serverless\.sync/],
  ])('refuses %j', (serverless, message) => {
    expect(() => createTestRamp({ serverless: serverless as never })).toThrow(refusal(message));
  });

  it('accepts a shop without it that never starts, whose webhooks read the list', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const shop = openShop();
    const reference = await shop.open();
    shop.pay(reference);
    await shop.post(createWebhook({ url: webhookUrl, body: { ext: reference } }));
    expect(shop.delivered).toHaveLength(1);
  });
});

it('createRamp uses the runtime of the process by default', async () => {
  const { handler } = createRamp({ ...createRampOptions(), getShopper: () => undefined });
  expect((await callHandler(handler as never)).status).toBe(401);
});
