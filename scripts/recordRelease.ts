import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { chromium, type Frame, type Page } from 'playwright';
import { contextOptions, launchOptions } from '../test/support/browser/launchOptions.js';
import { payInWidget } from '../test/support/browser/payInWidget.js';
import { buildPageScript } from '../test/support/demo/buildPageScript.js';
import { startSite } from '../test/support/demo/startSite.js';
import { root } from '../test/support/root.js';
import { mintListing } from '../test/support/sandbox/nftListings.js';
import type { RecordedExchange, Recording } from '../test/support/server/earlierRelease.js';

/** The last commit whose pages send no selection, and whose handler refuses fields that it does not know. */
const COMMIT = '56c6fc1d';

const script = `
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import {
  CheckoutHistory, CheckoutInProgress, CheckoutStatus, NftCheckout, OnRampButton, QuotePreview, RampProvider,
} from '@partner-ramp/react';
const settings = { widgetUrl: window.widgetUrl, api: '/api/ramp' };
const start = { amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' };
const shop = [
  h(QuotePreview, { key: 'q', defaultValue: start }, h(OnRampButton, { language: 'en' })),
  h(NftCheckout, { key: 'n', merchantUniqueId: 'print' }, 'Buy the print'),
  h(CheckoutStatus, { key: 's' }),
];
const orders = [h(CheckoutInProgress, { key: 'p' }), h(CheckoutHistory, { key: 'h' })];
createRoot(document.body.appendChild(document.createElement('main'))).render(
  h(RampProvider, settings, location.pathname === '/orders' ? orders : shop),
);
`;

/**
 * Records what the page and the handler of an earlier commit send each other in a journey of a shopper, and how that
 * handler responds to requests of later pages. Tests play both parts: the page against this handler, and this page
 * against the responses.
 */
export async function recordRelease(commit = COMMIT): Promise<void> {
  const dist = buildRelease(commit);
  const sandbox = await startSandbox({ stepMs: 300 });
  const browser = await chromium.launch(launchOptions);
  const exchanges: RecordedExchange[] = [];
  const shop = await startShop(dist, sandbox, (exchange) => exchanges.push(exchange));
  try {
    const context = await browser.newContext(contextOptions);
    await shopAround(await context.newPage(), shop.origin);
    await sendLaterRequests(shop.origin, exchanges);
  } finally {
    await browser.close();
    await shop.close();
    await sandbox.close();
  }
  const recording: Recording = { commit, exchanges: tidy(exchanges) };
  const text = `${JSON.stringify(recording, null, 2)}\n`;
  writeFileSync(join(root, 'test/vectors/earlierRelease.json'), text);
}

/** Builds the package of a commit with the dependencies of this one, and returns its folder. */
function buildRelease(commit: string): string {
  const folder = join(root, 'node_modules/.cache/releases', `${commit}-package`);
  const dist = join(folder, 'dist');
  if (existsSync(join(dist, 'server/index.js'))) return dist;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const parts = ['src', 'scripts', 'package.json', 'tsconfig.json', 'vite.config.ts'];
  const archive = execFileSync('git', ['archive', commit, ...parts], {
    cwd: root,
    maxBuffer: 2 ** 28,
  });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'ignore',
  });
  return dist;
}

