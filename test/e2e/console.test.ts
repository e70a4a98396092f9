import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { beforeAll, expect, it } from 'vitest';
import { contextOptions, launchOptions } from '../support/browser/launchOptions.js';
import { listAxeViolations } from '../support/browser/listAxeViolations.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { startSite } from '../support/demo/startSite.js';
import { apiPath, createApiClient } from '../support/sandbox/createApiClient.js';
import { createSandboxClient } from '../support/sandbox/createSandboxClient.js';
import { wallet } from '../support/sandbox/signQuery.js';
import { startWebhookReceiver } from '../support/sandbox/startWebhookReceiver.js';

// A name that its owner has rebound to loopback, as in a DNS rebinding attack.
const rebound = '--host-resolver-rules=MAP rebound.example 127.0.0.1';
const chrome = setUpBrowser({ args: [...(launchOptions.args ?? []), rebound] });
let sandbox: Sandbox;

beforeAll(async () => {
  const backend = chrome.closeLater(await startWebhookReceiver());
  sandbox = chrome.closeLater(
    await startSandbox({ consolePort: 0, stepMs: 3_600_000, webhookUrl: backend.url, log() {} }),
  );
  const client = createSandboxClient(sandbox, Date.now);
  const api = createApiClient(sandbox, Date.now);
  const session = await client.open({ ext: 'order 7/ä' });
  const terms = { fiatCurrency: 'USD', cryptoCurrencyCode: 'ETH', email: 'ann@shop.example' };
  for (const currencyAmount of ['50', '120'])
    await client.post('/home/orders', { session, ...terms, currencyAmount, walletAddress: wallet });
  await api.call(apiPath('currency', {}));
  const path = apiPath('order', { startTime: '1', endTime: '1986217096' });
  await api.send(path, { headers: Object.entries(api.signed(path.replace('?', '/?'))).flat() });
  await client.call(`${client.signedUrl()}&ext=<img src=x onerror=alert(1)>`);
  await client.call(client.signedUrl({ ext: 'order 7' }).replace('%3D', ''));
});

const open = async (colorScheme: 'light' | 'dark' = 'light', width = 1280) => {
  const options = { ...contextOptions, colorScheme, viewport: { width, height: 900 } };
  const page = await (await chrome.browser.newContext(options)).newPage();
  await page.goto(sandbox.consoleUrl ?? '');
  await page.getByText('messages, 3 refused').waitFor();
  return page;
};

it('names the mistake of a message, by keyboard', async () => {
  const page = await open();
  const entries = page.getByRole('list', { name: 'Messages, newest first' }).getByRole('button');
  await entries.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByText('The = at the end of the signature is missing').waitFor();
  expect(await entries.first().getAttribute('aria-pressed')).toBe('true');
  await page.getByRole('checkbox', { name: 'Only refused' }).check();
  expect(await entries.filter({ visible: true }).count()).toBe(3);
  await page.context().close();
});

it('marks the differences between the text to sign and the signed text', async () => {
  const page = await open();
  await page.getByRole('button', { name: /refused.*\/onramp\/order/ }).click();
  await page.getByText('The path was signed with a slash at its end.').waitFor();
  expect(await page.locator('mark.extra').first().textContent()).toContain(
    '/open/api/onramp/order/',
  );
  await page.context().close();
});

it('moves an order, and keeps the focus', async () => {
  const page = await open();
  const order = page.getByRole('listitem').filter({ hasText: '120.00 USD' });
  await order.getByRole('button', { name: 'Finish' }).click();
  await order.getByText('finished').waitFor();
  await order.getByRole('button', { name: 'Resend, signed anew' }).waitFor();
  await page.getByText(/messages, 3 refused/).waitFor();
  await page.context().close();
});

it('switches a fault', async () => {
  const page = await open();
  await page.getByLabel('Webhooks').selectOption('lost');
  await expect.poll(() => sandbox.faults.webhookFault).toBe('lost');
  await page.getByLabel('codeAsText').check();
  await expect.poll(() => sandbox.faults.quirks.codeAsText).toBe(true);
  await page.context().close();
});

it('is neither read nor changed by a page of another origin', async () => {
  const site = chrome.closeLater(
    await startSite(
      () => () => new Response('<p>evil</p>', { headers: { 'Content-Type': 'text/html' } }),
    ),
  );
  const page = await chrome.browser.newPage();
  await page.goto(site.origin);
  const before = JSON.stringify(sandbox.faults);
  const results = await page.evaluate(async (url) => {
    const attempt = (path: string, init: RequestInit) =>
      fetch(url + path, init).then(
        async (response) => `${response.type} ${(await response.text()).length}`,
        () => 'failed',
      );
    const body = '{"apiFault":"timeout"}';
    const frame = document.createElement('iframe');
    frame.src = url;
    document.body.append(frame);
    await new Promise((resolve) => frame.addEventListener('load', resolve));
    return [
      await attempt('/', {}),
      await attempt('/api/state', { headers: { 'X-Console-Token': 'x' } }),
      await attempt('/', { mode: 'no-cors' }),
      await attempt('/api/faults', {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json' },
      }),
      await attempt('/api/faults', { method: 'POST', body, mode: 'no-cors' }),
    ];
  }, sandbox.consoleUrl ?? '');
  expect(results).toEqual(results.map(() => 'failed'));
  expect(page.frames().some((frame) => frame.url().startsWith(sandbox.consoleUrl ?? ''))).toBe(
    false,
  );
  expect(JSON.stringify(sandbox.faults)).toBe(before);
  await page.close();
});

it('is neither read nor changed through a rebound name', async () => {
  const { port } = new URL(sandbox.consoleUrl ?? '');
  const page = await chrome.browser.newPage();
  const response = await page.goto(`http://rebound.example:${port}/`);
  expect(response?.status()).toBe(421);
  const statuses = await page.evaluate(async () => {
    const headers = { 'Content-Type': 'application/json', 'X-Console-Token': 'x' };
    const body = '{"apiFault":"timeout"}';
    const read = await fetch('/api/state', { headers });
    const changed = await fetch('/api/faults', { method: 'POST', headers, body });
    return [read.status, changed.status];
  });
  expect(statuses).toEqual([421, 421]);
  await page.close();
});

it.each(['light', 'dark'] as const)(
  'has no axe violation and no sideways scrolling in %s',
  async (scheme) => {
    for (const width of [1280, 390]) {
      const page = await open(scheme, width);
      await page.getByRole('button', { name: /refused.*\/onramp\/order/ }).click();
      await page.locator('mark.extra').first().waitFor();
      if (process.env.PICTURES)
        await page.screenshot({
          path: `${process.env.PICTURES}/console-${scheme}-${width}.png`,
          fullPage: true,
        });
      expect(await listAxeViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.context().close();
    }
  },
);
