import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeFaults } from '../../src/sandbox/faults.js';
import { type ApiFault, type Sandbox, startSandbox } from '../../src/sandbox/index.js';
import { createPartnerApi } from '../../src/server/index.js';
import { createApiClient } from '../support/sandbox/createApiClient.js';
import { createSandboxClient } from '../support/sandbox/createSandboxClient.js';
import { wallet } from '../support/sandbox/signQuery.js';
import { startWebhookReceiver } from '../support/sandbox/startWebhookReceiver.js';

vi.mock(
  '../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../support/sandbox/fakeWidgetFiles.js'),
);

let backend: Awaited<ReturnType<typeof startWebhookReceiver>>;
let sandbox: Sandbox;
beforeAll(async () => {
  backend = await startWebhookReceiver();
  sandbox = await startSandbox({ stepMs: 0, webhookUrl: backend.url, seed: 'faults' });
});
beforeEach(() => {
  changeFaults(sandbox.faults, {
    latencyMs: 0,
    apiFault: null,
    webhookFault: null,
    faultRate: 1,
    quirks: null,
  });
  backend.received.length = 0;
});
afterAll(async () => {
  await sandbox.close();
  await backend.close();
});

/** Reads the currencies with the API client. Returns the outcome as a word. */
const readCurrencies = (timeoutMs = 30_000) =>
  createPartnerApi({
    ...{ baseUrl: sandbox.baseUrl, partnerId: sandbox.partnerId },
    privateKey: sandbox.apiPrivateKey,
    timeoutMs,
    maxTries: 1,
  })
    .fiatCurrencies()
    .then(
      () => 'success',
      ({ code, apiCode }) => [code, apiCode].filter(Boolean).join(' '),
    );

async function buy(): Promise<void> {
  const client = createSandboxClient(sandbox, Date.now);
  const { status } = await client.post('/home/orders', {
    session: await client.open(),
    fiatCurrency: 'USD',
    currencyAmount: '50',
    cryptoCurrencyCode: 'ETH',
    email: 'ann@shop.example',
    walletAddress: wallet,
  });
  expect(status).toBe(201);
}

describe('apiFault', () => {
  it.each<[ApiFault, string, number?]>([
    ['timeout', 'ERR_TIMEOUT', 300],
    ['slow', 'ERR_TIMEOUT', 300],
    ['http-500', 'ERR_RESPONSE_INVALID'],
    ['error', 'ERR_API_RESPONSE 10500'],
  ])('%s ends in %s, until it is switched off', async (fault, outcome, timeoutMs) => {
    sandbox.faults.apiFault = fault;
    expect(await readCurrencies(timeoutMs)).toBe(outcome);
    sandbox.faults.apiFault = undefined;
    expect(await readCurrencies()).toBe('success');
  });

  it('slow succeeds for a client that waits', async () => {
    sandbox.faults.apiFault = 'slow';
    expect(await readCurrencies()).toBe('success');
  });

  it('leaves the widget as it is', async () => {
    sandbox.faults.apiFault = 'http-500';
    expect(await createSandboxClient(sandbox, Date.now).open()).toMatch(/^[0-9a-f]{32}$/);
  });

  it('timeout does not keep the sandbox from closing', async () => {
    const other = await startSandbox({ apiFault: 'timeout' });
    const pending = createApiClient(other, Date.now).get('currency');
    const failed = expect(pending).rejects.toThrow();
    await delay(200);
    await other.close();
    await failed;
  });
});

describe('faultRate', () => {
  it('decides by the seed which requests have the fault', async () => {
    const runs: string[] = [];
    for (const seed of ['one', 'one', 'another']) {
      const other = await startSandbox({ seed, apiFault: 'error', faultRate: 0.5 });
      const client = createApiClient(other, Date.now);
      const codes: string[] = [];
      for (let count = 0; count < 40; count += 1)
        codes.push((await client.get('currency')).json.code);
      await other.close();
      expect(new Set(codes)).toEqual(new Set(['10000', '10500']));
      runs.push(codes.join(' '));
    }
    expect(runs[1]).toBe(runs[0]);
    expect(runs[2]).not.toBe(runs[0]);
  });

  it('0 is no fault', async () => {
    Object.assign(sandbox.faults, { apiFault: 'error', faultRate: 0 });
    expect(await readCurrencies()).toBe('success');
  });
});

describe('latencyMs', () => {
  it('delays the API, the widget and webhooks, until it is switched off', async () => {
    sandbox.faults.latencyMs = 60_000;
    expect(await readCurrencies(200)).toBe('ERR_TIMEOUT');
    const opening = fetch(`${sandbox.widgetUrl}/home`, { signal: AbortSignal.timeout(200) });
    await expect(opening).rejects.toThrow('timeout');
    sandbox.faults.latencyMs = 0;
    expect(await readCurrencies()).toBe('success');
    await buy();
    await vi.waitFor(() => expect(backend.received).toHaveLength(1), 10_000);
  });
});

describe('webhookFault', () => {
  it('takes effect at the next webhook', async () => {
    sandbox.faults.webhookFault = 'twice';
    await buy();
    await vi.waitFor(() => expect(backend.received).toHaveLength(2), 10_000);
    sandbox.faults.webhookFault = undefined;
    await buy();
    await vi.waitFor(() => expect(backend.received).toHaveLength(3), 10_000);
  });
});

describe('quirks', () => {
  it('change the next response', async () => {
    const client = createApiClient(sandbox, Date.now);
    sandbox.faults.quirks.codeAsText = true;
    expect((await client.get('currency')).text).toContain('"code":"10000"');
    sandbox.faults.quirks.codeAsText = false;
    expect((await client.get('currency')).text).toContain('"code":10000');
  });
});

describe('changeFaults', () => {
  it('changes what is given, and keeps the rest', () => {
    sandbox.faults.latencyMs = 5;
    sandbox.faults.quirks.timesAsText = true;
    changeFaults(sandbox.faults, { webhookFault: 'lost', quirks: { codeAsText: true } });
    expect(sandbox.faults).toMatchObject({
      latencyMs: 5,
      webhookFault: 'lost',
      quirks: { codeAsText: true, timesAsText: true, nonceLengths: false },
    });
  });

  it('switches off with null: a quirk, or all of them', () => {
    changeFaults(sandbox.faults, { quirks: { codeAsText: true, timesAsText: true } });
    changeFaults(sandbox.faults, { quirks: { codeAsText: null } });
    expect(sandbox.faults.quirks).toMatchObject({ codeAsText: false, timesAsText: true });
    changeFaults(sandbox.faults, { quirks: null });
    expect(sandbox.faults.quirks).toMatchObject({ codeAsText: false, timesAsText: false });
  });

  it.each([
    { latencyMs: -1 },
    { latencyMs: '5' },
    { apiFault: 'broken' },
    { webhookFault: 'missing' },
    { faultRate: 1.1 },
    { faultRate: Number.NaN },
    { quirks: { codeAsText: 1 } },
    { quirks: { unknown: true } },
    { quirks: 'all' },
    { fault: 'lost' },
  ])('refuses %j, and changes nothing', (changes) => {
    const before = structuredClone(sandbox.faults);
    expect(() => changeFaults(sandbox.faults, { latencyMs: 9, ...changes })).toThrow(
      expect.objectContaining({ code: 'ERR_CONFIG_INVALID' }),
    );
    expect(sandbox.faults).toEqual(before);
  });
});
