import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import type { Page } from 'playwright';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contextOptions } from '../support/browser/launchOptions.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { buildPageModules } from '../support/shop/buildPageScript.js';
import { type Site, startSite } from '../support/shop/startSite.js';

/** A page that records events and error codes in `window.events`, and whose `onError` throws. */
const script = `
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { OnRampButton } from '@partner-ramp/react';
const widgetUrl = new URLSearchParams(location.search).get('widgetUrl');
window.events = [];
const onError = ({ code }) => { events.push(code); throw new Error('the page'); };
const onEvent = ({ type }) => events.push(type);
createRoot(document.body.appendChild(document.createElement('main'))).render(
  h(OnRampButton, { widgetUrl, onError, onEvent }),
);
`;
const forbids = `<meta http-equiv="Content-Security-Policy" content="frame-src 'none'">`;

const saysOffline = "Object.defineProperty(navigator, 'onLine', { get: () => false })";

const chrome = setUpBrowser();
let sandbox: Sandbox;
let site: Site;
let page: Page;

beforeAll(async () => {
  sandbox = chrome.closeLater(await startSandbox());
  const modules = await buildPageModules(script);
  const started = await startSite(() => (request) => {
    const { pathname } = new URL(request.url);
    const policies = pathname === '/forbids-twice' ? forbids.repeat(2) : '';
    const html = `<!doctype html><title>Shop</title>${policies}<script type="module" src="/page.js"></script>`;
    const code = modules.get(pathname);
    const type = code ? 'text/javascript' : 'text/html';
    return new Response(code ?? html, { headers: { 'Content-Type': type } });
  });
  site = chrome.closeLater(started);
});
beforeEach(async () => {
  page = await chrome.browser.newPage(contextOptions);
});
afterEach(() => page.close());

const visit = (path: string) =>
  page.goto(`${site.origin}${path}?${new URLSearchParams({ widgetUrl: sandbox.widgetUrl })}`);
const events = () => page.evaluate<string[]>('events');
const button = () => page.getByRole('button', { name: 'Buy crypto' });

describe('OnRampButton', () => {
  it('advises a reload when the rest of its code cannot be loaded', async () => {
    const parts = /openCheckout/;
    await page.route(parts, (route) => route.abort());
    await visit('/');
    await button().click();
    await page.getByRole('alert').waitFor();
    expect(await events()).toEqual(['ERR_NETWORK', 'failed']);
    expect(await button().getAttribute('data-state')).toBe('error');
    // Chromium does not request a module again once it has failed to load, so only a reload helps.
    expect(await page.getByRole('alert').innerText()).toBe('Reload the page to retry.');
    await page.unroute(parts);
    await page.reload();
    await button().click();
    await page.locator('dialog[data-state="ready"]').waitFor();
    expect(await events()).toEqual(['opened', 'loaded']);
  });

  it('opens although the browser says that it is offline, which is wrong behind some VPNs', async () => {
    await page.addInitScript(saysOffline);
    await visit('/');
    await button().click();
    await page.locator('dialog[data-state="ready"]').waitFor();
    expect(await events()).toEqual(['opened', 'loaded']);
  });

  it('loads the code of the checkout when the browser is idle, without the pointer', async () => {
    const part = page.waitForRequest(/openCheckout/);
    await visit('/');
    await part;
  });

  it('requests no code before the click while the browser says that it is offline', async () => {
    await page.addInitScript(saysOffline);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await visit('/');
    await button().hover();
    await page.waitForTimeout(500);
    expect(requested.filter((url) => url.includes('openCheckout'))).toEqual([]);
  });

  it('reports one failure for a frame that two policies refuse', async () => {
    await visit('/forbids-twice');
    await button().click();
    await page.locator('dialog[data-state="refused"]').waitFor();
    await page.getByRole('button', { name: 'Close the checkout' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await events()).toEqual(['opened', 'ERR_WIDGET_LOAD', 'failed', 'closed']);
  });
});
