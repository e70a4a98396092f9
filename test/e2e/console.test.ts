import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import type { Page } from 'playwright';
import { beforeAll, expect, it } from 'vitest';
import { contextOptions, launchOptions } from '../support/browser/launchOptions.js';
import { listAxeViolations } from '../support/browser/listAxeViolations.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { apiPath, createApiClient } from '../support/sandbox/createApiClient.js';
import { createSandboxClient } from '../support/sandbox/createSandboxClient.js';
import { wallet } from '../support/sandbox/signQuery.js';
import { startWebhookReceiver } from '../support/sandbox/startWebhookReceiver.js';
import { startSite } from '../support/shop/startSite.js';

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
  await buy(client, '50', '120');
  await api.call(apiPath('currency', {}));
  const path = apiPath('order', { startTime: '1', endTime: '1986217096' });
  await api.send(path, { headers: Object.entries(api.signed(path.replace('?', '/?'))).flat() });
  await client.call(client.signedUrl({ ext: 'order 8' }).replace('order%208', 'order%209'));
  await client.call(`${client.signedUrl()}&ext=<img src=x onerror=alert(1)>`);
  await client.call(client.signedUrl({ ext: 'order 7' }).replace('%3D', ''));
});

async function buy(client: ReturnType<typeof createSandboxClient>, ...amounts: string[]) {
  const session = await client.open({ ext: 'order 7/ä' });
  const terms = { fiatCurrency: 'USD', cryptoCurrencyCode: 'ETH', email: 'ann@shop.example' };
  for (const currencyAmount of amounts)
    await client.post('/home/orders', { session, ...terms, currencyAmount, walletAddress: wallet });
}

const open = async (colorScheme: 'light' | 'dark' = 'light', width = 1280) => {
  const options = { ...contextOptions, colorScheme, viewport: { width, height: 900 } };
  const page = await (await chrome.browser.newContext(options)).newPage();
  await page.goto(sandbox.consoleUrl ?? '');
  await page.getByText('messages, 4 refused').waitFor();
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
  expect(await entries.filter({ visible: true }).count()).toBe(4);
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

/** Selects the widget URL whose mistake is unknown, and pastes a text, by keyboard alone. */
async function compare(page: Page, change: (text: string) => string) {
  await page
    .getByRole('button', { name: /refused.*On-ramp widget/ })
    .last()
    .focus();
  await page.keyboard.press('Enter');
  const field = page.getByLabel('Paste the text that your signer signed');
  await field.waitFor();
  const text = await page.getByRole('group', { name: 'Signed text' }).first().textContent();
  await field.focus();
  await page.keyboard.insertText(change(text ?? ''));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  return page.getByRole('status').filter({ hasText: /difference|should be signed/ });
}

it('shows the first difference to the text of the signer, by keyboard', async () => {
  const page = await open();
  const result = await compare(page, (text) => text.replace('nonce=', 'nonce= '));
  await result.getByText('The first difference').waitFor();
  const words = await result.textContent();
  expect(words).toMatch(/Character \d+: expected “\d” \(U\+003\d\), found a space \(U\+0020\)\./);
  expect(await result.locator('mark.missing').textContent()).toMatch(/^\d$/);
  expect(await result.locator('mark.extra').textContent()).toBe('␣');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
    'Show the first difference',
  );
  await page.context().close();
});

it('says that the text of the signer is right', async () => {
  const page = await open();
  const result = await compare(page, (text) => text);
  await result.getByText('The text is the one that should be signed.').waitFor();
  expect(await result.locator('mark').count()).toBe(0);
  await page.context().close();
});

it('compares the text that a backend verified, if it refused a right webhook', async () => {
  const site = chrome.closeLater(await startSite(() => () => new Response(null, { status: 401 })));
  const options = { consolePort: 0, stepMs: 3_600_000, log() {} };
  const refused = chrome.closeLater(
    await startSandbox({ ...options, webhookUrl: `${site.origin}/webhook` }),
  );
  await buy(createSandboxClient(refused, Date.now), '50');
  const page = await (await chrome.browser.newContext(contextOptions)).newPage();
  await page.goto(refused.consoleUrl ?? '');
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByRole('button', { name: /refused.*POST \/webhook/ }).click();
  const text = await page.getByRole('group', { name: 'Signed text' }).textContent();
  const verified = text?.replace('/webhook?', '/webhook/?') ?? '';
  await page.getByLabel('Paste the text that your backend verified').fill(verified);
  await page.getByRole('button', { name: 'Show the first difference' }).click();
  await page.getByText('expected “?” (U+003F), found “/” (U+002F).').waitFor();
  await page.getByText('The path was signed with a slash at its end.').waitFor();
  await page.context().close();
});

it('moves an order, and keeps the focus', async () => {
  const page = await open();
  const order = page.getByRole('listitem').filter({ hasText: '120.00 USD' });
  await order.getByRole('button', { name: 'Finish' }).click();
  await order.getByText('finished').waitFor();
  await order.getByRole('button', { name: 'Resend, signed anew' }).waitFor();
  await page.getByText(/messages, 4 refused/).waitFor();
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
      const result = await compare(page, (text) => text.replace('nonce=', 'Nonce='));
      await result.getByText('The first difference').waitFor();
      if (process.env.PICTURES)
        await page.screenshot({
          path: `${process.env.PICTURES}/console-compare-${scheme}-${width}.png`,
          fullPage: true,
        });
      expect(await listAxeViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
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
