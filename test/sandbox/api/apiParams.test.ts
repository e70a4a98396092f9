import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.js';
import { apiPath, createApiClient } from '../../support/sandbox/createApiClient.js';

const now = () => 1_986_217_096_000;
let sandbox: Sandbox;
let api: ReturnType<typeof createApiClient>;

beforeAll(async () => {
  sandbox = await startSandbox({ now });
  api = createApiClient(sandbox, now);
});
afterAll(() => sandbox.close());

const price = { fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'USDT_ERC20' };
const nft = { ...price, cryptoCurrencyCode: 'ETH', currencyAmount: '0.05', buyType: 'nft' };
const range = { startTime: '1986217000', endTime: '1986218000' };

type Params = Readonly<Record<string, string>>;
const without = (params: Params, name: string): Params =>
  Object.fromEntries(Object.entries(params).filter(([key]) => key !== name));

describe('Valid parameters of the partner API', () => {
  it.each<[string, Params]>([
    ['currency', {}],
    ['token', {}],
    ['token', { buyType: 'fiat' }],
    ['token', { buyType: 'nft' }],
    ['price', price],
    ['price', { ...price, currencyAmount: '15.00' }],
    ['price', { ...price, currencyAmount: '5000' }],
    ['price', { ...price, buyType: 'fiat', payment: 'BANK_CARD_TRANSFER' }],
    ['price', { ...price, payment: 'BANK_CARD_TRANSFER', currencyAmount: '20000' }],
    ['price', { ...price, fiatCurrency: 'JPY', currencyAmount: '2500' }],
    ['price', { ...price, fiatCurrency: 'JPY', currencyAmount: '2500.00' }],
    ['price', nft],
    ['price', { ...nft, currencyAmount: '0.012345678901234567' }],
    ['order', range],
    ['order', { startTime: '0', endTime: '0' }],
    ['order', { ...range, page: '1000', size: '100' }],
  ])('%s accepts %j', async (operation, params) => {
    expect((await api.get(operation, params)).json).toMatchObject({ code: '10000' });
  });
});

describe('Invalid parameters of the partner API', () => {
  it.each<[string, Params, string]>([
    ['currency', { fiatCurrency: 'USD' }, 'fiatCurrency'],
    ['token', { buyType: 'NFT' }, 'buyType'],
    ['token', { x: '1' }, 'x'],
    ['price', {}, 'fiatCurrency'],
    ['price', without(price, 'fiatCurrency'), 'fiatCurrency'],
    ['price', without(price, 'currencyAmount'), 'currencyAmount'],
    ['price', without(price, 'cryptoCurrencyCode'), 'cryptoCurrencyCode'],
    ['price', { ...price, fiatCurrency: '' }, 'fiatCurrency'],
    ['price', { ...price, fiatCurrency: 'usd' }, 'fiatCurrency'],
    ['price', { ...price, fiatCurrency: 'XXX' }, 'fiatCurrency'],
    ['price', { ...price, cryptoCurrencyCode: 'DOGE' }, 'cryptoCurrencyCode'],
    ['price', { ...price, cryptoCurrencyCode: 'USDT' }, 'cryptoCurrencyCode'],
    ['price', { ...price, payment: 'PIX' }, 'payment'],
    ['price', { ...price, payment: 'credit_debit_card' }, 'payment'],
    ['price', { ...price, buyType: 'sell' }, 'buyType'],
    ['price', { ...price, more: '1' }, 'more'],
    ['price', { ...price, __proto__x: '1' }, '__proto__x'],
    ['price', { ...price, currencyAmount: '100.001' }, 'currencyAmount'],
    ['price', { ...price, currencyAmount: '1e2' }, 'currencyAmount'],
    ['price', { ...price, currencyAmount: '-100' }, 'currencyAmount'],
    ['price', { ...price, currencyAmount: '0100' }, 'currencyAmount'],
    ['price', { ...price, currencyAmount: '100,00' }, 'currencyAmount'],
    ['price', { ...price, currencyAmount: ' 100' }, 'currencyAmount'],
    ['price', { ...price, currencyAmount: '14.99' }, 'currencyAmount'],
    ['price', { ...price, currencyAmount: '5000.01' }, 'currencyAmount'],
    [
      'price',
      { ...price, payment: 'BANK_CARD_TRANSFER', currencyAmount: '49.99' },
      'currencyAmount',
    ],
    ['price', { ...price, fiatCurrency: 'JPY', currencyAmount: '2500.5' }, 'currencyAmount'],
    [
      'price',
      { fiatCurrency: 'JPY', currencyAmount: '5000', cryptoCurrencyCode: 'TRX' },
      'cryptoCurrencyCode is not sold for JPY',
    ],
    ['price', { ...nft, cryptoCurrencyCode: 'BTC' }, 'cryptoCurrencyCode'],
    ['price', { ...nft, currencyAmount: '0.0123456789012345678' }, 'currencyAmount'],
    ['price', { ...nft, currencyAmount: '0.001' }, 'currencyAmount converts to '],
    ['price', { ...nft, currencyAmount: '50' }, 'currencyAmount converts to '],
    ['price', { ...nft, currencyAmount: '0' }, 'currencyAmount'],
    ['order', {}, 'startTime'],
    ['order', without(range, 'startTime'), 'startTime'],
    ['order', without(range, 'endTime'), 'endTime'],
    ['order', { ...range, endTime: '1986216999' }, 'endTime must not be before startTime'],
    ['order', { ...range, startTime: '1986217000000' }, 'startTime'],
    ['order', { ...range, startTime: '1986217000.5' }, 'startTime'],
    ['order', { ...range, startTime: '-1' }, 'startTime'],
    ['order', { ...range, page: '0' }, 'page'],
    ['order', { ...range, page: '1.5' }, 'page'],
    ['order', { ...range, page: 'first' }, 'page'],
    ['order', { ...range, size: '0' }, 'size'],
    ['order', { ...range, size: '101' }, 'size must be at most 100'],
    ['order', { ...range, status: '3' }, 'status'],
  ])('%s rejects %j', async (operation, params, message) => {
    const { status, json } = await api.get(operation, params);
    expect(status).toBe(200);
    expect(json).toEqual({ code: '10002', msg: expect.any(String), data: null });
    expect(json.msg).toMatch(/^incorrect params: ./);
    expect(json.msg).toContain(message);
  });

  it.each([
    ['that occurs twice', '&payment=PIX&payment=PIX'],
    ['that occurs twice, once without a value', '&payment=&payment=PIX'],
    ['with malformed percent-encoding', '&payment=%E0%A4%A'],
    ['with the name of a header', '&x-fp-nonce=482915'],
  ])('a parameter %s is rejected', async (_, more) => {
    const path = apiPath('price', price);
    const { status, json } = await api.call(path, { path: path + more });
    expect([status, json.code, json.data]).toEqual([200, '10002', null]);
  });
});
