import {
  createRampHandler,
  createWidgetSigner,
  memoryOrderStore,
} from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import compression from 'compression';
import express from 'express';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CheckoutResponse, RampError } from '../../../src/index.js';
import { fetchBackend } from '../../../src/react/backend/fetchBackend.js';
import { watchCheckout } from '../../../src/react/status/watch/watchCheckout.js';
import { onRampIntent, onRampOrder } from '../../support/server/orderFixtures.js';
import {
  startBufferingProxy,
  startDevServer,
  startDisconnectingProxy,
  startListener,
} from './proxies.js';

beforeAll(() => {
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  return () => vi.unstubAllGlobals();
});

const seconds = () => Math.floor(Date.now() / 1000);

/** Starts an Express app that serves the built handler behind `compression()`. Its store has the checkout `r1`. */
async function startShop() {
  const store = memoryOrderStore();
  await store.saveIntent(onRampIntent({ createdAt: seconds(), expiresAt: seconds() + 3600 }));
  const handler = createRampHandler({
    signer: createWidgetSigner({ partnerId: 'p1', secretKey: 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D' }),
    policy: () => ({ params: { walletAddress: '0xA1' }, subject: 'u1' }),
    allowedOrigins: ['https://shop.example'],
    getSubject: 'anyone',
    store,
  });
  const requests: string[] = [];
  const app = express().use(compression({ threshold: 0 }));
  app.use((req, _, next) => {
    requests.push(req.path.endsWith('/events') ? 'stream' : 'poll');
    next();
  });
  app.use('/api/ramp', toExpress(handler));
  const pay = () => store.recordOrders([onRampOrder({ finishTime: seconds() })], seconds());
  return { url: await startListener(app), requests, pay };
}

/** Watches the checkout as a page does. */
function watch(url: string) {
  const responses: CheckoutResponse[] = [];
  const errors: RampError[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const watching = watchCheckout({
    api: `${url}/api/ramp`,
    reference: 'r1',
    request: fetchBackend,
    signal: stop.signal,
    onChange: (response) => responses.push(response),
    onError: (error) => error && errors.push(error),
  });
  const sees = (progress: string) =>
    vi.waitFor(() => expect(responses.at(-1)?.progress).toBe(progress), { timeout: 15_000 });
  return { sees, watching, errors, stop };
}

describe('a page sees the paid order', () => {
  it.each([
    ['compression() in Express', async (url: string) => url],
    ["webpack-dev-server's proxy and compression", startDevServer],
  ])('by events behind %s', async (_, pass) => {
    const { url, requests, pay } = await startShop();
    const page = watch(await pass(url));
    await page.sees('waiting');
    await pay();
    await page.sees('finished');
    await page.watching;
    expect(requests).toEqual(['stream']);
  });

  it('by polling behind a proxy that buffers the body', async () => {
    const { url, requests, pay } = await startShop();
    const page = watch(await startBufferingProxy(url));
    await page.sees('waiting');
    expect(requests).toEqual(['stream', 'poll']);
    await pay();
    await page.sees('finished');
    await page.watching;
    expect(page.errors).toEqual([]);
  });

  it('behind a proxy that closes the connection after each event', async () => {
    const { url, requests, pay } = await startShop();
    const page = watch(await startDisconnectingProxy(url));
    await page.sees('waiting');
    await pay();
    await page.sees('finished');
    await page.watching;
    expect(requests.length).toBeLessThan(6);
    expect(page.errors).toEqual([]);
  });

  it('in eight tabs behind a proxy that buffers the body', async () => {
    const { url, requests, pay } = await startShop();
    const proxy = await startBufferingProxy(url, true);
    const tabs = Array.from({ length: 8 }, () => watch(proxy));
    for (const { sees } of tabs) await sees('waiting');
    await pay();
    for (const { sees } of tabs) await sees('finished');
    await Promise.all(tabs.map(({ watching }) => watching));
    expect(tabs.flatMap(({ errors }) => errors)).toEqual([]);
    // All tabs watch the same checkout, which may have six streams at a time. A refused or silent stream must be
    // retried rarely, so there are fewer than three attempts per tab.
    expect(requests.filter((kind) => kind === 'stream').length).toBeLessThan(3 * tabs.length);
  });
});

it("webpack-dev-server's compression is enabled in these tests", async () => {
  const { url } = await startShop();
  const response = await fetch(`${await startDevServer(url)}/main.js`);
  expect(response.headers.get('content-encoding')).toBe('gzip');
});

it('compression() compresses the other responses in these tests', async () => {
  const { url } = await startShop();
  const response = await fetch(`${url}/api/ramp/checkouts/r1`);
  expect(response.headers.get('content-encoding')).toMatch(/gzip|br/);
});
