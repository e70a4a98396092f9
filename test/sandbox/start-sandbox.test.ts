import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildWidgetUrl } from '../../src/protocol/index.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.js';
import { createWidgetSigner } from '../../src/server/index.js';
import { wallet } from './signed-query.js';

// The page itself is built with the library; here a stand-in takes its place.
vi.mock('../../src/sandbox/widget-files.js', () => ({
  widgetFiles: () => ({
    html: '<html><body><div id="root"></div></body></html>',
    assets: new Map([
      ['page.js', { body: new TextEncoder().encode('void 0'), type: 'text/javascript' }],
    ]),
  }),
}));

let clock = 1_986_217_096_000;
let sandbox: Sandbox;
const answers: string[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => clock, stepMs: 1000, extraSignedParams: ['zone'] });
});
afterAll(() => sandbox.close());
afterEach(() => vi.unstubAllEnvs());

async function call(path: string, init?: RequestInit) {
  const response = await fetch(new URL(path, sandbox.baseUrl), init);
  const text = await response.text();
  answers.push(text, JSON.stringify([...response.headers]));
  return { status: response.status, headers: response.headers, text };
}

const post = async (path: string, body: unknown) => {
  const { status, text } = await call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status, body: JSON.parse(text) };
};

const signedUrl = (params = {}, extras = {}) =>
  buildWidgetUrl(
    sandbox.widgetUrl,
    createWidgetSigner({ ...sandbox, now: () => clock }).sign(
      'on-ramp',
      { walletAddress: wallet, ...params },
      extras,
    ).params,
  );

async function open(params = {}) {
  const { status, text } = await call(signedUrl(params));
  expect(status).toBe(200);
  const json = /<script type="application\/json" id="session">(.*?)<\/script>/.exec(text)?.[1];
  return JSON.parse(json ?? '') as { session: string; wallet: object };
}

const terms = {
  fiatCurrency: 'USD',
  currencyAmount: '100',
  cryptoCurrencyCode: 'USDT_ERC20',
  email: 'ann@shop.example',
};
const order = async (params = {}, change = {}) => {
  const { session } = await open(params);
  return post('/home/orders', { session, ...terms, ...change });
};

describe('startSandbox', () => {
  it('makes its own keys, and other ones each time', async () => {
    const other = await startSandbox();
    expect(sandbox.partnerId).toMatch(/^[A-Za-z0-9]{16}$/);
    expect(sandbox.secretKey).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(other.secretKey).not.toBe(sandbox.secretKey);
    expect(sandbox.widgetUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await other.close();
    await other.close();
    await expect(fetch(other.baseUrl)).rejects.toThrow();
  });

  it('refuses production', async () => {
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
    { extraSignedParams: ['walletAddress'] },
  ])('refuses %j', async (options) => {
    await expect(startSandbox(options)).rejects.toMatchObject({ code: 'ERR_CONFIG_INVALID' });
  });

  it('names the port that is taken', async () => {
    const port = Number(new URL(sandbox.baseUrl).port);
    await expect(startSandbox({ port })).rejects.toMatchObject({
      code: 'ERR_CONFIG_INVALID',
      message: expect.stringContaining(String(port)),
    });
  });
});

describe('GET /home', () => {
  it('opens a signed URL, for no cache and any frame, with no inline script allowed', async () => {
    const { status, headers } = await call(signedUrl({ ext: 'a & b' }));
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|frame-ancestors/);
    expect(headers.has('x-frame-options')).toBe(false);
  });

  it('takes a parameter outside the table that it was told to sign', async () => {
    const url = signedUrl({}, { extraSignedParams: { zone: '7' } });
    expect((await call(url)).status).toBe(200);
    expect((await call(url.replace('zone=7', 'zone=8'))).status).toBe(403);
  });

  it('refuses a changed wallet with 403 and shows the text, not the signature', async () => {
    const url = signedUrl().replace('0x53', '0x54');
    const { status, text } = await call(url);
    expect(status).toBe(403);
    expect(text).toContain('10003 Signature error');
    expect(text).toContain('data-state="refused"');
    expect(text).toContain('<span class="key">walletAddress</span>');
    expect(text).toContain(wallet.replace('0x53', '0x54'));
  });

  it('says how old a URL is', async () => {
    const url = signedUrl();
    clock += 412_000;
    expect((await call(url)).text).toContain('412 seconds ago');
    clock -= 412_000;
  });

  it('refuses malformed parameters with 400, and says which', async () => {
    const { status, text } = await call('/home?amount=1.999');
    expect(status).toBe(400);
    expect(text).toContain('10002 incorrect params');
    expect(text).toContain('<dt>amount</dt>');
  });

  it('shows nothing of the URL as markup', async () => {
    const script = encodeURIComponent('<script>alert(1)</script>');
    const refused = await call(`/home?${script}=1&${script}=2`);
    expect(refused.text).not.toContain('<script>');
    const opened = await call(signedUrl({ language: 'en', email: 'x', ext: '</script><b>' }));
    expect(opened.text).not.toContain('<b>');
    const basic = await call(`/home?walletAddress=${script}`);
    expect(basic.status).toBe(200);
    expect(basic.text).not.toContain('<script>alert');
  });

  it('refuses to stand in a frame without windowOpen=1', async () => {
    const headers = { 'Sec-Fetch-Dest': 'iframe' };
    const { status, text } = await call(signedUrl(), { headers });
    expect(status).toBe(403);
    expect(text).toContain('windowOpen=1');
    expect((await call(signedUrl({ windowOpen: '1' }), { headers })).status).toBe(200);
    expect((await call(`${signedUrl()}&windowopen=1`, { headers })).text).toContain('windowopen');
  });

  it('says that it does not draw NFT checkout, once the URL is right', async () => {
    const { params } = createWidgetSigner({ ...sandbox, now: () => clock }).sign('nft', {
      contractAddress: '0x30',
      nftNetwork: 'polygon',
      type: 'MINT',
      mintQuantity: '1',
      transferWalletAddress: wallet,
      cryptoCurrency: 'ETH',
      amount: '1',
      walletAddress: wallet,
      walletAddressTag: '',
    });
    const { status, text } = await call(buildWidgetUrl(sandbox.widgetUrl, params));
    expect(status).toBe(400);
    expect(text).toContain('data-reason="nft"');
  });
});

