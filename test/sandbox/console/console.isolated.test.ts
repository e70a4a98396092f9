import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeFaults } from '../../../src/sandbox/faults.js';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.js';
import { apiPath, createApiClient } from '../../support/sandbox/createApiClient.js';
import { createConsoleClient } from '../../support/sandbox/createConsoleClient.js';
import { createSandboxClient } from '../../support/sandbox/createSandboxClient.js';
import { mintListing } from '../../support/sandbox/nftListings.js';
import { wallet } from '../../support/sandbox/signQuery.js';
import { startWebhookReceiver } from '../../support/sandbox/startWebhookReceiver.js';

vi.mock(
  '../../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../../support/sandbox/fakeWidgetFiles.js'),
);

const now = () => Date.now();
const lines: string[] = [];
let backend: Awaited<ReturnType<typeof startWebhookReceiver>>;
let sandbox: Sandbox;
let client: ReturnType<typeof createSandboxClient>;
let console: Awaited<ReturnType<typeof createConsoleClient>>;

beforeAll(async () => {
  backend = await startWebhookReceiver();
  sandbox = await startSandbox({
    stepMs: 3_600_000,
    settleMs: 3_600_000,
    webhookUrl: backend.url,
    consolePort: 0,
    consoleHosts: ['sandbox.internal:4011'],
    log: (line) => lines.push(line),
  });
  client = createSandboxClient(sandbox, now);
  console = await createConsoleClient(sandbox);
});
beforeEach(() => {
  changeFaults(sandbox.faults, { webhookFault: null, apiFault: null, latencyMs: 0, quirks: null });
  backend.received.length = 0;
});
afterAll(async () => {
  await sandbox.close();
  await backend.close();
});

interface ShownEntry {
  readonly id: number;
  readonly kind: string;
}
const readState = () => console.get('/state');
async function readLatest(kind: string) {
  const { entries } = await readState();
  const latest = entries.findLast((entry: ShownEntry) => entry.kind === kind);
  return console.get(`/entries/${latest.id}`);
}
const listLost = async (): Promise<readonly object[]> =>
  (await readState()).entries.filter(({ fault }: { fault?: string }) => fault === 'lost');
async function buy(): Promise<string> {
  const { body } = await client.post('/home/orders', {
    session: await client.open({ ext: 'ref-1' }),
    fiatCurrency: 'USD',
    currencyAmount: '50',
    cryptoCurrencyCode: 'ETH',
    email: 'ann@shop.example',
    walletAddress: wallet,
  });
  return body.order.orderId;
}
async function buyNft(): Promise<string> {
  const { session } = await client.data(client.nftUrl(mintListing));
  const { body } = await client.post('/home/orders', {
    session,
    fiatCurrency: 'USD',
    email: 'ann@shop.example',
  });
  return body.order.orderId;
}
const act = async (orderId: string, action: string) =>
  (await console.post('/orders', { orderId, action })).status;
/** Returns why the console refuses this. */
async function refuse(orderId: string, action: string): Promise<string> {
  const { status, text } = await console.post('/orders', { orderId, action });
  expect(status).toBe(409);
  return JSON.parse(text).error.message;
}
const readOrder = async (orderId: string) =>
  (await readState()).orders.find((order: { orderId: string }) => order.orderId === orderId);
const receivedOf = (orderId: string) =>
  backend.received.filter(({ text }) => text.includes(orderId));
const isListed = (orderId: string) => sandbox.orders().some((order) => order.orderId === orderId);