/** Starts a shop with the page and the handler of a build, and records what they send each other. */
async function startShop(
  dist: string,
  sandbox: Sandbox,
  record: (exchange: RecordedExchange) => void,
) {
  // Use `require`, because Vite would handle an import() itself.
  const server: typeof import('@partner-ramp/react/server') = createRequire(import.meta.url)(
    join(dist, 'server/index.js'),
  );
  const alias = { '@partner-ramp/react': join(dist, 'index.js') };
  const code = (await buildPageScript(script, { resolve: { alias } })).replaceAll(
    '</script',
    '<\\/script',
  );
  const start = `window.widgetUrl = ${JSON.stringify(sandbox.widgetUrl)}`;
  const html = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><body><script>${start}</script><script>${code}</script>`;
  const store = server.memoryOrderStore();
  const api = server.createPartnerApi({ ...sandbox, privateKey: sandbox.apiPrivateKey });
  const tracker = server.createOrderTracker({ api, store, pollSeconds: 1, onOrderChange: null });
  tracker.start();
  const site = await startSite((origin) => {
    const handler = server.createRampHandler({
      signer: server.createWidgetSigner(sandbox),
      api,
      store,
      tracker,
      allowedOrigins: [origin],
      getSubject: () => 'u1',
      policy: ({ widget, proposal }) => {
        if (widget === 'nft' && proposal.merchantUniqueId === 'sold')
          throw new server.RampError('ERR_POLICY_REFUSED', 'This print has been sold.');
        const walletAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
        const params =
          widget === 'nft' ? mintListing : { walletAddress, walletAddressLocked: '1' as const };
        return { params, subject: 'u1' };
      },
    });
    return async (request) => {
      if (!new URL(request.url).pathname.startsWith('/api/ramp'))
        return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
      const sent = request.clone();
      const response = await handler(request);
      return recordExchange(sent, response, record);
    };
  });
  const close = async () => {
    await site.close();
    await tracker.stop();
  };
  return { origin: site.origin, close };
}

/** The headers that decide how a response is read, or a request is answered. */
const HEADERS =
  /^(?:accept|content-type|if-none-match|last-event-id|etag|allow|retry-after|x-later)$/;

const pickHeaders = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name, value]) => HEADERS.test(name) && value !== '*/*'));

/** Records an exchange when the response has ended, and returns the response for the page. */
async function recordExchange(
  request: Request,
  response: Response,
  record: (exchange: RecordedExchange) => void,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const text = await request.text();
  const exchange = (body: string): RecordedExchange => ({
    request: {
      method: request.method,
      path: pathname.replace('/api/ramp', '') + search,
      headers: pickHeaders(request.headers),
      ...(text && { body: JSON.parse(text) }),
    },
    response: {
      status: response.status,
      headers: pickHeaders(response.headers),
      body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(body) : body,
    },
  });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    record(exchange(await response.clone().text()));
    return response;
  }
  // A stream ends when the page leaves it.
  const decoder = new TextDecoder();
  let events = '';
  let isRecorded = false;
  const end = () => {
    if (!isRecorded) record(exchange(events));
    isRecorded = true;
  };
  const reader = response.body?.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
      if (value) events += decoder.decode(value, { stream: true });
      if (value) controller.enqueue(value);
      if (!done) return;
      end();
      controller.close();
    },
    async cancel(reason) {
      end();
      await reader?.cancel(reason);
    },
  });
  return new Response(body, response);
}

/** Buys, closes the dialog, continues, pays, opens the checkout of an NFT, and looks at the list of orders. */
async function shopAround(page: Page, origin: string): Promise<void> {
  const close = async () => {
    await page.getByRole('button', { name: 'Close the checkout' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
  };
  await page.goto(origin);
  await page.getByRole('button', { name: /^Buy [\d.]+ USDT$/ }).click();
  await findWidget(page);
  await close();
  await page.getByRole('button', { name: 'Continue checkout' }).click();
  await payInWidget(await findWidget(page));
  await close();
  await page.locator('.ramp-status[data-state="finished"]').waitFor();
  await page.getByRole('button', { name: 'Buy the print' }).click();
  await findWidget(page);
  await close();
  await page.goto(`${origin}/orders`);
  await page.getByText('Delivered').first().waitFor();
  await page.goto('about:blank');
}

async function findWidget(page: Page): Promise<Frame> {
  const frame = await (await page.waitForSelector('dialog iframe')).contentFrame();
  if (!frame) throw new Error('The dialog has no frame.');
  await frame.locator('main[data-state="form"]').waitFor();
  return frame;
}

/** Sends what pages of a later release send, and what a handler always refuses. */
async function sendLaterRequests(
  origin: string,
  exchanges: readonly RecordedExchange[],
): Promise<void> {
  const send = (method: string, path: string, body?: object, headers: object = {}) =>
    fetch(`${origin}/api/ramp${path}`, {
      method,
      headers: { Origin: origin, 'X-Later': '1', ...headers, ...(body && json) },
      ...(body && { body: JSON.stringify(body) }),
    }).then((response) => response.text());
  const json = { 'Content-Type': 'application/json' };
  const reference = exchanges.find(({ response }) => response.status === 201)?.response.body as {
    reference: string;
  };
  const state = `/checkouts/${reference.reference}`;
  const selection = { cryptoCurrency: 'BTC', defaultCurrency: 'BTC' };
  await send('POST', '/checkouts', { widget: 'on-ramp', params: {}, selection });
  const nft = { widget: 'nft', params: { merchantUniqueId: 'print' } };
  await send('POST', '/checkouts', { ...nft, selection: { fiatCurrency: 'EUR' } });
  await send('POST', '/checkouts', { widget: 'on-ramp', params: {} });
  await send('POST', '/checkouts', { widget: 'nft', params: { merchantUniqueId: 'sold' } });
  await send('POST', '/checkouts', { widget: 'on-ramp', params: { walletAddressLocked: '7' } });
  await send('GET', state, undefined, { 'If-None-Match': '"a tag"' });
  await send('GET', '/checkouts/AAAAAAAAAAAAAAAAAAAAAA');
  await send('GET', '/a-route-of-a-later-release');
}

/** Shortens the recording: readable references, no ports, and each exchange once. */
function tidy(exchanges: readonly RecordedExchange[]): RecordedExchange[] {
  let text = JSON.stringify(exchanges).replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://pay.example');
  const references = new Set(
    exchanges.flatMap(({ response: { body } }) => (body as { reference?: string }).reference ?? []),
  );
  for (const [i, reference] of [...references].entries())
    text = text.replaceAll(reference, `reference-of-checkout-${i + 1}`);
  const seen = new Set<string>();
  return (JSON.parse(text) as RecordedExchange[]).filter((exchange) => {
    const known = JSON.stringify(exchange).replace(/"ageSeconds":\d+/g, '');
    return !seen.has(known) && seen.add(known);
  });
}
