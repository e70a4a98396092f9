import type { Frame, Page } from 'playwright';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contextOptions } from '../support/browser/launchOptions.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { buildPageModules } from '../support/shop/buildPageScript.js';
import { type Site, startSite } from '../support/shop/startSite.js';

/** A page with a button. It keeps the events, and each text that the dialog announces. */
const script = `
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { OnRampButton } from '@partner-ramp/react';
window.events = [];
window.announced = [];
new MutationObserver(() => {
  const text = document.querySelector('.ramp-frame-status')?.textContent ?? '';
  if (text !== (announced.at(-1) ?? '')) announced.push(text);
}).observe(document.body, { childList: true, subtree: true, characterData: true });
const widgetUrl = new URLSearchParams(location.search).get('widgetUrl');
const onEvent = ({ type, error }) => events.push(error ? error.code + ' ' + error.message : type);
const main = document.body.appendChild(document.createElement('main'));
createRoot(main).render(h(OnRampButton, { widgetUrl, partnerId: 'shop', amount: '100', onEvent }));
`;

/** How a site responds. */
interface Behaviour {
  headers: Record<string, string>;
  body: string;
  redirectTo?: string | undefined;
}

const widget = '<!doctype html><title>Widget</title><h1>The widget</h1>';
const openWidget = `${widget}<script>parent.postMessage('started', '*')</script>`;
const receipt = `${widget}<a download="receipt.txt" href="data:text/plain,Paid">Receipt</a>`;

const chrome = setUpBrowser();
const shopHeaders: Record<string, string> = {};
let shop: Site;
let service: Site & { behaviour: Behaviour };
let other: Site & { behaviour: Behaviour };
let page: Page;

async function startService(hostname: string) {
  const behaviour: Behaviour = { headers: {}, body: widget };
  const { origin, close } = await startSite(() => ({ url }) => {
    const { body, headers, redirectTo } = behaviour;
    if (redirectTo) return Response.redirect(`${redirectTo}${new URL(url).pathname}`);
    return new Response(body, { headers: { 'Content-Type': 'text/html', ...headers } });
  });
  return chrome.closeLater({ behaviour, origin: origin.replace('127.0.0.1', hostname), close });
}

beforeAll(async () => {
  const modules = await buildPageModules(script);
  service = await startService('127.0.0.1');
  other = await startService('localhost');
  shop = chrome.closeLater(
    await startSite(() => (request) => {
      const code = modules.get(new URL(request.url).pathname);
      const html =
        '<!doctype html><title>Shop</title><body><script type="module" src="/page.js"></script>';
      const type = code ? 'text/javascript' : 'text/html';
      return new Response(code ?? html, { headers: { 'Content-Type': type, ...shopHeaders } });
    }),
  );
});
beforeEach(async () => {
  for (const name of Object.keys(shopHeaders)) delete shopHeaders[name];
  for (const { behaviour } of [service, other])
    Object.assign(behaviour, { headers: {}, body: widget, redirectTo: undefined });
  page = await chrome.browser.newPage(contextOptions);
  page.setDefaultTimeout(10_000);
});
afterEach(() => page.context().close());

/** Opens the checkout, and waits until the frame has loaded the widget or an error page. */
async function openCheckout(): Promise<void> {
  await page.clock.install();
  await page.goto(`${shop.origin}/?widgetUrl=${service.origin}`);
  await page.getByRole('button', { name: 'Buy crypto' }).click();
  await page.locator('dialog:is([data-state="ready"], [data-state="refused"])').waitFor();
}
const events = () => page.evaluate<string[]>('events');
const announced = () => page.evaluate<string[]>('announced');
const wayOut = () => page.locator('.ramp-frame-foot button');

async function getFrame(): Promise<Frame> {
  const frame = await (await page.locator('dialog iframe').elementHandle())?.contentFrame();
  if (!frame) throw new Error('The dialog has no frame.');
  return frame;
}

