import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { NftParams } from '../../src/protocol/index.js';
import { createNftQuote, type Purchase } from '../../src/sandbox/catalog/pricing.js';
import { checkNftOrder } from '../../src/sandbox/checkout/checkPurchase.js';
import { createNftOffer, type NftOffer } from '../../src/sandbox/checkout/offers.js';
import { createDerivedValues } from '../../src/sandbox/createDerivedValues.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.js';
import { createSandboxOrders } from '../../src/sandbox/orders.js';
import { createSandboxClient } from '../support/sandbox/createSandboxClient.js';
import { marketListing, mintListing, partnerFields } from '../support/sandbox/nftListings.js';

vi.mock(
  '../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../support/sandbox/fakeWidgetFiles.js'),
);

let clock = 1_986_217_096_000;
let sandbox: Sandbox;
let client: ReturnType<typeof createSandboxClient>;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => clock, stepMs: 1000, settleMs: 60_000 });
  client = createSandboxClient(sandbox, () => clock);
});
afterAll(() => sandbox.close());

const buyer = { fiatCurrency: 'USD', email: 'ann@shop.example' };
const open = async (params: NftParams): Promise<string> =>
  (await client.data(client.nftUrl(params))).session;
const placeOrder = (session: string, change = {}) =>
  client.post('/home/orders', { session, ...buyer, ...change });
const priceOf = (session: string, fiatCurrency = 'USD') =>
  client.post('/home/quote', { session, fiatCurrency });
const listed = (orderId: string) => sandbox.orders().find((each) => each.orderId === orderId);

