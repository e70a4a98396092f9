import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import type { Page } from 'playwright';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { contextOptions } from '../support/browser/launchOptions.js';
import { payInWidget } from '../support/browser/payInWidget.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { root } from '../support/root.js';
import { buildPageScript } from '../support/shop/buildPageScript.js';
import { sandboxBackend } from '../support/shop/sandboxBackend.js';
import { type Site, startSite } from '../support/shop/startSite.js';

/** A page with a button and the card of its latest checkout. It records the status changes in `window.states`. */
const script = `
import { createElement as h, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { CheckoutStatus, OnRampButton, RampProvider } from '@partner-ramp/react';
const { widgetUrl, display } = Object.fromEntries(new URLSearchParams(location.search));
window.states = [];
function Shop() {
  const [reference, setReference] = useState();
  const props = {
    display,
    onOpen: (event) => setReference(event.reference),
    onStatusChange: ({ progress }) => window.states.push(progress),
  };
  return h(RampProvider, { widgetUrl, api: '/api/ramp' },
    h(OnRampButton, props), h(CheckoutStatus, { reference }));
}
createRoot(document.body.appendChild(document.createElement('main'))).render(
  h(StrictMode, null, h(Shop)),
);
`;

const chrome = setUpBrowser();
let sandbox: Sandbox;
let site: Site;
let page: Page;

beforeAll(async () => {
  sandbox = chrome.closeLater(await startSandbox({ stepMs: 300 }));
  const css = readFileSync(join(root, 'dist/styles.css'), 'utf8');
  const code = (await buildPageScript(script)).replaceAll('</script', '<\\/script');
  const html = `<!doctype html><html lang="en"><title>Shop</title><style>${css}</style><body><script>${code}</script>`;
  const started = await startSite((origin) => {
    const ramp = sandboxBackend(sandbox, origin);
    ramp.start();
    chrome.closeLater({ close: () => ramp.stop() });
    return (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/api/ramp/')) return ramp.handler(request);
      // This widget responds without content, so the browser stays on the page after the redirect.
      if (pathname.endsWith('/home')) return new Response(null, { status: 204 });
      return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
    };
  });
  site = chrome.closeLater(started);
});
beforeEach(async () => {
  page = await chrome.browser.newPage(contextOptions);
});
afterEach(() => page.close());

const visit = (given: Readonly<Record<string, string>>) =>
  page.goto(`${site.origin}/?${new URLSearchParams(given)}`);
const states = () => page.evaluate('window.states');
const card = () => page.locator('.ramp-status');
const buy = () => page.getByRole('button', { name: 'Buy crypto' }).click();

it('calls onStatusChange from the opening of a checkout to the delivery', async () => {
  await visit({ widgetUrl: sandbox.widgetUrl });
  expect(await card().isVisible()).toBe(false);
  await buy();
  await expect.poll(states).toEqual(['waiting']);
  const frame = await (await page.waitForSelector('iframe.ramp-frame')).contentFrame();
  if (!frame) throw new Error('The dialog has no frame.');
  await frame.locator('main[data-state="form"]').waitFor();
  await frame.getByRole('textbox').first().fill('100');
  await payInWidget(frame);
  await page.getByRole('button', { name: 'Close the checkout' }).click();
  await expect.poll(states, { timeout: 20_000 }).toEqual(['waiting', 'finished']);
  await expect.poll(() => card().getAttribute('data-state')).toBe('finished');
  const text = await card().innerText();
  expect(text).toMatch(/^Delivered/);
  expect(text).toMatch(/You paid\s+100\.00\sUSD/);
  const [order] = await sandbox.orders();
  const hash = order?.txHash ?? '';
  expect(hash).toMatch(/^\w{20,}$/);
  expect(await card().locator('code').first().textContent()).toBe(hash);
});

it('calls onStatusChange when the shopper returns from a redirect to the widget', async () => {
  await visit({ widgetUrl: `${site.origin}/widget`, display: 'redirect' });
  const left = page.waitForRequest((request) => request.url().includes('/widget/home'));
  // Playwright's click() would wait for a navigation, which the response 204 never completes.
  await page.getByRole('button', { name: 'Buy crypto' }).dispatchEvent('click');
  await left;
  await page.waitForTimeout(200);
  expect(await states()).toEqual([]);
  // Simulates that the shopper goes back and the browser restores the page from the back/forward cache.
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
  await expect.poll(states).toEqual(['waiting']);
});
