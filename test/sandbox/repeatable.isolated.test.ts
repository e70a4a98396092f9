import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/index.js';
import { createApiClient } from '../support/sandbox/createApiClient.js';
import { createSandboxClient } from '../support/sandbox/createSandboxClient.js';
import { mintListing } from '../support/sandbox/nftListings.js';
import { startWebhookReceiver } from '../support/sandbox/startWebhookReceiver.js';

vi.mock(
  '../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../support/sandbox/fakeWidgetFiles.js'),
);

const clock = 1_986_217_096_000;
const now = () => clock;
const createFolder = () => mkdtempSync(join(tmpdir(), 'partner-ramp-repeat-'));
const range = { startTime: String(clock / 1000 - 60), endTime: String(clock / 1000 + 60) };

let backend: Awaited<ReturnType<typeof startWebhookReceiver>>;
beforeAll(async () => {
  backend = await startWebhookReceiver();
});
afterAll(() => backend.close());

/** Starts a sandbox with a fixed clock, in which orders finish at once. */
const start = (options: SandboxOptions) =>
  startSandbox({ now, stepMs: 0, settleMs: 0, webhookUrl: backend.url, ...options });

interface Urls {
  readonly onRamp: string;
  readonly nft: string;
}

/** Signs the URLs of a shop, with random nonces. */
async function signUrls(options: SandboxOptions): Promise<Urls> {
  const sandbox = await start(options);
  const client = createSandboxClient(sandbox, now);
  const urls = {
    onRamp: client.signedUrl({ ext: 'r1', walletAddressLocked: '1' }),
    nft: client.nftUrl(mintListing),
  };
  await sandbox.close();
  return urls;
}

/** Buys in a sandbox, and returns all that it sent, in order. Its port, which is a free one, is removed. */
async function buy(options: SandboxOptions, urls: Urls) {
  backend.received.length = 0;
  const sandbox = await start(options);
  try {
    const api = createApiClient(sandbox, now);
    const widget = createSandboxClient(sandbox, now);
    await api.get('currency');
    await api.get('token');
    const purchase = { fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'ETH' };
    await api.get('price', purchase);
    const email = 'ann@shop.example';
    for (const order of [
      { ...(await openUrl(widget, urls.onRamp)), ...purchase, email },
      { ...(await openUrl(widget, urls.nft)), fiatCurrency: 'USD', email },
    ])
      expect((await widget.post('/home/orders', order)).status).toBe(201);
    await vi.waitFor(() => expect(backend.received).toHaveLength(2), 10_000);
    await api.get('order', range);
    const isBody = (text: string) => !text.startsWith('[[');
    return {
      api: api.responseTexts.map((text) => text.replaceAll(sandbox.baseUrl, '')),
      widget: widget.responseTexts.filter(isBody),
      webhooks: backend.received.map(({ text, headers }) => [
        text,
        ...['nonce', 'timestamp', 'signature'].map((name) => headers[`x-fp-${name}`]),
      ]),
      orders: sandbox.orders(),
    };
  } finally {
    await sandbox.close();
  }
}

const openUrl = async (client: ReturnType<typeof createSandboxClient>, url: string) => {
  const { pathname, search } = new URL(url);
  const { session } = await client.data(pathname + search);
  return { session };
};

describe('A sandbox', () => {
  it('sends the same bytes with the same seed, clock and state', async () => {
    const state = createFolder();
    const urls = await signUrls({ seed: 'a', state });
    await buy({ seed: 'a', state }, urls);
    const [first, second] = [createFolder(), createFolder()];
    for (const copy of [first, second]) cpSync(state, copy, { recursive: true });
    const next = await signUrls({ seed: 'a', state });
    const sent = await buy({ seed: 'a', state: first }, next);
    expect(sent.orders).toHaveLength(4);
    expect(await buy({ seed: 'a', state: second }, next)).toEqual(sent);
  });

  it('creates other IDs with another seed, from the same state', async () => {
    const state = createFolder();
    const urls = await signUrls({ state });
    const copy = createFolder();
    cpSync(state, copy, { recursive: true });
    const [one] = (await buy({ seed: 'a', state }, urls)).orders;
    const [other] = (await buy({ seed: 'b', state: copy }, urls)).orders;
    for (const name of ['orderId', 'userId', 'txHash'] as const)
      expect(one?.[name]).not.toBe(other?.[name]);
  });

  it('has keys that do not depend on the seed', async () => {
    const one = await start({ seed: 'a' });
    const other = await start({ seed: 'a' });
    for (const name of ['partnerId', 'secretKey', 'apiPrivateKey', 'webhookPublicKey'] as const)
      expect(one[name]).not.toBe(other[name]);
    await Promise.all([one.close(), other.close()]);
  });
});

describe('A sandbox with state', () => {
  it('has the same keys and orders at the next start, and announces no order again', async () => {
    const state = createFolder();
    const first = await start({ state });
    const { partnerId, secretKey, apiPrivateKey, webhookPublicKey } = first;
    await first.close();
    const urls = await signUrls({ state });
    const { orders } = await buy({ state }, urls);
    backend.received.length = 0;
    const second = await start({ state });
    expect(second).toMatchObject({ partnerId, secretKey, apiPrivateKey, webhookPublicKey });
    expect(second.orders()).toEqual(orders);
    const client = createSandboxClient(second, now);
    const { session } = await openUrl(client, urls.nft);
    const again = { session, fiatCurrency: 'USD', email: 'ann@shop.example' };
    expect((await client.post('/home/orders', again)).status).toBe(409);
    await client.post('/home/orders', {
      ...(await openUrl(client, urls.onRamp)),
      ...{ fiatCurrency: 'USD', currencyAmount: '20', cryptoCurrencyCode: 'ETH' },
      email: 'Ann@shop.example',
    });
    await vi.waitFor(() => expect(backend.received).toHaveLength(1), 10_000);
    expect(backend.received[0]?.text).toContain('"currencyAmount":20.00');
    const all = second.orders();
    expect(new Set(all.map(({ orderId }) => orderId)).size).toBe(3);
    expect(new Set(all.map(({ userId }) => userId)).size).toBe(1);
    await second.close();
  });

  it('finishes an order that was in progress when it stopped', async () => {
    const state = createFolder();
    const urls = await signUrls({ state });
    const first = await start({ state, stepMs: 1000 });
    const client = createSandboxClient(first, now);
    await client.post('/home/orders', {
      ...(await openUrl(client, urls.onRamp)),
      ...{ fiatCurrency: 'USD', currencyAmount: '20', cryptoCurrencyCode: 'ETH' },
      email: 'ann@shop.example',
    });
    expect(first.orders()).toEqual([]);
    await first.close();
    const later = await start({ state, stepMs: 1000, now: () => clock + 2000 });
    expect(later.orders()).toMatchObject([{ currencyAmount: '20.00', orderStatus: 3 }]);
    await later.close();
  });
});
