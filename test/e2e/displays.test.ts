import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../support/bundle-page.js';
import { launchOptions } from '../support/chromium.js';
import { stateOf } from '../support/hosted-widget.js';
import { pageScript } from '../support/page-script.js';

/**
 * A page of a Basic Partner, which needs no backend: the address says how the widget is shown, and
 * whether the button stands in a shadow tree, with all the styles there are.
 */
const script = `
import { createElement as h, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { OnRampButton } from '@partner-ramp/react';
const { widgetUrl, display, tree } = Object.fromEntries(new URLSearchParams(location.search));
window.events = [];
const props = { widgetUrl, display, amount: '100', onEvent: ({ type }) => window.events.push(type) };
let place = document.body.appendChild(document.createElement('main'));
if (tree) (place = place.attachShadow({ mode: tree })).append(document.querySelector('style'));
createRoot(place.appendChild(document.createElement('div'))).render(
  h(StrictMode, null, h(OnRampButton, props)),
);
`;

let sandbox: Sandbox;
let browser: Browser;
let shop: Server;
let page: Page;

beforeAll(async () => {
  sandbox = await startSandbox();
  browser = await chromium.launch(launchOptions);
  const css = readFileSync(join(root, 'dist/styles.css'), 'utf8');
  const code = (await pageScript(script)).replaceAll('</script', '<\\/script');
  const html = `<!doctype html><html lang="en"><title>Shop</title><style>${css}</style><body><script>${code}</script>`;
  // A real one: what a page does with its frames depends on where it came from.
  shop = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html);
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
});
afterAll(async () => {
  await browser?.close();
  await sandbox?.close();
  shop?.close();
});
beforeEach(async () => {
  page = await browser.newPage();
});
afterEach(() => page.close());

const button = () => page.getByRole('button', { name: 'Buy crypto' });
const open = async (display: string, given = {}) => {
  const { port } = shop.address() as AddressInfo;
  const query = new URLSearchParams({ widgetUrl: sandbox.widgetUrl, display, ...given });
  await page.goto(`http://127.0.0.1:${port}/?${query}`);
  await button().click();
};

describe('a checkout', () => {
  it('takes the place of the page, and the page is as it was when one comes back', async () => {
    await open('redirect');
    await page.waitForURL(`${sandbox.widgetUrl}/home?**`);
    expect(await stateOf(page.mainFrame())).toBe('form');
    expect(new URL(page.url()).searchParams.get('amount')).toBe('100');
    expect(new URL(page.url()).searchParams.has('windowOpen')).toBe(false);
    await page.goBack();
    await expect.poll(() => button().getAttribute('data-state')).toBe('idle');
    await button().click();
    await page.waitForURL(`${sandbox.widgetUrl}/home?**`);
  });

  it('stands in the page itself', async () => {
    await open('inline');
    const region = page.getByRole('region', { name: 'Checkout' });
    await region.locator('iframe').waitFor();
    const frame = await (await region.locator('iframe').elementHandle())?.contentFrame();
    if (!frame) throw new Error('There is no frame.');
    expect(await stateOf(frame)).toBe('form');
    expect(await page.locator('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Close the checkout' }).click();
    await region.waitFor({ state: 'detached' });
    expect(await button().evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.evaluate('window.events')).toEqual(['opened', 'loaded', 'closed']);
  });

  it('goes from the page to a window of its own, with an address of its own', async () => {
    await open('inline');
    await page.getByRole('region', { name: 'Checkout' }).waitFor();
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Open in a new window' }).click(),
    ]);
    await popup.waitForURL(`${sandbox.widgetUrl}/home?**`);
    expect(await stateOf(popup.mainFrame())).toBe('form');
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it.each([{}, { tree: 'open' }])('holds the page behind it still, with %o', async (given) => {
    await open('modal', given);
    await page.evaluate("document.body.style.height = '5000px'");
    await page.locator('dialog[data-state="ready"]').waitFor();
    const scrolled = async () => {
      await page.mouse.move(20, 300);
      await page.mouse.wheel(0, 600);
      await page.waitForTimeout(300);
      return page.evaluate('scrollY');
    };
    expect(await scrolled()).toBe(0);
    await page.getByRole('button', { name: 'Close the checkout' }).click();
    expect(await scrolled()).toBe(600);
  });
});
