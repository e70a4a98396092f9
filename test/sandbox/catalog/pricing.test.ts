import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatUnits,
  multiplyDecimals,
  parseDecimal,
  parseUnits,
} from '../../../src/protocol/decimals.js';
import { cryptoCurrencies } from '../../../src/sandbox/catalog/cryptoCurrencies.js';
import { fiatCurrencies } from '../../../src/sandbox/catalog/fiatCurrencies.js';
import {
  calculateUsdPrice,
  createNftQuote,
  createOnRampQuote,
  PRICE_STEP_MS,
  type Purchase,
} from '../../../src/sandbox/catalog/pricing.js';
import { arbitraryNftPurchases, arbitraryPurchases, arbitraryTimes } from './arbitraryPurchases.js';

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

/** Parses a decimal with 40 decimal places, more than any value of a quote has, so sums and products are exact. */
const exact = (text: string) => parseUnits(text, 40);
const product = (a: string, b: string) => parseUnits(multiplyDecimals(a, b), 40);
const at = 1_986_217_096_000;

function purchase(fiatCode: string, cryptoCode: string, amount: string, payment?: string) {
  const fiat = fiatCurrencies.find(({ code }) => code === fiatCode);
  const crypto = cryptoCurrencies.find(({ code }) => code === cryptoCode);
  const option = fiat?.paymentOptions.find(({ name }) => !payment || name === payment);
  if (!fiat || !crypto || !option) throw new Error('Not in the catalog.');
  return { fiat, crypto, option, amount };
}

describe('createOnRampQuote', () => {
  it('returns exact sums for any amount within the limits of any option at any time', () => {
    fc.assert(
      fc.property(arbitraryPurchases, arbitraryTimes, (bought, atMs) => {
        const price = createOnRampQuote(bought, atMs);
        expect(price.currencyAmount).toBe(bought.amount);
        for (const fees of [price, price.cryptoFees])
          expect(exact(fees.gasFee) + exact(fees.platformFee)).toBe(exact(fees.totalFee));
      }),
      { numRuns: 5000 },
    );
  });

  it('returns at most two decimals in fiat, and eight in the cryptocurrency and its unit price', () => {
    fc.assert(
      fc.property(arbitraryPurchases, arbitraryTimes, (bought, atMs) => {
        const price = createOnRampQuote(bought, atMs);
        for (const fiat of [price.currencyAmount, price.gasFee, price.platformFee, price.totalFee])
          expect(fiat).toMatch(/^\d+(?:\.\d{1,2})?$/);
        const { gasFee, platformFee, totalFee } = price.cryptoFees;
        const inCrypto = [gasFee, platformFee, totalFee, price.cryptoCurrencyAmount];
        for (const amount of [...inCrypto, price.cryptoCurrencyUnitPrice])
          expect(amount).toMatch(/^\d+\.\d{8}$/);
      }),
      { numRuns: 1000 },
    );
  });

  it('converts the amount minus fees, rounded down by less than the last digit', () => {
    fc.assert(
      fc.property(arbitraryPurchases, arbitraryTimes, (bought, atMs) => {
        const price = createOnRampQuote(bought, atMs);
        const net = exact(bought.amount) - exact(price.totalFee);
        const unit = price.cryptoCurrencyUnitPrice;
        const worth = (units: bigint) => product(formatUnits(units, 8), unit);
        const got = parseUnits(price.cryptoCurrencyAmount, 8);
        expect(got > 0n).toBe(true);
        expect(worth(got) <= net && net < worth(got + 1n)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('returns more cryptocurrency for a higher amount', () => {
    fc.assert(
      fc.property(arbitraryPurchases, (bought) => {
        const { digits } = bought.fiat;
        const more = formatUnits(parseUnits(bought.amount, digits) + 100n, digits);
        const got = (amount: string) =>
          exact(createOnRampQuote({ ...bought, amount }, at).cryptoCurrencyAmount);
        expect(got(more) > got(bought.amount)).toBe(true);
      }),
    );
  });

  it('returns the same values at the same time', () => {
    expect(createOnRampQuote(purchase('USD', 'USDT_ERC20', '100'), at)).toMatchObject({
      currencyAmount: '100.00',
      gasFee: '1.20',
      platformFee: '2.50',
      totalFee: '3.70',
      cryptoCurrencyUnitPrice: '1.00162218',
      cryptoCurrencyAmount: '96.14403706',
    });
  });

  it('charges the fee of the payment option', () => {
    const fee = (payment: string) =>
      createOnRampQuote(purchase('USD', 'ETH', '1000', payment), at).platformFee;
    expect(['CREDIT_DEBIT_CARD', 'BANK_CARD_TRANSFER', 'ACH_TRANSFER'].map(fee)).toEqual([
      '25.00',
      '15.00',
      '7.50',
    ]);
  });

  it('rejects an amount that does not cover the fees', () => {
    expect(() => createOnRampQuote(purchase('USD', 'BTC', '1'), at)).toThrow(
      expect.objectContaining({ code: 'ERR_PARAMS_INVALID' }),
    );
  });
});

describe('createNftQuote', () => {
  it('returns the least fiat amount that pays the price and the fees, for any price', () => {
    fc.assert(
      fc.property(arbitraryNftPurchases, arbitraryTimes, (bought, atMs) => {
        const price = createNftQuote(bought, atMs);
        expect(price.cryptoCurrencyAmount).toBe(bought.amount);
        expect(exact(price.gasFee) + exact(price.platformFee)).toBe(exact(price.totalFee));
        const worth = product(bought.amount, price.cryptoCurrencyUnitPrice);
        const rest = exact(price.currencyAmount) - exact(price.totalFee) - worth;
        expect(rest >= 0n && rest < 10n ** BigInt(40 - bought.fiat.digits)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('agrees with createOnRampQuote: its fiat amount buys the price, and at most one unit more', () => {
    fc.assert(
      fc.property(arbitraryNftPurchases, arbitraryTimes, (bought, atMs) => {
        fc.pre(exact(bought.amount) >= exact('0.01'));
        const { currencyAmount, totalFee } = createNftQuote(bought, atMs);
        const forward: Purchase = { ...bought, amount: currencyAmount };
        const bought2 = createOnRampQuote(forward, atMs);
        expect(bought2.totalFee).toBe(totalFee);
        expect(
          exact(bought2.cryptoCurrencyAmount) + exact('0.00000001') > exact(bought.amount),
        ).toBe(true);
      }),
    );
  });
});