describe('an order', () => {
  it('goes through its steps by the clock and is listed when it is finished', async () => {
    const before = sandbox.orders().length;
    const { status, body } = await order({ ext: 'ref-1', walletAddressLocked: '1' });
    expect([status, body.order.step]).toEqual([201, 'paid']);
    const look = async () =>
      JSON.parse((await call(`/home/orders/${body.order.orderId}`)).text).order;
    expect(sandbox.orders()).toHaveLength(before);
    clock += 1000;
    expect(await look()).toMatchObject({
      step: 'sending',
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    clock += 1000;
    expect(await look()).toMatchObject({ step: 'finished' });
    const seconds = Math.floor(clock / 1000);
    expect(sandbox.orders()).toHaveLength(before + 1);
    expect(sandbox.orders().at(-1)).toEqual({
      orderId: body.order.orderId,
      orderStatus: 3,
      userId: expect.stringMatching(/^[0-9a-f]{16}$/),
      payTime: seconds - 2,
      deliverTime: seconds - 1,
      finishTime: seconds,
      fiatCurrency: 'USD',
      currencyAmount: '100.00',
      cryptoCurrency: 'USDT',
      cryptoCurrencyCode: 'USDT_ERC20',
      cryptoCurrencyAmount: '96.15576635',
      cryptoCurrencyUnitPrice: '1.0015',
      walletAddress: wallet,
      gasFee: '1.19820269',
      gasFeeUnit: 'USDT',
      platformFee: '2.49625561',
      platformFeeUnit: 'USDT',
      totalFee: '3.69445830',
      totalFeeUnit: 'USDT',
      payment: 'CREDIT_DEBIT_CARD',
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      network: 'ethereum_mainnet',
      blockchainExplorer: 'https://explorer.example/ethereum/tx/',
      ext: 'ref-1',
    });
  });

  it('is one order when it is placed twice at once', async () => {
    const { session } = await open();
    const place = () =>
      post('/home/orders', { session, ...terms, walletAddress: wallet }).then(
        ({ body }) => body.order.orderId,
      );
    const [first, second] = await Promise.all([place(), place()]);
    expect(first).toBe(second);
    clock += 5000;
    expect(await place()).not.toBe(first);
  });

  const other = '0x000000000000000000000000000000000000dEaD';
  it.each(['walletAddressLocked', 'walletAddressHidden'])(
    'does not go elsewhere than the URL says: %s',
    async (flag) => {
      const refused = await order({ [flag]: '1' }, { walletAddress: other });
      expect([refused.status, refused.body.error.issues[0].param]).toEqual([400, 'walletAddress']);
      const placed = await order({ [flag]: '1' });
      clock += 5000;
      const mine = sandbox.orders().find(({ orderId }) => orderId === placed.body.order.orderId);
      expect(mine?.walletAddress).toBe(wallet);
      expect('walletAddress' in placed.body.order).toBe(flag === 'walletAddressLocked');
    },
  );

  it('goes where the shopper says when the wallet is not locked', async () => {
    const { body } = await order({}, { walletAddress: other });
    expect(body.order.walletAddress).toBe(other);
  });

  it.each([
    ['below the limit', {}, { currencyAmount: '14.99' }, 'currencyAmount'],
    ['above the limit', {}, { currencyAmount: '5000.01' }, 'currencyAmount'],
    ['of three decimals', {}, { currencyAmount: '20.001' }, 'currencyAmount'],
    ['other than the fixed one', { amountFixed: '50' }, {}, 'currencyAmount'],
    [
      'with decimals that the currency lacks',
      {},
      { fiatCurrency: 'JPY', currencyAmount: '5000.5' },
      'currencyAmount',
    ],
  ])('is refused for an amount %s', async (_, params, change, param) => {
    const { status, body } = await order(params, { walletAddress: wallet, ...change });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'ERR_PARAMS_INVALID', issues: [{ param }] });
  });

  it('takes the fixed amount however it is written', async () => {
    const fixed = { amountFixed: '100.00', walletAddressLocked: '1' };
    expect((await order(fixed)).status).toBe(201);
  });

  it.each([
    ['fiatCurrency', { fiatCurrency: 'THB' }],
    ['cryptoCurrencyCode', { cryptoCurrencyCode: 'BTC' }],
    ['email', { email: 'ann' }],
    ['walletAddress', { walletAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }],
    ['walletAddress', { walletAddress: undefined }],
  ])('is refused for what is not on offer or malformed: %s', async (param, change) => {
    const params = { fiatCurrency: 'USD', cryptoCurrency: 'USDT_ERC20' };
    const { status, body } = await order(params, { walletAddress: wallet, ...change });
    expect([status, body.error.issues[0].param]).toEqual([400, param]);
  });
});

