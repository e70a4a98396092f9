import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import type { BrowserContext, Frame, Page } from 'playwright';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contextOptions } from '../support/browser/launchOptions.js';
import { getWidgetState } from '../support/browser/payInWidget.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { root } from '../support/root.js';
import { buildPageModules } from '../support/shop/buildPageScript.js';
import { sandboxBackend } from '../support/shop/sandboxBackend.js';
import { type Site, startSite } from '../support/shop/startSite.js';
import { parseDocumentedHeaders } from './parseDocumentedHeaders.js';
import { StrictShop } from './strict-shop/StrictShop.js';

const entry = `import { hydrateStrictShop } from './test/e2e/strict-shop/hydrateStrictShop.tsx';
hydrateStrictShop();`;
const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';

const chrome = setUpBrowser();
let sandbox: Sandbox;
let site: Site;
let context: BrowserContext;
let page: Page;
/** The policy violations, errors and warnings of all pages. */
let reported: string[];

beforeAll(async () => {
  sandbox = chrome.closeLater(await startSandbox());
  const headers = parseDocumentedHeaders({
    'https://pay.example': new URL(sandbox.widgetUrl).origin,
    'https://api.example': new URL(sandbox.baseUrl).origin,
  });
  const modules = await buildPageModules(entry);
  const styles = readFileSync(join(root, 'dist/styles.css'), 'utf8');
  const html = renderToString(createElement(StrictShop, { widgetUrl: sandbox.widgetUrl }));
  const started = await startSite((origin) => {
    // The page follows a checkout that was opened with the link.
    const { handler } = sandboxBackend(sandbox, origin);
    const as = (type: string, body: string) =>
      new Response(body, { headers: { 'Content-Type': type } });
    return async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/api/ramp/')) return handler(request);
      const script = modules.get(pathname);
      if (script) return as('text/javascript', script);
      if (pathname === '/styles.css') return as('text/css', styles);
      if (pathname === '/survey.svg') return as('image/svg+xml', picture);
      if (pathname !== '/') return new Response(null, { status: 204 });
      const answer = as('text/html; charset=utf-8', `<!doctype html>${html}`);
      for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
      return answer;
    };
  });
  site = chrome.closeLater(started);
});
beforeEach(async () => {
  reported = [];
  context = await chrome.browser.newContext(contextOptions);
  await context.exposeFunction('report', (what: string) => reported.push(what));
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    report(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample))`);
  context.on('console', (message) => {
    if (/error|warning/.test(message.type())) reported.push(message.text());
  });
  context.on('weberror', (error) => reported.push(`${error.error()}`));
  page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(site.origin);
});
afterEach(() => context.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const frame = async (): Promise<Frame> => {
  const found = await (await page.locator('iframe').elementHandle())?.contentFrame();
  if (!found) throw new Error('The page has no frame.');
  return found;
};
const close = () => page.getByRole('button', { name: 'Close the checkout' }).click();

describe('a page with the headers of docs/security.md', () => {
  it('reports a violation of its policy', async () => {
    await page.evaluate(() => document.body.setAttribute('style', 'color: red'));
    await page
      .evaluate(() => {
        document.body.innerHTML = '';
      })
      .catch(() => {});
    for (const directive of ['style-src-attr', 'require-trusted-types-for'])
      await expect.poll(() => reported.join()).toContain(directive);
  });

  it.each(['modal', 'inline'])(
    'shows a checkout %s, whose frame has the permissions of the policy',
    async (display) => {
      await button(display).click();
      const widget = await frame();
      expect(await getWidgetState(widget)).toBe('form');
      const allowed = (feature: string) =>
        widget.evaluate(`document.featurePolicy.allowsFeature('${feature}')`);
      for (const feature of ['payment', 'camera', 'microphone', 'clipboard-write'])
        expect([feature, await allowed(feature)]).toEqual([feature, true]);
      expect(await allowed('geolocation')).toBe(false);
      expect(await widget.evaluate('document.referrer')).toBe(`${site.origin}/`);
      await close();
      await page.locator('iframe').waitFor({ state: 'detached' });
      expect(reported).toEqual([]);
    },
  );

  it('opens a checkout in a separate window, and detects its closing', async () => {
    const [popup] = await Promise.all([page.waitForEvent('popup'), button('window').click()]);
    await popup.waitForURL(`${sandbox.widgetUrl}/home?**`);
    expect(await getWidgetState(popup.mainFrame())).toBe('form');
    expect(await popup.evaluate('document.referrer')).toBe(`${site.origin}/`);
    const state = () => button('window').getAttribute('data-state');
    expect(await state()).toBe('open');
    await popup.close();
    await expect.poll(state).toBe('idle');
    expect(reported).toEqual([]);
  });

  it('redirects to the checkout', async () => {
    await button('redirect').click();
    await page.waitForURL(`${sandbox.widgetUrl}/home?**`);
    expect(await getWidgetState(page.mainFrame())).toBe('form');
    expect(await page.evaluate('document.referrer')).toBe(`${site.origin}/`);
    expect(reported).toEqual([]);
  });

  it('shows prices with their icons, and an NFT', async () => {
    await page.locator('.ramp-quote[data-state="success"]').waitFor();
    await page.getByRole('button', { name: /^USDT.*change/ }).click();
    const loaded = () =>
      page
        .locator('.ramp-quote-list img')
        .evaluateAll((all) => all.filter((img) => (img as HTMLImageElement).naturalWidth).length);
    await expect.poll(loaded).toBeGreaterThan(5);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Increase' }).click();
    await button('Mint 2 for 0.1 ETH').click();
    expect(await getWidgetState(await frame())).toBe('form');
    expect(reported).toEqual([]);
  });
});
