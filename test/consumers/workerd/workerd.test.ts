import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../../scripts/ports.mjs';
import type { ChildServer } from '../../support/demo/startChild.js';
import { createExampleEnvironment } from '../../support/packaging/startExample.js';
import { createSandboxClient } from '../../support/sandbox/createSandboxClient.js';
import { startWorkerd } from './startWorkerd.js';

/** npm has one package of workerd for each platform. Only the package for Linux on x64 is installed. */
const hasRuntime = process.platform === 'linux' && process.arch === 'x64';
const isWanted = process.env.CONSUMERS === 'all';
const reason = isWanted
  ? 'workerd is installed for Linux on x64'
  : 'npm run test:consumers runs it';

describe.runIf(hasRuntime && isWanted)(`the handler in workerd (${reason})`, () => {
  let url: string;
  let sandbox: Sandbox;
  let server: ChildServer;

  beforeAll(async () => {
    url = `http://127.0.0.1:${await findFreePort()}`;
    sandbox = await startSandbox({ stepMs: 0, webhookUrl: `${url}/api/ramp/webhook` });
    server = await startWorkerd(url, createExampleEnvironment(sandbox, url));
  });
  afterAll(async () => {
    await server?.close();
    await sandbox?.close();
  });

  async function openCheckout() {
    const response = await fetch(`${url}/api/ramp/checkouts`, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/json' },
      body: '{"widget":"on-ramp","params":{}}',
    });
    expect(response.status).toBe(201);
    return response.json();
  }

  /** Completes a purchase in the sandbox's widget with the signed parameters of a checkout. */
  async function pay(params: Record<string, string>): Promise<void> {
    const client = createSandboxClient(sandbox, Date.now);
    const query = new URLSearchParams(params);
    const { session } = await client.data(`${sandbox.widgetUrl}/home?${query}`);
    const choice = { fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'ETH' };
    await client.post('/home/quote', { session, ...choice });
    const order = { session, ...choice, email: 'shopper@example.com' };
    expect((await client.post('/home/orders', order)).status).toBe(201);
  }

  it('signs a checkout that the service accepts', async () => {
    const { params } = await openCheckout();
    const query = new URLSearchParams(params);
    const response = await fetch(`${sandbox.widgetUrl}/home?${query}`);
    expect(response.status).toBe(200);
  });

  it('returns a quote of the service, also to concurrent requests', async () => {
    const getQuote = async (amount: string) => {
      const query = `fiatCurrency=USD&currencyAmount=${amount}&cryptoCurrencyCode=USDT_ERC20`;
      const response = await fetch(`${url}/api/ramp/quote?${query}`);
      return { status: response.status, ...(await response.json()) };
    };
    const same = await Promise.all(['100', '100', '100', '100'].map(getQuote));
    for (const { status, quote } of [...same, await getQuote('100'), await getQuote('250')]) {
      expect(status).toBe(200);
      expect(quote.cryptoCurrencyAmount).toMatch(/^\d+\.\d+$/);
    }
  });

  it('verifies a webhook, reads the order and returns the new state', async () => {
    const checkout = await openCheckout();
    const state = `${url}/api/ramp/checkouts/${checkout.reference}`;
    expect(await (await fetch(state)).json()).toMatchObject({ progress: 'waiting' });
    await pay(checkout.params);
    await expect
      .poll(async () => (await (await fetch(state)).json()).progress, { timeout: 10_000 })
      .toBe('finished');
    // The only report is that a memory store is used in production.
    expect(server.logs().match(/\[partner-ramp\].*/g)).toEqual([
      expect.stringContaining('has a memoryOrderStore()'),
    ]);
  });

  it('refuses event streams with 429 and asks pages to poll, because workerd cannot release streams', async () => {
    const { reference } = await openCheckout();
    for (let i = 0; i < 8; i++) {
      const response = await fetch(`${url}/api/ramp/checkouts/${reference}/events`);
      expect(response.status).toBe(429);
      expect((await response.json()).error.message).toContain('Poll the checkout with GET');
    }
    expect((await fetch(`${url}/api/ramp/checkouts/${reference}`)).status).toBe(200);
  });

  it('refuses a webhook with a wrong signature', async () => {
    const response = await fetch(`${url}/api/ramp/webhook`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-fp-version': 'v1.0',
        'x-fp-timestamp': `${Math.floor(Date.now() / 1000)}`,
        'x-fp-nonce': '123456',
        'x-fp-partner-id': sandbox.partnerId,
        'x-fp-signature': Buffer.alloc(256).toString('base64'),
      },
      body: '{"orderId":"o1","orderStatus":3}',
    });
    expect(response.status).toBe(401);
  });
});