describe('The messages of the console', () => {
  it('have the signed text of an opened widget, part by part', async () => {
    await client.open();
    const entry = await readLatest('widget-url');
    expect(entry).toMatchObject({ title: 'On-ramp widget', isAccepted: true, result: 'opened' });
    const { text, parts } = entry.explanation.expected;
    expect(parts.map((part: { text: string }) => part.text).join('')).toBe(text);
    expect(text).toContain(`partnerId=${sandbox.partnerId}`);
  });

  it('say why the signature of a widget is wrong', async () => {
    const { status, text } = await client.call(client.signedUrl().replace('%3D', ''));
    expect(status).toBe(403);
    expect(text).toContain('data-mistake="signature-padding"');
    expect(lines.at(-1)).toContain('The = at the end of the signature is missing');
    expect(await readLatest('widget-url')).toMatchObject({
      isAccepted: false,
      result: '10003 Signature error',
      explanation: { isRight: false, mistakes: [{ id: 'signature-padding' }] },
    });
  });

  it('say why the signature of an API request is wrong', async () => {
    const api = createApiClient(sandbox, now);
    const path = apiPath('currency', {});
    const headers = Object.entries(api.signed(`${path}/`)).flat();
    const { json } = await api.send(path, { headers });
    expect(json.msg).toContain('The path was signed with a slash at its end.');
    expect(await readLatest('api-request')).toMatchObject({
      title: 'GET /open/api/onramp/currency',
      isAccepted: false,
      explanation: { mistakes: [{ id: 'trailing-slash' }] },
    });
  });

  it.each([
    ['error', { isAccepted: false, result: '10500 system busy' }],
    ['http-500', { isAccepted: false, result: 'status 500' }],
    ['timeout', { isAccepted: false, result: 'no response' }],
    ['slow', { isAccepted: true, result: '10000 success' }],
  ] as const)('name the fault %s of an API request', async (apiFault, expected) => {
    sandbox.faults.apiFault = apiFault;
    const api = createApiClient(sandbox, now);
    const response = api.get('currency').catch(() => {});
    await vi.waitFor(async () => {
      expect(await readLatest('api-request')).toMatchObject({
        title: 'GET /open/api/onramp/currency',
        fault: apiFault,
        ...expected,
        explanation: { isRight: true },
      });
    }, 10_000);
    if (apiFault !== 'timeout') await response;
  });

  it('compare the text of the signer with the text to sign', async () => {
    const sent = client.signedUrl().replace(/signature=.*/, `signature=${'A'.repeat(43)}%3D`);
    await client.call(sent);
    const { id, explanation } = await readLatest('widget-url');
    expect(explanation).toMatchObject({ isRight: false, mistakes: [] });
    const { text } = explanation.expected;
    const compare = async (signed: string) => {
      const path = `/entries/${id}/signer-text`;
      return JSON.parse((await console.post(path, { text: signed })).text);
    };
    const other = await compare(text.replace('nonce=', 'nonce=_'));
    const at = text.indexOf('nonce=') + 'nonce='.length;
    expect(other.difference).toMatchObject({ at });
    expect(other.difference.given).toBe(`_${other.difference.expected}`.slice(0, 24));
    const named = await compare(`${text}&`);
    expect(named.mistakes).toMatchObject([{ id: 'ends' }]);
    const same = await compare(`${text}\n`);
    expect(same.difference).toBeUndefined();
    expect(same.notes).toContain('The text is the one that should be signed.');
    const masked = await compare(`${text}&key=${sandbox.secretKey}`);
    expect(JSON.stringify([other, named, same, masked])).not.toContain(sandbox.secretKey);
    const missing = await console.post('/entries/999999/signer-text', { text });
    expect(missing.status).toBe(404);
  });

  it('compare the text that a backend verified with that of a right webhook', async () => {
    const orderId = await buy();
    await act(orderId, 'finish');
    await vi.waitFor(() => expect(receivedOf(orderId)).toHaveLength(1), 10_000);
    await vi.waitFor(async () => {
      expect((await readLatest('webhook')).explanation.isRight).toBe(true);
    }, 10_000);
    const { id, explanation } = await readLatest('webhook');
    const verified = explanation.expected.text.replace('POST', 'POSThttp://');
    const { text } = await console.post(`/entries/${id}/signer-text`, { text: verified });
    expect(JSON.parse(text)).toMatchObject({
      isRight: true,
      mistakes: [{ id: 'scheme-signed' }],
      notes: ['The signature is right, but it was not made from the given text.'],
    });
  });

  it('have no key, no signature and no token', async () => {
    await client.open();
    const { entries } = await readState();
    const details = await Promise.all(
      entries.map(({ id }: ShownEntry) => console.get(`/entries/${id}`)),
    );
    const shown = JSON.stringify([await readState(), details]);
    const signatures = [...client.responseTexts.join().matchAll(/signature=([^&"]+)/g)];
    for (const secret of [sandbox.secretKey, console.token, ...signatures.map(([, text]) => text)])
      expect(shown).not.toContain(secret);
    expect(shown).not.toContain('PRIVATE KEY');
  });
});

describe('The orders of the console', () => {
  it('finish, and announce it by webhook', async () => {
    const orderId = await buy();
    expect(await readOrder(orderId)).toMatchObject({
      step: 'paid',
      actions: ['finish', 'fail', 'lose', 'delay'],
    });
    expect(await act(orderId, 'finish')).toBe(204);
    expect(isListed(orderId)).toBe(true);
    await vi.waitFor(() => expect(receivedOf(orderId)).toHaveLength(1), 10_000);
    await vi.waitFor(async () => {
      expect(await readLatest('webhook')).toMatchObject({
        title: 'POST /webhook',
        isAccepted: true,
        explanation: { isRight: true },
      });
    }, 10_000);
    expect(await refuse(orderId, 'finish')).toBe('The order has already finished.');
    expect(await refuse(orderId, 'fail')).toBe('The order has already finished.');
    expect(await refuse(orderId, 'settle')).toBe('Only an NFT order is settled.');
    const last = 'The last webhook of this order was sent already.';
    expect(await refuse(orderId, 'lose')).toBe(last);
    expect(await refuse(orderId, 'delay')).toBe(last);
  });

  it('fail, and are never listed', async () => {
    const orderId = await buy();
    expect(await act(orderId, 'fail')).toBe(204);
    expect(await readOrder(orderId)).toMatchObject({ step: 'failed', actions: [] });
    expect(isListed(orderId)).toBe(false);
    const failed = 'The order has failed, so nothing can happen to it any more.';
    for (const action of ['finish', 'settle', 'fail', 'refund'])
      expect(await refuse(orderId, action)).toBe(failed);
    for (const action of ['lose', 'delay'])
      expect(await refuse(orderId, action)).toBe(
        'The order has failed, so it has no further webhook.',
      );
  });

  it('say why a button has no effect', async () => {
    const orderId = await buyNft();
    expect(await refuse(orderId, 'settle')).toBe('The order has not finished yet.');
    expect(await refuse(orderId, 'refund')).toBe('The order has not finished yet.');
    expect(await refuse(orderId, 'resend')).toBe(
      'No webhook of this order was sent since the sandbox started.',
    );
    expect(await refuse('unknown', 'finish')).toBe('The sandbox no longer has this order.');
    expect(await refuse('unknown', 'resend')).toBe('The sandbox no longer has this order.');
  });

  it('lose the webhook of a settlement', async () => {
    const orderId = await buyNft();
    await act(orderId, 'finish');
    await vi.waitFor(() => expect(receivedOf(orderId)).toHaveLength(1), 10_000);
    expect((await readOrder(orderId)).actions).toEqual(
      expect.arrayContaining(['settle', 'resend', 'lose', 'delay']),
    );
    const before = await listLost();
    expect(await act(orderId, 'lose')).toBe(204);
    for (const _ of [1, 2]) await act(orderId, 'settle');
    await vi.waitFor(async () => {
      expect(await listLost()).toHaveLength(before.length + 1);
    }, 10_000);
    expect(receivedOf(orderId)).toHaveLength(1);
    expect((await readOrder(orderId)).actions).not.toContain('lose');
  });

  it('settle an NFT in two steps', async () => {
    const orderId = await buyNft();
    await act(orderId, 'finish');
    const readStatus = () =>
      sandbox.orders().find((order) => order.orderId === orderId)?.orderStatus;
    const statuses = [readStatus()];
    for (const _ of [1, 2]) {
      expect(await act(orderId, 'settle')).toBe(204);
      statuses.push(readStatus());
    }
    expect(statuses).toEqual([1, 2, 3]);
    expect(await refuse(orderId, 'settle')).toBe('The order is already settled.');
  });

  it('carry a refund as a mark that the order list does not show', async () => {
    const orderId = await buy();
    await act(orderId, 'finish');
    const before = sandbox.orders().find((order) => order.orderId === orderId);
    expect(await act(orderId, 'refund')).toBe(204);
    expect(await readOrder(orderId)).toMatchObject({ isRefunded: true });
    expect(await refuse(orderId, 'refund')).toBe('The order is already marked as refunded.');
    expect(sandbox.orders().find((order) => order.orderId === orderId)).toEqual(before);
  });

  it('lose their webhook, and send it again: the same text, or signed anew', async () => {
    const orderId = await buy();
    const before = await listLost();
    await act(orderId, 'lose');
    await act(orderId, 'finish');
    await vi.waitFor(async () => {
      expect((await readOrder(orderId)).actions).toContain('resend');
    }, 10_000);
    expect(await listLost()).toHaveLength(before.length + 1);
    expect((await listLost()).at(-1)).toMatchObject({ result: 'not sent', isAccepted: false });
    expect(receivedOf(orderId)).toHaveLength(0);
    for (const action of ['resend', 'resend', 'resend-anew'])
      expect(await act(orderId, action)).toBe(204);
    await vi.waitFor(() => expect(receivedOf(orderId)).toHaveLength(3), 10_000);
    const [first, second, third] = receivedOf(orderId).map(
      ({ headers }) => headers['x-fp-signature'],
    );
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

describe('The faults of the console', () => {
  it.each([
    [{ webhookFault: 'twice' }, { webhookFault: 'twice' }],
    [{ apiFault: 'http-500' }, { apiFault: 'http-500' }],
    [
      { latencyMs: 5, faultRate: 0.5 },
      { latencyMs: 5, faultRate: 0.5 },
    ],
    [{ quirks: { codeAsText: true } }, { quirks: { codeAsText: true } }],
  ])('change to %j at once', async (change, expected) => {
    expect((await console.post('/faults', change)).status).toBe(204);
    expect(sandbox.faults).toMatchObject(expected);
    expect((await readState()).faults).toMatchObject(expected);
  });

  it('stay as they are after a malformed change, and the response says why', async () => {
    const { status, text } = await console.post('/faults', { apiFault: 'unknown' });
    expect(status).toBe(400);
    expect(JSON.parse(text).error.message).toContain('expects one of timeout, slow');
    expect(sandbox.faults.apiFault).toBeUndefined();
  });
});

describe('The console', () => {
  const routes = [
    ['GET', '/'],
    ['GET', '/console.js'],
    ['GET', '/api/state'],
    ['POST', '/api/faults'],
    ['GET', '/unknown'],
  ] as const;

  it.each(routes)(
    'answers 421 to %s %s of a name that was rebound to loopback',
    async (method, path) => {
      const { port } = new URL(console.origin);
      for (const host of [
        `evil.example:${port}`,
        'evil.example',
        '127.0.0.1',
        `127.0.0.1.evil.example:${port}`,
        `localhost:${Number(port) + 1}`,
      ]) {
        const body = method === 'POST' ? '{"apiFault":"timeout"}' : undefined;
        const own = { ...console.own, host, origin: `http://${host}` };
        const { status, text } = await console.send(method, path, own, body);
        expect([host, status]).toEqual([host, 421]);
        expect(text).not.toContain(console.token);
      }
      expect(sandbox.faults.apiFault).toBeUndefined();
    },
  );

  it('serves loopback names, and those of consoleHosts', async () => {
    const { port } = new URL(console.origin);
    for (const host of [`localhost:${port}`, `[::1]:${port}`, 'sandbox.internal:4011'])
      expect((await console.send('GET', '/', { host })).status).toBe(200);
  });

  it.each([
    ['another origin', { origin: 'http://127.0.0.1:9' }, 403],
    ['the opaque origin', { origin: 'null' }, 403],
    ['another token', { 'x-console-token': '0'.repeat(64) }, 403],
    ['no token', { 'x-console-token': '' }, 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['plain text', { 'content-type': 'text/plain' }, 415],
  ])('changes nothing for a request of %s', async (_, headers, status) => {
    expect((await console.post('/faults', { apiFault: 'timeout' }, headers)).status).toBe(status);
    expect((await console.post('/orders', { orderId: 'x', action: 'fail' }, headers)).status).toBe(
      status,
    );
    const compared = await console.post('/entries/1/signer-text', { text: 'x' }, headers);
    expect(compared.status).toBe(status);
    expect(sandbox.faults.apiFault).toBeUndefined();
  });

  it('changes nothing for a request without an Origin, and reads nothing without the token', async () => {
    const { origin: _, ...headers } = console.own;
    const changed = await console.send('POST', '/api/faults', headers, '{"apiFault":"timeout"}');
    expect(changed.status).toBe(403);
    expect((await console.send('GET', '/api/state')).status).toBe(403);
    expect(sandbox.faults.apiFault).toBeUndefined();
  });

  it('lets no other page read or frame it', async () => {
    for (const [method, path] of routes) {
      const origin = 'https://evil.example';
      const { headers } = await console.send(method, path, { origin });
      expect(Object.keys(headers).filter((name) => /^access-control/.test(name))).toEqual([]);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    }
    const preflight = await console.send('OPTIONS', '/api/faults', {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-console-token',
    });
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('is not started without consolePort, and closes with the sandbox', async () => {
    const without = await startSandbox();
    expect(without.consoleUrl).toBeUndefined();
    await without.close();
    const other = await startSandbox({ consolePort: 0 });
    await other.close();
    await expect(fetch(other.consoleUrl ?? '')).rejects.toThrow();
  });
});