describe('a frame that the browser refuses, and says so', () => {
  const windowHint = 'or use display="window".';
  it.each([
    {
      by: 'the frame-src of the page',
      shop: () => ({ 'Content-Security-Policy': "frame-src 'none'" }),
      message: (): string =>
        `The page's Content-Security-Policy refuses the checkout: add "frame-src ${service.origin}".`,
    },
    {
      by: 'the frame-src of the page, after a redirect',
      shop: () => ({ 'Content-Security-Policy': `frame-src ${service.origin}` }),
      redirect: true,
      message: (): string =>
        `The page's Content-Security-Policy refuses the checkout: add "frame-src ${other.origin}".`,
    },
    {
      by: 'the embedder policy of the page',
      shop: () => ({ 'Cross-Origin-Embedder-Policy': 'require-corp' }),
      message: (): string =>
        `The page's Cross-Origin-Embedder-Policy refuses the checkout: remove it, ${windowHint}`,
    },
    {
      by: 'the embedder policy of the page, after a redirect',
      shop: () => ({ 'Cross-Origin-Embedder-Policy': 'credentialless' }),
      redirect: true,
      message: (): string =>
        `The page's Cross-Origin-Embedder-Policy refuses the checkout: remove it, ${windowHint}`,
    },
    {
      by: 'the frame-ancestors of the service',
      service: { 'Content-Security-Policy': "frame-ancestors 'none'" },
      message: (): string =>
        `The service refuses to be framed (frame-ancestors): have ${shop.origin} added to its list of domains, ${windowHint}`,
    },
  ])('is reported, and offered in a window: $by', async (refusal) => {
    Object.assign(shopHeaders, refusal.shop?.());
    Object.assign(service.behaviour.headers, refusal.service);
    if (refusal.redirect) service.behaviour.redirectTo = other.origin;
    await openCheckout();
    await page.locator('dialog[data-state="refused"]').waitFor();
    expect(await wayOut().allInnerTexts()).toEqual(['Open in a new window']);
    expect((await announced()).at(-1)).toBe('Still not loading? Open it in a new window.');
    expect(await announced()).not.toContain('The checkout is ready.');
    expect((await events()).filter((event) => event.startsWith('ERR_'))).toEqual([
      `ERR_WIDGET_LOAD ${refusal.message()}`,
    ]);
  });
});

describe('a frame of which the browser says nothing', () => {
  it.each([
    ['the service refuses frames with X-Frame-Options', { 'X-Frame-Options': 'DENY' }],
    ['the widget loads, and sends no message', {}],
  ])('is not announced as ready, and gets the hint: %s', async (_, headers) => {
    Object.assign(service.behaviour.headers, headers);
    await openCheckout();
    await page.clock.fastForward(8000);
    await expect
      .poll(() => wayOut().allInnerTexts())
      .toEqual(['Nothing here? Open it in a new window.']);
    expect(await announced()).toEqual(['Loading the checkout…', '']);
    expect(await events()).toEqual(['opened', 'loaded']);
  });
});

describe('a widget that sends its page a message', () => {
  it.each([
    ['directly', undefined],
    ['after a redirect to another origin', true],
  ])('is announced as ready, and needs no hint: %s', async (_, isRedirected) => {
    if (isRedirected) service.behaviour.redirectTo = other.origin;
    service.behaviour.body = other.behaviour.body = openWidget;
    await openCheckout();
    await page.clock.fastForward(8000);
    expect(await announced()).toEqual(['Loading the checkout…', 'The checkout is ready.']);
    expect(await wayOut().count()).toBe(0);
    expect(await events()).toEqual(['opened', 'loaded']);
  });

  it('is not taken for one when another frame sends the message', async () => {
    await openCheckout();
    await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), {
      srcdoc: "<script>parent.postMessage('started', '*')</script>" }))`);
    await page.frameLocator('iframe[srcdoc]').locator('script').waitFor({ state: 'attached' });
    expect(await announced()).not.toContain('The checkout is ready.');
  });
});

describe('the frame of the widget', () => {
  it.each([
    ['directly', false],
    ['after a redirect to another origin', true],
  ])('may use camera, microphone and payments: %s', async (_, isRedirected) => {
    if (isRedirected) service.behaviour.redirectTo = other.origin;
    await openCheckout();
    const frame = await getFrame();
    expect(new URL(frame.url()).origin).toBe(isRedirected ? other.origin : service.origin);
    const features = ['payment', 'camera', 'microphone', 'clipboard-write'];
    const allowed = `${JSON.stringify(features)}.filter((one) => document.featurePolicy.allowsFeature(one))`;
    expect(await frame.evaluate(allowed)).toEqual(features);
  });

  it('can save a receipt', async () => {
    service.behaviour.body = receipt;
    await openCheckout();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.frameLocator('dialog iframe').getByRole('link', { name: 'Receipt' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('receipt.txt');
  });
});
