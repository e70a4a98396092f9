import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { memoryOrderStore } from '@partner-ramp/react/server';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contextOptions } from '../../support/browser/launchOptions.js';
import { getWidgetState } from '../../support/browser/payInWidget.js';
import { setUpBrowser } from '../../support/browser/setUpBrowser.js';
import { root } from '../../support/root.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../support/server/orderFixtures.js';
import { sandboxBackend } from '../../support/shop/sandboxBackend.js';
import { type Site, startSite } from '../../support/shop/startSite.js';
import { type BuiltShop, buildShop } from './streamed-shop/buildShop.js';
import type { ShopSettings } from './streamed-shop/Shop.js';
import type { DeferredParts } from './streamed-shop/streamShop.js';

const styles = readFileSync(join(root, 'dist/styles.css'), 'utf8');
/** The reference of a delivered checkout. */
const reference = 'q1Jz8sUjT0m3Xc5vR7wB2A';

const as = (type: string) => ({ headers: { 'Content-Type': `${type}; charset=utf-8` } });

const chrome = setUpBrowser();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = chrome.closeLater(await startSandbox());
});

describe.each([19, 18] as const)('a page that React %s streams from a server', (react) => {
  let shop: BuiltShop;
  let site: Site;
  let page: Page;
  /** Uncaught errors of the page, errors and warnings in its console, and errors of the server's renderer. */
  let printed: string[];
  let late: DeferredParts;
  let settings: ShopSettings;

  beforeAll(async () => {
    shop = await buildShop(react);
    const store = memoryOrderStore();
    await store.saveCheckout({ ...onRampCheckout(), reference });
    await store.recordOrders([onRampOrder({ ext: reference, payTime: baseTime - 60 })], baseTime);
    site = await startSite((origin) => {
      const { handler } = sandboxBackend(sandbox, origin, store);
      return async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname.startsWith('/api/ramp/')) return handler(request);
        if (pathname === '/browser.js') return new Response(shop.browser, as('text/javascript'));
        if (pathname === '/styles.css') return new Response(styles, as('text/css'));
        if (pathname !== '/') return new Response(null, { status: 204 });
        const html = await shop.server.streamShop(settings, late, (error) =>
          printed.push(`${error}`),
        );
        return new Response(html, as('text/html'));
      };
    });
  });
  afterAll(() => site?.close());
  beforeEach(async () => {
    // The server does not know this language and time zone. A component that used them too early would cause a warning.
    page = await chrome.browser.newPage({
      ...contextOptions,
      locale: 'de-DE',
      timezoneId: 'Asia/Tokyo',
    });
    page.setDefaultTimeout(10_000);
    printed = [];
    page.on('console', (message) => {
      if (/error|warning/.test(message.type())) printed.push(message.text());
    });
    page.on('pageerror', (error) => printed.push(`${error}`));
    late = shop.server.createDeferredParts();
  });
  afterEach(() => page.close());

  const state = (id: string) => page.locator(id).getAttribute('data-state');
  const recoveredErrors = () => page.evaluate(() => globalThis.recoveredErrors);

  it.each([
    { strict: false },
    { strict: true, language: 'ar' },
    { strict: true, language: 'ja', locale: 'hi-IN-u-nu-deva' },
  ])('hydrates part by part without warnings, with %o', async (given) => {
    settings = { widgetUrl: sandbox.widgetUrl, reference, ...given };
    await page.goto(site.origin, { waitUntil: 'commit' });

    // The first part works before the server has sent the other parts.
    await expect.poll(() => state('#first')).toBe('success');
    await expect.poll(() => state('#order')).toBe('finished');
    expect(await page.getByText('cards comes').count()).toBe(1);
    late.release('cards');
    await page.locator('#cards').waitFor();
    expect(await page.getByText('price comes').count()).toBe(1);

    // Times are in the browser's time zone, which the server cannot know, and in the language of the page's settings.
    late.release('order');
    await expect.poll(() => state('#same-order')).toBe('finished');
    const locale = given.locale ?? given.language ?? 'fr';
    const time = new Intl.DateTimeFormat(locale, {
      ...{ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
      timeZone: 'Asia/Tokyo',
    } as const);
    for (const id of ['#order', '#same-order'])
      expect(await page.locator(`${id} time`).allTextContents()).toEqual([
        time.format((baseTime - 60) * 1000),
        time.format(baseTime * 1000),
      ]);

    // This second price card is hydrated after the first card has already filled react-query's cache.
    late.release('price');
    await page.getByText('success USD USD').waitFor();
    await page.waitForLoadState();
    expect([await recoveredErrors(), printed]).toEqual([[], []]);

    const figures = new Intl.NumberFormat(locale, {
      useGrouping: false,
      minimumFractionDigits: 2,
    });
    expect(await page.locator('#second input').first().inputValue()).toBe(figures.format(1250.5));
    for (const name of ['Top up', 'Mint']) {
      const button = page.getByRole('button', { name, exact: true });
      await button.click();
      const frame = await page.locator('dialog iframe').elementHandle();
      const widget = await frame?.contentFrame();
      if (!widget) throw new Error('The dialog has no frame.');
      expect(await getWidgetState(widget)).toBe('form');
      await page.getByRole('button', { name: 'Close the checkout' }).click();
      await page.locator('dialog').waitFor({ state: 'detached' });
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    }
    expect([await recoveredErrors(), printed]).toEqual([[], []]);
  });
});
