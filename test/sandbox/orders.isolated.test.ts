import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.js';
import { createSandboxClient } from '../support/sandbox/createSandboxClient.js';
import { wallet } from '../support/sandbox/signQuery.js';

vi.mock(
  '../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../support/sandbox/fakeWidgetFiles.js'),
);

let clock = 1_986_217_096_000;
let sandbox: Sandbox;
let client: ReturnType<typeof createSandboxClient>;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => clock, stepMs: 1000 });
  client = createSandboxClient(sandbox, () => clock);
});
afterAll(() => sandbox.close());

const terms = {
  fiatCurrency: 'USD',
  currencyAmount: '100',
  cryptoCurrencyCode: 'USDT_ERC20',
  email: 'ann@shop.example',
};
const order = async (params = {}, change = {}) => {
  const session = await client.open(params);
  return client.post('/home/orders', { session, ...terms, ...change });
};

describe('An on-ramp order', () => {
  it('advances with the clock, and is listed when it is finished', async () => {
    const before = sandbox.orders().length;
    const { status, body } = await order({ ext: 'ref-1', walletAddressLocked: '1' });
    expect([status, body.order.step]).toEqual([201, 'paid']);
    const look = async () =>
      JSON.parse((await client.call(`/home/orders/${body.order.orderId}`)).text).order;
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
      cryptoCurrencyAmount: '96.14403706',
      cryptoCurrencyUnitPrice: '1.00162218',
      walletAddress: wallet,
      gasFee: '1.19805653',
      gasFeeUnit: 'USDT',
      platformFee: '2.49595111',
      platformFeeUnit: 'USDT',
      totalFee: '3.69400764',
      totalFeeUnit: 'USDT',
      payment: 'CREDIT_DEBIT_CARD',
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      network: 'ethereum_mainnet',
      blockchainExplorer: 'https://explorer.example/ethereum/tx/',
      ext: 'ref-1',
    });
  });

  it('is placed once by two simultaneous requests', async () => {
    const session = await client.open();
    const placeOrder = () =>
      client
        .post('/home/orders', { session, ...terms, walletAddress: wallet })
        .then(({ body }) => body.order.orderId);
    const [first, second] = await Promise.all([placeOrder(), placeOrder()]);
    expect(first).toBe(second);
    clock += 5000;
    expect(await placeOrder()).not.toBe(first);
  });

  const other = '0x000000000000000000000000000000000000dEaD';
  it.each(['walletAddressLocked', 'walletAddressHidden'])(
    'is always sent to the wallet of the URL with %s',
    async (flag) => {
      const refused = await order({ [flag]: '1' }, { walletAddress: other });
      expect([refused.status, refused.body.error.issues[0].param]).toEqual([400, 'walletAddress']);
      const placed = await order({ [flag]: '1' });
      clock += 5000;
      const finishedOrder = sandbox
        .orders()
        .find(({ orderId }) => orderId === placed.body.order.orderId);
      expect(finishedOrder?.walletAddress).toBe(wallet);
      expect('walletAddress' in placed.body.order).toBe(flag === 'walletAddressLocked');
    },
  );

  it('is sent to the wallet of the shopper if the wallet is not locked', async () => {
    const { body } = await order({}, { walletAddress: other });
    expect(body.order.walletAddress).toBe(other);
  });

  it.each([
    ['below the limit', {}, { currencyAmount: '14.99' }, 'currencyAmount'],
    ['above the limit', {}, { currencyAmount: '5000.01' }, 'currencyAmount'],
    ['of three decimals', {}, { currencyAmount: '20.001' }, 'currencyAmount'],
    ['other than the fixed amount', { amountFixed: '50' }, {}, 'currencyAmount'],
    [
      'with decimals in a currency without decimals',
      {},
      { fiatCurrency: 'JPY', currencyAmount: '5000.5' },
      'currencyAmount',
    ],
  ])('is rejected with an amount %s', async (_, params, change, param) => {
    const { status, body } = await order(params, { walletAddress: wallet, ...change });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'ERR_PARAMS_INVALID', issues: [{ param }] });
  });

  it('accepts the fixed amount in any notation', async () => {
    const fixed = { amountFixed: '100.00', walletAddressLocked: '1' };
    expect((await order(fixed)).status).toBe(201);
  });

  it.each([
    ['fiatCurrency', { fiatCurrency: 'THB' }],
    ['cryptoCurrencyCode', { cryptoCurrencyCode: 'BTC' }],
    ['email', { email: 'ann' }],
    ['walletAddress', { walletAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }],
    ['walletAddress', { walletAddress: undefined }],
  ])('is rejected with an unavailable or malformed %s', async (param, change) => {
    const params = { fiatCurrency: 'USD', cryptoCurrency: 'USDT_ERC20' };
    const { status, body } = await order(params, { walletAddress: wallet, ...change });
    expect([status, body.error.issues[0].param]).toEqual([400, param]);
  });
});

describe('An unavailable currency pair', () => {
  it('is rejected by quotes and orders', async () => {
    const session = await client.open();
    const pair = {
      session,
      fiatCurrency: 'JPY',
      currencyAmount: '20000',
      cryptoCurrencyCode: 'TRX',
    };
    const buyer = { email: terms.email, walletAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' };
    for (const response of [
      await client.post('/home/quote', pair),
      await client.post('/home/orders', { ...pair, ...buyer }),
    ]) {
      expect(response.status).toBe(400);
      expect(response.body.error.issues).toEqual([
        { param: 'cryptoCurrencyCode', message: 'is not sold for JPY' },
      ]);
    }
  });
});

describe('A widget session', () => {
  it('has an unguessable ID, and is removed after a thousand further sessions', async () => {
    const first = await client.open();
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    const quote = () =>
      client.post('/home/quote', {
        session: first,
        fiatCurrency: 'USD',
        currencyAmount: '50',
        cryptoCurrencyCode: 'BTC',
      });
    for (let others = 0; others < 999; others++) await client.call('/home');
    expect((await quote()).status).toBe(200);
    await client.call('/home');
    expect((await quote()).status).toBe(404);
    // The test sends a thousand requests.
  }, 30_000);
});
