import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextOptions, launchOptions } from '../support/browser/launchOptions.js';
import { root } from '../support/root.js';

const html = `<!doctype html><html lang="en"><title>Shop</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/styles.css">
<main><ramp-button widget-url="https://pay.example">Buy</ramp-button></main>
<script type="module" src="/ramp-button.js"></script></html>`;

const note = (page: Page) => page.getByRole('alert');

describe('<ramp-button> without a bundler', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch(launchOptions);
  });
  afterAll(() => browser?.close());

  /** Opens a page with the files of `dist/browser`, which loads no code before the click. */
  async function visit(isBroken = () => false, loadNote = async () => {}): Promise<Page> {
    const context = await browser.newContext(contextOptions);
    await context.route('**/*', async (route) => {
      const { pathname, hostname } = new URL(route.request().url());
      if (hostname === 'pay.example') return route.fulfill({ body: 'The widget' });
      if (pathname === '/') return route.fulfill({ body: html, contentType: 'text/html' });
      if (isBroken() && pathname.includes('openCheckout')) return route.abort();
      if (pathname.includes('createNote')) await loadNote();
      const body = await readFile(join(root, 'dist/browser', pathname));
      const contentType = pathname.endsWith('.css') ? 'text/css' : 'text/javascript';
      return route.fulfill({ body, contentType });
    });
    await context.addInitScript(() => {
      window.requestIdleCallback = () => 0;
    });
    const page = await context.newPage();
    await page.goto('http://localhost:9/');
    return page;
  }

  it('opens the widget in a dialog', async () => {
    const page = await visit();
    await page.getByRole('button', { name: 'Buy' }).click();
    await page.frameLocator('dialog iframe').getByText('The widget').waitFor();
    await page.context().close();
  });

  it('opens although the browser says that it is offline, which is wrong behind some VPNs', async () => {
    const page = await visit();
    await page.evaluate(() => Object.defineProperty(navigator, 'onLine', { get: () => false }));
    await page.locator('ramp-button').click();
    await page.locator('dialog iframe').waitFor();
    await page.context().close();
  });

  it('asks to reload the page when its code fails to load', async () => {
    const page = await visit(() => true);
    await page.locator('ramp-button').click();
    await expect.poll(() => note(page).textContent()).toBe('Reload the page to retry.');
    await page.context().close();
  });

  it('asks once, although the code of other notes loads after it has asked', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const page = await visit(
      () => true,
      () => released,
    );
    const loaded = page.waitForResponse(/createNote/);
    await page.locator('ramp-button').click();
    await note(page).waitFor();
    release();
    await (await loaded).finished();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(await note(page).count()).toBe(1);
    await page.context().close();
  });
});
