import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrderStore } from '../../../src/server/index.js';
import { contextOptions, launchOptions } from '../../support/browser/launchOptions.js';
import { startOwnPostgres } from '../../support/database/sqlDatabases.js';
import { type RampInstance, startInstance } from '../../support/database/startInstance.js';
import { createWebhook } from '../../support/server/createWebhook.js';
import { fakeOrderList } from '../../support/server/fakeOrderList.js';
import { nftCheckout, nftOrder, onRampCheckout } from '../../support/server/orderFixtures.js';
import { setUpUpstream } from '../../support/server/startUpstream.js';
import { buildPageScript } from '../../support/shop/buildPageScript.js';
import { type Site, startSite } from '../../support/shop/startSite.js';

/** The longest time from the beginning of a write until the page must show the change. It polls every 3 seconds. */
const MAX_MS = 10_000;
const CHECKOUTS = 4;
const states = ['finished', 'settlement', 'settled'] as const;

/** A page that shows the progress of a checkout, and records in `shown` when it showed each state. */
const entry = `
import { createElement, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { useCheckoutStatus } from '@partner-ramp/react';
const requested = new URLSearchParams(location.search);
globalThis.shown = {};
function Shown() {
  const { data: checkout } = useCheckoutStatus(requested.get('reference'), { api: requested.get('api') });
  const progress = checkout?.progress;
  useEffect(() => {
    if (progress) globalThis.shown[progress] ??= Date.now();
  }, [progress]);
  return createElement('output', null, progress);
}
createRoot(document.body).render(createElement(Shown));
`;

const upstream = setUpUpstream();
let browser: Browser;
let site: Site;
let store: OrderStore;
let instances: RampInstance[];
let pages: Page[];
let list: ReturnType<typeof fakeOrderList>;

beforeAll(async () => {
  const database = await startOwnPostgres();
  // The test writes through this third store. It has the same database as the stores of the two instances.
  store = database.store();
  await sql`create table deliveries (key text not null, instance text not null)`.execute(
    database.connect(),
  );
  const script = await buildPageScript(entry);
  const html = `<!doctype html><html lang="en"><title>Shop</title><body></body><script src="/page.js"></script></html>`;
  site = await startSite(() => (request) => {
    const isScript = new URL(request.url).pathname === '/page.js';
    const type = isScript ? 'text/javascript' : 'text/html; charset=utf-8';
    return new Response(isScript ? script : html, { headers: { 'Content-Type': type } });
  });
  list = fakeOrderList([]);
  upstream.respondWith(list.answer);
  instances = await Promise.all(
    ['a', 'b'].map((name) =>
      startInstance({
        name,
        target: database.target,
        apiUrl: upstream.baseUrl,
        allowedOrigins: [site.origin],
        pollSeconds: 600,
      }),
    ),
  );
  browser = await chromium.launch(launchOptions);
  const context = await browser.newContext(contextOptions);
  pages = await Promise.all(instances.map(() => context.newPage()));
});
afterAll(async () => {
  await browser?.close();
  for (const { kill } of instances ?? []) await kill();
  await site?.close();
});

const at = () => Math.floor(Date.now() / 1000);

/** Opens the status of one checkout in two pages, one for each instance. */
async function visit(reference: string): Promise<void> {
  await Promise.all(
    pages.map(async (page, i) => {
      const api = `${instances[i]?.url}/api/ramp`;
      await page.goto(`${site.origin}/?${new URLSearchParams({ reference, api })}`);
      await page.locator('output', { hasText: 'waiting' }).waitFor();
    }),
  );
}

const shownAt = (progress: string) =>
  Promise.all(
    pages.map(async (page) => {
      const shown = await page.waitForFunction(
        (progress) => (globalThis as unknown as { shown: Record<string, number> }).shown[progress],
        progress,
        { timeout: 20_000 },
      );
      return Number(await shown.jsonValue());
    }),
  );

function report(what: string, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  process.stdout.write(
    `${what}: median ${sorted[sorted.length >> 1]} ms, maximum ${sorted.at(-1)} ms of ${sorted.length}\n`,
  );
}

describe('a page on either of two instances', () => {
  it('shows a change that a third instance commits within a few polls', async () => {
    const times: number[] = [];
    for (let i = 0; i < CHECKOUTS; i++) {
      const reference = `committed-${i}`;
      await store.saveCheckout(nftCheckout({ reference, expiresAt: at() + 3600 }));
      await visit(reference);
      for (const state of states) {
        // Write at a random moment between two polls.
        await wait(Math.random() * 3000);
        const order = nftOrder(state, { orderId: `order-${i}`, ext: reference });
        const begun = Date.now();
        await store.recordOrders([order], at());
        times.push(...(await shownAt(state)).map((shown) => shown - begun));
      }
    }
    report('commit to page', times);
    expect(times).toHaveLength(CHECKOUTS * states.length * 2);
    expect(Math.max(...times)).toBeLessThanOrEqual(MAX_MS);
  });

  it('shows an order that a webhook announced to the first instance', async () => {
    for (const { start } of instances) start();
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      const reference = `announced-${i}`;
      await store.saveCheckout(onRampCheckout({ reference, expiresAt: at() + 3600 }));
      await visit(reference);
      list.orders.push({ orderId: reference, ext: reference, finishTime: at() });
      const url = `${instances[0]?.url}/api/ramp/webhook`;
      const { headers, body } = createWebhook({ url, timestamp: at(), body: { ext: reference } });
      const begun = Date.now();
      const { status } = await fetch(url, { method: 'POST', headers, body: Buffer.from(body) });
      expect(status).toBe(200);
      times.push(...(await shownAt('finished')).map((shown) => shown - begun));
    }
    report('webhook to page', times);
  });
});
