import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDecimal } from '../../../../src/protocol/decimal/parseDecimal.js';
import { parseUnits } from '../../../../src/protocol/decimal/parseUnits.js';
import { cryptoCurrencies } from '../../../../src/sandbox/catalog/cryptoCurrencies.js';
import {
  calculateUsdPrice,
  PRICE_STEP_MS,
} from '../../../../src/sandbox/catalog/pricing/calculateUsdPrice.js';
import { arbitraryTimes } from '../../../support/sandbox/arbitraryPurchases.js';

const currencies = fc.constantFrom(...cryptoCurrencies);
const named = (wanted: string) => {
  const found = cryptoCurrencies.find(({ code }) => code === wanted);
  if (!found) throw new Error(`The catalog has no ${wanted}.`);
  return found;
};
const hour = Array.from({ length: 360 }, (_, step) => 1_986_217_090_000 + step * PRICE_STEP_MS);
const priceOf = (code: string) => (atMs: number) =>
  parseDecimal(calculateUsdPrice(named(code), atMs)).units;

describe('calculateUsdPrice', () => {
  it('stays within 0.5 % of the base price, for a stablecoin within 0.02 %', () => {
    fc.assert(
      fc.property(currencies, arbitraryTimes, (crypto, atMs) => {
        const stable = /^USD/.test(crypto.symbol);
        const middle = parseUnits(crypto.usd, 12);
        const moved = parseUnits(calculateUsdPrice(crypto, atMs), 12) - middle;
        const furthest = (middle * (stable ? 200n : 5000n)) / 1_000_000n;
        expect(-furthest <= moved && moved <= furthest).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('is constant for ten seconds and then changes slightly', () => {
    fc.assert(
      fc.property(
        currencies,
        arbitraryTimes,
        fc.nat({ max: PRICE_STEP_MS - 1 }),
        (crypto, atMs, later) => {
          const start = atMs - (atMs % PRICE_STEP_MS);
          const price = (ms: number) => parseUnits(calculateUsdPrice(crypto, ms), 12);
          expect(price(start + later)).toBe(price(start));
          const step = price(start + PRICE_STEP_MS) - price(start);
          const most = parseUnits(crypto.usd, 12) / 2000n;
          expect(-most < step && step < most).toBe(true);
        },
      ),
    );
  });

  it('rises and falls over an hour, differently for each coin', () => {
    for (const code of ['BTC', 'ETH', 'USDT_ERC20']) {
      const prices = hour.map(priceOf(code));
      expect(new Set(prices).size).toBeGreaterThan(20);
      expect(prices.some((price, at) => at > 0 && price > (prices[at - 1] ?? 0n))).toBe(true);
      expect(prices.some((price, at) => at > 0 && price < (prices[at - 1] ?? 0n))).toBe(true);
    }
    const shape = (code: string) =>
      hour.map((ms) => (priceOf(code)(ms) * 10n ** 9n) / parseDecimal(named(code).usd).units);
    expect(shape('BTC')).not.toEqual(shape('ETH'));
  });

  it('is the same on every network at the same time', () => {
    expect(hour.map(priceOf('ETH'))).toEqual(hour.map(priceOf('ETH_Arbitrum')));
    expect(hour.map(priceOf('USDC_ERC20'))).toEqual(hour.map(priceOf('USDC_Solana')));
  });
});
