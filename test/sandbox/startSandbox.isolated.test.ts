import { createPrivateKey, createPublicKey } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildWidgetUrl } from '../../src/protocol/index.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.js';
import { createWidgetSigner } from '../../src/server/index.js';
import { createApiClient } from '../support/sandbox/createApiClient.js';
import { createSandboxClient } from '../support/sandbox/createSandboxClient.js';
import { wallet } from '../support/sandbox/signQuery.js';

// Save these globals before any sandbox starts, to test that a sandbox does not replace them.
const globals = { Request: globalThis.Request, Response: globalThis.Response };

vi.mock(
  '../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../support/sandbox/fakeWidgetFiles.js'),
);

let clock = 1_986_217_096_000;
let sandbox: Sandbox;
let client: ReturnType<typeof createSandboxClient>;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => clock, extraSignedParams: ['zone'] });
  client = createSandboxClient(sandbox, () => clock);
});
afterAll(() => sandbox.close());
afterEach(() => vi.unstubAllEnvs());

describe('startSandbox', () => {
  it('generates new keys at each start', async () => {
    const other = await startSandbox();
    expect(sandbox.partnerId).toMatch(/^[A-Za-z0-9]{16}$/);
    expect(sandbox.secretKey).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(other.secretKey).not.toBe(sandbox.secretKey);
    expect(other.apiPrivateKey).not.toBe(sandbox.apiPrivateKey);
    expect(sandbox.widgetUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await other.close();
    await other.close();
    await expect(fetch(other.baseUrl)).rejects.toThrow();
  });

  it('issues RSA keys of 2048 bits: a private key to sign and a public key to verify', async () => {
    const signing = createPrivateKey(sandbox.apiPrivateKey);
    const verifying = createPublicKey(sandbox.webhookPublicKey);
    expect(sandbox.apiPrivateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(sandbox.webhookPublicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    for (const key of [signing, verifying]) {
      expect(key.asymmetricKeyType).toBe('rsa');
      expect(key.asymmetricKeyDetails?.modulusLength).toBe(2048);
    }
    expect(createPublicKey(signing).equals(verifying)).toBe(false);
  });

  it('serves its API under the configured host name', async () => {
    const named = await startSandbox({ host: 'localhost', now: () => clock });
    expect(named.baseUrl).toMatch(/^http:\/\/localhost:\d+$/);
    const { json } = await createApiClient(named, () => clock).get('currency');
    expect(json.code).toBe('10000');
    await named.close();
  });

  it('throws with NODE_ENV=production', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    await expect(startSandbox()).rejects.toMatchObject({
      code: 'ERR_CONFIG_INVALID',
      message: expect.stringContaining('NODE_ENV=production'),
    });
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'pay.example', '127.0.0.1.pay.example', ''])(
    'refuses the host %j, which is not loopback',
    async (host) => {
      await expect(startSandbox({ host })).rejects.toMatchObject({ code: 'ERR_CONFIG_INVALID' });
    },
  );

  it.each([
    { port: -1 },
    { port: 70_000 },
    { toleranceSeconds: -1 },
    { stepMs: Number.NaN },
    { settleMs: -1 },
    { settleMs: Infinity },
    { extraSignedParams: ['walletAddress'] },
    { extraSignedParams: 'theme' as never },
    { webhookFault: 'missing' as never },
    { webhookFault: 1 as never },
    { needsCookie: 1 as never },
    { log: 'console' as never },
  ])('rejects %j', async (options) => {
    await expect(startSandbox(options)).rejects.toMatchObject({ code: 'ERR_CONFIG_INVALID' });
  });

  it('rejects with the port that is in use', async () => {
    const port = Number(new URL(sandbox.baseUrl).port);
    await expect(startSandbox({ port })).rejects.toMatchObject({
      code: 'ERR_CONFIG_INVALID',
      message: expect.stringContaining(String(port)),
    });
  });
});

describe('GET /home', () => {
  it('opens a signed URL, not cached, in any frame and without inline scripts', async () => {
    const { status, headers } = await client.call(client.signedUrl({ ext: 'a & b' }));
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|frame-ancestors/);
    expect(headers.has('x-frame-options')).toBe(false);
  });

  it('logs the reason for a refused URL and the first check, because the page is in a foreign frame', async () => {
    const lines: string[] = [];
    const logging = await startSandbox({ log: (line) => lines.push(line) });
    onTestFinished(() => logging.close());
    const params = { walletAddress: '0x1' };
    const signer = createWidgetSigner({ ...logging, secretKey: 'another-key' });
    const url = buildWidgetUrl(logging.widgetUrl, signer.sign('on-ramp', params).params);
    expect((await fetch(url)).status).toBe(403);
    expect(lines).toEqual([
      expect.stringMatching(/^Sandbox: widget URL refused: The signature .* SecretKey/),
    ]);
  });

  it('accepts a signed parameter of extraSignedParams', async () => {
    const url = client.signedUrl({}, { extraSignedParams: { zone: '7' } });
    expect((await client.call(url)).status).toBe(200);
    expect((await client.call(url.replace('zone=7', 'zone=8'))).status).toBe(403);
  });

  it('refuses a changed wallet with 403, and shows the text to sign, not the signature', async () => {
    const url = client.signedUrl().replace('0x53', '0x54');
    const { status, text } = await client.call(url);
    expect(status).toBe(403);
    expect(text).toContain('10003 Signature error');
    expect(text).toContain('data-state="refused"');
    expect(text).toContain('<span class="param-name">walletAddress</span>');
    expect(text).toContain(wallet.replace('0x53', '0x54'));
  });

  it('shows the age of an expired URL', async () => {
    const url = client.signedUrl();
    clock += 412_000;
    expect((await client.call(url)).text).toContain('412 seconds ago');
    clock -= 412_000;
  });

  it('refuses malformed parameters with 400, and names them', async () => {
    const { status, text } = await client.call('/home?amount=1.999');
    expect(status).toBe(400);
    expect(text).toContain('10002 incorrect params');
    expect(text).toContain('<dt>amount</dt>');
  });

  it('escapes values of the URL', async () => {
    const script = encodeURIComponent('<script>alert(1)</script>');
    const refused = await client.call(`/home?${script}=1&${script}=2`);
    expect(refused.text).not.toContain('<script>');
    const opened = await client.call(
      client.signedUrl({ language: 'en', email: 'x', ext: '</script><b>' }),
    );
    expect(opened.text).not.toContain('<b>');
    const basic = await client.call(`/home?walletAddress=${script}`);
    expect(basic.status).toBe(200);
    expect(basic.text).not.toContain('<script>alert');
  });

  it('refuses to open in a frame without windowOpen=1', async () => {
    const headers = { 'Sec-Fetch-Dest': 'iframe' };
    const { status, text } = await client.call(client.signedUrl(), { headers });
    expect(status).toBe(403);
    expect(text).toContain('windowOpen=1');
    expect((await client.call(client.signedUrl({ windowOpen: '1' }), { headers })).status).toBe(
      200,
    );
  });
});

describe('pay', () => {
  const finish = async () => {
    clock += 3_600_000;
    return sandbox.orders().at(-1);
  };

  it('buys what the URL says, without a browser', async () => {
    const orderId = await sandbox.pay(`${client.signedUrl({ ext: 'ref-1' })}&amount=250`);
    expect(await finish()).toMatchObject({
      orderId,
      ext: 'ref-1',
      currencyAmount: '250.00',
      walletAddress: wallet,
    });
  });

  it('buys what the shopper enters', async () => {
    const payment = { amount: '80', fiatCurrency: 'EUR', cryptoCurrency: 'ETH' };
    await sandbox.pay(client.signedUrl(), payment);
    expect(await finish()).toMatchObject({
      currencyAmount: '80.00',
      fiatCurrency: 'EUR',
      cryptoCurrency: 'ETH',
    });
  });

  it('says why the widget refuses the URL or the payment', async () => {
    await expect(sandbox.pay(client.signedUrl().replace('0x', '0y'))).rejects.toMatchObject({
      code: 'ERR_CONFIG_INVALID',
      message: expect.stringContaining('signature'),
    });
    await expect(sandbox.pay(client.signedUrl(), { amount: '1' })).rejects.toMatchObject({
      code: 'ERR_PARAMS_INVALID',
      message: expect.stringContaining('refused the payment'),
    });
  });
});

describe('Invalid requests', () => {
  it('return the matching status', async () => {
    const session = await client.open();
    const quote = { session, fiatCurrency: 'USD', currencyAmount: '50', cryptoCurrencyCode: 'BTC' };
    expect((await client.post('/home/quote', quote)).status).toBe(200);
    expect((await client.post('/home/quote', { ...quote, session: 'x' })).status).toBe(404);
    expect((await client.post('/home/quote', { ...quote, more: 1 })).status).toBe(400);
    expect((await client.post('/home/quote', [])).status).toBe(400);
    expect((await client.post('/home/quote', '{"session"')).status).toBe(400);
    const form = { method: 'POST', body: JSON.stringify(quote) };
    expect((await client.call('/home/quote', form)).status).toBe(415);
    expect((await client.call('/home/orders/nothing')).status).toBe(404);
    expect((await client.call('/nowhere')).status).toBe(404);
  });

  it('return an error when the body exceeds 16 KB', async () => {
    const { status, body } = await client.post('/home/orders', { session: 'x'.repeat(17_000) });
    expect([status, body.error.code]).toEqual([413, 'ERR_BODY_TOO_LARGE']);
  });
});

it('startSandbox does not replace the global Request and Response', async () => {
  await client.call('/health');
  expect(globalThis.Request).toBe(globals.Request);
  expect(globalThis.Response).toBe(globals.Response);
});

describe('The files of the widget page', () => {
  it('are cached permanently, and no other files can be read', async () => {
    const { status, headers } = await client.call('/widget/assets/page.js');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toContain('immutable');
    for (const path of ['..%2f..%2fpackage.json', '%2e%2e/index.html', 'page.js%00', '__proto__'])
      expect([path, (await client.call(`/widget/assets/${path}`)).status]).toEqual([path, 404]);
  });
});

it('responds to HEAD /health without a content type, so that a browser does not abort it', async () => {
  const response = await fetch(`${sandbox.widgetUrl}/health`, { method: 'HEAD' });
  expect([response.status, response.headers.get('Content-Type')]).toEqual([204, null]);
});

it('serves /health, and no response contains the secret', async () => {
  expect((await client.call('/health')).text).toBe('{"ok":true}');
  expect(client.responseTexts.length).toBeGreaterThan(50);
  for (const text of client.responseTexts) {
    expect(text).not.toContain(sandbox.secretKey);
    expect(text).not.toContain('PRIVATE KEY');
  }
});
