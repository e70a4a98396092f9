import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.js';
import { createPartnerApi, type PartnerApi } from '../../../src/server/index.js';
import { testRuntime } from '../../support/server/testRuntime.js';

const NOW = 1_986_217_096_000;

const apiFor = (
  { baseUrl, partnerId, apiPrivateKey: privateKey }: Sandbox,
  now = NOW,
  onError?: (error: Error) => void,
): PartnerApi =>
  createPartnerApi(
    {
      baseUrl,
      partnerId,
      privateKey,
      ...(onError && { onError }),
    },
    testRuntime({ now: () => now }),
  );

describe.each([
  ['as documented', false],
  ['with all its quirks', true],
])('createPartnerApi with a sandbox that responds %s', (_, quirks) => {
  let sandbox: Sandbox;
  let api: PartnerApi;
  beforeAll(async () => {
    sandbox = await startSandbox({ now: () => NOW, quirks });
    api = apiFor(sandbox);
  });
  afterAll(() => sandbox.close());

  it('returns the currencies', async () => {
    const usd = (await api.fiatCurrencies()).find(({ fiatCurrency }) => fiatCurrency === 'USD');
    expect(usd?.paymentOptions[0]).toMatchObject({
      name: 'CREDIT_DEBIT_CARD',
      minAmount: expect.stringMatching(/^15(\.0+)?$/),
      processingTime: { minMinutes: expect.any(Number), maxMinutes: expect.any(Number) },
      icon: expect.stringContaining(sandbox.baseUrl),
    });
    const all = await api.cryptoCurrencies();
    const forNfts = await api.cryptoCurrencies({ buyType: 'nft' });
    expect(all.length).toBeGreaterThanOrEqual(12);
    expect(forNfts.length).toBeLessThan(all.length);
  });

  it('returns a price whose fees add up', async () => {
    const quote = await api.quote({
      fiatCurrency: 'USD',
      currencyAmount: '100.50',
      cryptoCurrencyCode: 'USDT_ERC20',
    });
    const cents = (amount = '') => BigInt(amount.replace('.', ''));
    expect(cents(quote.gasFee) + cents(quote.platformFee)).toBe(cents(quote.totalFee));
    expect(quote).toMatchObject({ currencyAmount: '100.50', network: 'ethereum_mainnet' });
  });

  it('returns an empty order list', async () => {
    const startTime = NOW / 1000 - 3 * 86_400;
    const orders = [];
    for await (const order of api.eachOrder({ startTime, endTime: NOW / 1000 })) orders.push(order);
    expect(orders).toEqual([]);
  });

  it('throws the code 10002 for an unknown currency', async () => {
    const result = api.quote({
      fiatCurrency: 'JPY',
      currencyAmount: '10000',
      cryptoCurrencyCode: 'TRX',
    });
    await expect(result).rejects.toMatchObject({ code: 'ERR_API_RESPONSE', apiCode: '10002' });
  });

  it('returns the fiat price of an NFT for exactly the amount of the query', async () => {
    const query = { fiatCurrency: 'EUR', currencyAmount: '0.050', cryptoCurrencyCode: 'ETH' };
    const quote = await api.quote({ ...query, buyType: 'nft' });
    expect(Number(quote.cryptoCurrencyAmount)).toBe(0.05);
    expect(Number(quote.currencyAmount)).toBeGreaterThan(10);
  });

  it('signs the name of a payment method in any script', async () => {
    const query = { fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'USDT_ERC20' };
    // No such payment methods exist, so the sandbox returns 10002. It verifies the signature first, and would return
    // 10003 if the client signed the names in another encoding.
    for (const payment of ['Bank Transfer', 'Überweisung + 2 %', '銀行振込'])
      await expect(api.quote({ ...query, payment })).rejects.toMatchObject({ apiCode: '10002' });
  });

  it('throws the code 10003 for a wrong clock', async () => {
    const warnings: Error[] = [];
    const late = apiFor(sandbox, NOW - 600_000, (error) => warnings.push(error));
    await expect(late.fiatCurrencies()).rejects.toMatchObject({
      code: 'ERR_API_RESPONSE',
      apiCode: '10003',
      message: expect.stringMatching(/600 seconds ago.* 600 seconds behind/),
    });
    expect(warnings).toHaveLength(1);
  });
});
