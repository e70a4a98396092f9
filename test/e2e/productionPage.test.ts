import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import type { Page } from 'playwright';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ShownMessage, testMistake } from '../mistakes/testMistake.js';
import { contextOptions } from '../support/browser/launchOptions.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { root } from '../support/root.js';
import { buildPageModules } from '../support/shop/buildPageScript.js';
import { type Site, startSite } from '../support/shop/startSite.js';

/** A page that renders one component. Its query has the component's name as `part` and the props as JSON. */
const entry = `
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import * as ramp from '@partner-ramp/react';
const { part, props } = Object.fromEntries(new URLSearchParams(location.search));
createRoot(document.body.appendChild(document.createElement('main'))).render(
  h(ramp[part], JSON.parse(props)),
);
`;

/** The policy of helmet 8 without options, except upgrade-insecure-requests. */
const helmetDefault =
  "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'";

const chrome = setUpBrowser();
let sandbox: Sandbox;
let site: Site;
let page: Page;
/** The messages of this package in the console, such as `error: [partner-ramp] …`. */
let lines: string[];

beforeAll(async () => {
  sandbox = chrome.closeLater(await startSandbox());
  // Leave the import of react-query in the modules, as Rollup and esbuild do when the package is not installed.
  const modules = await buildPageModules(entry, [/^@tanstack\/react-query/]);
  const css = readFileSync(join(root, 'dist/styles.css'), 'utf8');
  const started = await startSite(() => ({ url }) => {
    const { pathname, searchParams } = new URL(url);
    const respond = (type: string, body: string, headers = {}) =>
      new Response(body, { headers: { 'Content-Type': type, ...headers } });
    const code = modules.get(pathname);
    if (code) return respond('text/javascript', code);
    if (pathname === '/styles.css') return respond('text/css', css);
    if (pathname.startsWith('/login')) return respond('text/html', '<p>Sign in');
    if (pathname.startsWith('/api/ramp/')) return new Response(null, { status: 404 });
    if (pathname.startsWith('/signed-out/')) return Response.redirect(new URL('/login', url));
    const html =
      '<!doctype html><link rel="stylesheet" href="/styles.css"><body><script type="module" src="/page.js"></script>';
    const policy = searchParams.get('policy');
    return respond('text/html', html, policy ? { 'Content-Security-Policy': policy } : {});
  });
  site = chrome.closeLater(started);
});

beforeEach(async () => {
  lines = [];
  page = await chrome.browser.newPage(contextOptions);
  page.on('console', (message) => {
    if (message.text().startsWith('[partner-ramp]'))
      lines.push(`${message.type()}: ${message.text()}`);
  });
});
afterEach(() => page.close());

/** Returns the first message without its type and its link, which the table of mistakes leaves out. */
async function readMistake(): Promise<ShownMessage> {
  await expect.poll(() => lines).not.toEqual([]);
  const text = (lines[0] ?? '').replace(/^error: | https:\S+$/g, '');
  return { text, values: { origin: sandbox.widgetUrl } };
}

const visit = (part: string, props: object, policy = '') =>
  page.goto(
    `${site.origin}/?${new URLSearchParams({ part, props: JSON.stringify(props), policy })}`,
  );
const press = () => page.getByRole('button', { name: 'Buy crypto' }).click();
const docs = 'https://github.com/partner-ramp/react/blob/HEAD/docs/errors.md';

describe('the console of a page in production', () => {
  testMistake(60, async () => {
    await visit('OnRampButton', { amount: '100' });
    await press();
    return readMistake();
  });
  testMistake(61, async () => {
    await visit('OnRampButton', { widgetUrl: sandbox.widgetUrl }, helmetDefault);
    await press();
    return readMistake();
  });
  testMistake(62, async () => {
    await visit('QuotePreview', { api: '/api/ramp' });
    return readMistake();
  });

  it('asks for a reload when the code of the prices cannot be loaded, without "Try again"', async () => {
    const part = /QuoteCard/;
    await page.route(part, (route) => route.abort());
    await visit('QuotePreview', { api: '/api/ramp' });
    await page.locator('.ramp-quote[data-state="error"]').waitFor();
    const note = page.locator('.ramp-quote-note');
    await expect.poll(() => note.innerText()).toBe('Reload the page to retry.');
    await expect
      .poll(() => lines)
      .toEqual([
        `error: [partner-ramp] ERR_NETWORK: Reload the page to retry. ${docs}#err_network`,
      ]);
    await page.unroute(part);
    await page.reload();
    // The package is not installed, so a retry cannot help either.
    await expect.poll(() => note.innerText()).toBe('The price could not be loaded.');
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  it('names a missing widgetUrl once, however often the shopper tries', async () => {
    await visit('OnRampButton', { amount: '100' });
    await press();
    await page.getByRole('alert').waitFor();
    await press();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => lines).toHaveLength(1);
    expect(lines).toEqual([
      `error: [partner-ramp] ERR_CONFIG_INVALID: widgetUrl is missing: pass it to RampProvider or to the component. ${docs}#err_config_invalid`,
    ]);
  });

  it('names frame-src when the policy of helmet refuses the frame, which stays explained to the shopper', async () => {
    await visit('OnRampButton', { widgetUrl: sandbox.widgetUrl, amount: '100' }, helmetDefault);
    await press();
    await page.getByText('Still not loading? Open it in a new window.').waitFor();
    await expect
      .poll(() => lines)
      .toEqual([
        `error: [partner-ramp] ERR_WIDGET_LOAD: The page's Content-Security-Policy refuses the checkout: add "frame-src ${sandbox.widgetUrl}". ${docs}#err_widget_load`,
      ]);
  });

  it('stays silent when the policy allows the frame', async () => {
    const policy = `${helmetDefault};frame-src ${sandbox.widgetUrl}`;
    await visit('OnRampButton', { widgetUrl: sandbox.widgetUrl, amount: '100' }, policy);
    await press();
    await page.locator('dialog[data-state="ready"]').waitFor();
    expect(lines).toEqual([]);
  });

  it('names a backend that is missing, for a button and for the state of an order', async () => {
    await visit('OnRampButton', { widgetUrl: sandbox.widgetUrl, api: '/api/ramp' });
    await press();
    await expect
      .poll(() => lines)
      .toEqual([
        `error: [partner-ramp] ERR_SIGNER: /api/ramp/checkouts returned 404, not from a ramp handler. ${docs}#err_signer`,
      ]);
    lines = [];
    await visit('CheckoutStatus', { reference: 'r1' });
    await expect
      .poll(() => lines)
      .toEqual([
        `error: [partner-ramp] ERR_CONFIG_INVALID: api is missing: pass the path of your ramp handler to RampProvider, or to the component or hook. ${docs}#err_config_invalid`,
      ]);
  });

  it('names a login check that redirects the request to a page', async () => {
    await visit('OnRampButton', { widgetUrl: sandbox.widgetUrl, api: '/signed-out' });
    await press();
    await expect
      .poll(() => lines)
      .toEqual([
        `error: [partner-ramp] ERR_SIGNER: /signed-out/checkouts returned 200, not from a ramp handler. ${docs}#err_signer`,
      ]);
  });
});