describe('requests that are wrong', () => {
  it('are answered with a fitting status', async () => {
    const { session } = await open();
    const quote = { session, fiatCurrency: 'USD', currencyAmount: '50', cryptoCurrencyCode: 'BTC' };
    expect((await post('/home/quote', quote)).status).toBe(200);
    expect((await post('/home/quote', { ...quote, session: 'x' })).status).toBe(404);
    expect((await post('/home/quote', { ...quote, more: 1 })).status).toBe(400);
    expect((await post('/home/quote', [])).status).toBe(400);
    expect((await post('/home/quote', '{"session"')).status).toBe(400);
    const form = { method: 'POST', body: JSON.stringify(quote) };
    expect((await call('/home/quote', form)).status).toBe(415);
    expect((await call('/home/orders/nothing')).status).toBe(404);
    expect((await call('/nowhere')).status).toBe(404);
  });

  it('may not be larger than 16 KB', async () => {
    const { status, body } = await post('/home/orders', { session: 'x'.repeat(17_000) });
    expect([status, body.error.code]).toEqual([413, 'ERR_REQUEST']);
  });
});

describe('the files of the page', () => {
  it('are cached for good, and nothing else can be read', async () => {
    const { status, headers } = await call('/widget/assets/page.js');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toContain('immutable');
    for (const path of ['..%2f..%2fpackage.json', '%2e%2e/index.html', 'page.js%00', '__proto__'])
      expect([path, (await call(`/widget/assets/${path}`)).status]).toEqual([path, 404]);
  });
});

it('answers on /health, and never with the secret', async () => {
  expect((await call('/health')).text).toBe('{"ok":true}');
  expect(answers.length).toBeGreaterThan(50);
  for (const answer of answers) expect(answer).not.toContain(sandbox.secretKey);
});