describe('An NFT order', () => {
  it('advances with the clock, and is listed when it is delivered', async () => {
    const { status, body } = await placeOrder(await open({ ...marketListing, ...partnerFields }));
    expect([status, body.order.step]).toEqual([201, 'paid']);
    expect(body.order).not.toHaveProperty('walletAddress');
    const { orderId } = body.order;
    const look = async () => JSON.parse((await client.call(`/home/orders/${orderId}`)).text).order;
    clock += 1000;
    expect(await look()).toMatchObject({ step: 'sending' });
    expect(listed(orderId)).toBeUndefined();
    clock += 1000;
    expect(await look()).toMatchObject({ step: 'finished' });
    const seconds = Math.floor(clock / 1000);
    const { merchantUniqueId, merchantOrderNo, externalCustomerId } = partnerFields;
    expect(listed(orderId)).toEqual({
      orderId,
      orderStatus: 1,
      userId: expect.stringMatching(/^[0-9a-f]{16}$/),
      payTime: seconds - 2,
      deliverTime: seconds - 1,
      finishTime: seconds,
      fiatCurrency: 'USD',
      currencyAmount: expect.stringMatching(/^1[56]\d\.\d\d$/),
      cryptoCurrency: 'ETH',
      cryptoCurrencyCode: 'ETH',
      cryptoCurrencyAmount: '0.050',
      cryptoCurrencyUnitPrice: expect.stringMatching(/^3\d{3}\.\d{8}$/),
      walletAddress: marketListing.walletAddress,
      walletAddressTag: 'memo-5519',
      gasFee: expect.stringMatching(/^0\.000\d{5}$/),
      gasFeeUnit: 'ETH',
      platformFee: expect.stringMatching(/^0\.001\d{5}$/),
      platformFeeUnit: 'ETH',
      totalFee: expect.stringMatching(/^0\.001\d{5}$/),
      totalFeeUnit: 'ETH',
      payment: 'CREDIT_DEBIT_CARD',
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      network: 'ethereum_mainnet',
      blockchainExplorer: 'https://explorer.example/polygon/tx/',
      ext: partnerFields.ext,
      nftDetails: [
        {
          contractAddress: marketListing.contractAddress,
          nftNetwork: 'polygon',
          type: 'MARKET',
          tokenId: '17',
          ownerWalletAddress: marketListing.ownerWalletAddress,
          transferWalletAddress: marketListing.transferWalletAddress,
          merchantUniqueId,
          merchantOrderNo,
          externalCustomerId,
        },
      ],
    });
  });

  it('is finished, then in settlement, then settled, with a constant finish time', async () => {
    const { orderId } = (await placeOrder(await open(mintListing))).body.order;
    clock += 2000;
    const finishTime = Math.floor(clock / 1000);
    const seen = [];
    for (const wait of [0, 59_999, 1, 59_999, 1, 3_600_000]) {
      clock += wait;
      const order = listed(orderId);
      seen.push(order?.orderStatus);
      expect(order?.finishTime).toBe(finishTime);
    }
    expect(seen).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it('is settled immediately with settleMs of 0', async () => {
    const swift = await startSandbox({ now: () => clock, stepMs: 0, settleMs: 0 });
    const { data, post, nftUrl } = createSandboxClient(swift, () => clock);
    await post('/home/orders', { ...buyer, session: (await data(nftUrl(mintListing))).session });
    expect(swift.orders()).toMatchObject([{ orderStatus: 3, nftDetails: [{ mintQuantity: 3 }] }]);
    await swift.close();
  });
});

describe('A signed NFT URL', () => {
  it('is paid once by two simultaneous requests', async () => {
    const session = await open(mintListing);
    const before = sandbox.orders().length;
    const [first, second] = await Promise.all([placeOrder(session), placeOrder(session)]);
    expect(first.body.order.orderId).toBe(second.body.order.orderId);
    clock += 2000;
    expect(sandbox.orders()).toHaveLength(before + 1);
  });

  it('cannot be paid again, even from another session', async () => {
    const url = client.nftUrl(mintListing);
    const session = (await client.data(url)).session;
    const { orderId } = (await placeOrder(session)).body.order;
    const other = await placeOrder(session, { email: 'bob@shop.example' });
    expect([other.status, other.body.error.code]).toEqual([409, 'ERR_REQUEST']);
    clock += 2000;
    const again = await client.data(url);
    expect(again.session).not.toBe(session);
    expect(again.order).toMatchObject({ orderId, step: 'finished' });
    for (const id of [session, again.session]) {
      const { status, body } = await placeOrder(id);
      expect(status).toBe(409);
      expect(body.error.message).toContain('is already paid');
    }
    const anew = await client.data(client.nftUrl(mintListing));
    expect(anew).not.toHaveProperty('order');
    expect((await placeOrder(anew.session)).status).toBe(201);
  });
});

describe('The price of an NFT order', () => {
  it('is the quoted price while the quote is valid', async () => {
    const session = await open(marketListing);
    const { quote } = (await priceOf(session)).body;
    expect(quote.cryptoCurrencyAmount).toBe('0.050');
    clock += 30_000;
    expect((await priceOf(await open(marketListing))).body.quote.currencyAmount).not.toBe(
      quote.currencyAmount,
    );
    expect((await placeOrder(session)).body.order.currencyAmount).toBe(quote.currencyAmount);
  });

  it('is the current price if the quote is too old or in another currency', async () => {
    for (const [quoted, wait] of [
      ['USD', 30_001],
      ['EUR', 0],
    ] as const) {
      const session = await open(marketListing);
      await priceOf(session, quoted);
      clock += wait;
      const fresh = (await priceOf(await open(marketListing))).body.quote;
      expect((await placeOrder(session)).body.order.currencyAmount).toBe(fresh.currencyAmount);
    }
  });

  it.each([
    ['0.0001', 'at least 15 USD'],
    ['0', 'at least 15 USD'],
    ['2', 'at most 5000 USD'],
    ['999999999999999999999999999999.999999999999999999', 'USD, which'],
  ])('of %s is quoted, but the order is rejected', async (amount, words) => {
    const session = await open({ ...marketListing, amount });
    expect((await priceOf(session)).body.quote.cryptoCurrencyAmount).toBe(amount);
    const { status, body } = await placeOrder(session);
    expect([status, body.error.issues[0].param]).toEqual([400, 'amount']);
    expect(body.error.issues[0].message).toContain(words);
  });
});

describe('The page of an NFT checkout', () => {
  it.each([
    { amount: '0.001' },
    { currencyAmount: '1' },
    { cryptoCurrencyCode: 'POL_Polygon' },
    { contractAddress: '0x00' },
    { transferWalletAddress: '0x00' },
    { walletAddress: '0x00' },
    { tokenId: '18' },
    { mintQuantity: '300' },
  ])('cannot change signed values: %j', async (change) => {
    const session = await open(marketListing);
    const { status, body } = await placeOrder(session, change);
    expect([status, body.error.issues]).toEqual([
      400,
      [{ param: Object.keys(change)[0], message: 'is unknown' }],
    ]);
    const quoteRequest = { session, fiatCurrency: 'USD', ...change };
    expect((await client.post('/home/quote', quoteRequest)).status).toBe(400);
  });

  it('needs an offered currency and an e-mail address', async () => {
    const session = await open({ ...marketListing, fiatCurrency: 'EUR,JPY' });
    const refused = await placeOrder(session, { email: 'ann' });
    expect(refused.body.error.issues[0].param).toBe('fiatCurrency');
    const unnamed = await placeOrder(session, { fiatCurrency: 'JPY', email: 'ann' });
    expect(unnamed.body.error.issues[0].param).toBe('email');
    const { body } = await placeOrder(session, { fiatCurrency: 'JPY' });
    expect(body.order.currencyAmount).toMatch(/^2\d{4}$/);
  });

  it('rejects requests of the on-ramp widget, and vice versa', async () => {
    const amounts = { currencyAmount: '100', cryptoCurrencyCode: 'ETH' };
    expect((await placeOrder(await open(marketListing), amounts)).status).toBe(400);
    expect((await placeOrder(await client.open())).status).toBe(400);
  });
});

it('the status of an order only rises, with any times', () => {
  const derived = createDerivedValues('a seed');
  const ms = fc.nat({ max: 10_000 });
  fc.assert(
    fc.property(ms, ms, fc.array(ms, { maxLength: 12 }), (stepMs, settleMs, waits) => {
      let at = clock;
      const orders = createSandboxOrders({ now: () => at, stepMs, settleMs, derived });
      const offer = createNftOffer(mintListing) as NftOffer;
      const priced = (purchase: Purchase) => createNftQuote(purchase, at);
      const { terms, price } = checkNftOrder(offer, buyer, priced);
      const session = { widget: 'nft', id: 'an-id', offer, signature: 'a-signature' } as const;
      const { orderId } = orders.place(session, terms, price);
      let before = 0;
      for (const wait of waits) {
        at += wait;
        const [order] = orders.listFinished();
        expect(order !== undefined).toBe(at >= clock + 2 * stepMs);
        expect(orders.findByUrl(session)).toEqual(orders.find(orderId));
        if (!order) continue;
        expect(order.finishTime).toBe(Math.floor((clock + 2 * stepMs) / 1000));
        expect(order.orderStatus).toBeGreaterThanOrEqual(before);
        before = order.orderStatus;
      }
    }),
  );
});
