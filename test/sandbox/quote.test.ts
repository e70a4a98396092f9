import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cryptoCurrencies, fiatCurrencies } from '../../src/sandbox/catalog.js';
import { decimal, decimalText, times, unitsAt } from '../../src/sandbox/decimal.js';
import { quote } from '../../src/sandbox/quote.js';

/** Exact, with a scale that nothing in a quote exceeds. */
const exact = (text: string) => unitsAt(decimal(text), 40);

const purchase = fc
  .tuple(fc.constantFrom(...fiatCurrencies), fc.constantFrom(...cryptoCurrencies))
  .chain(([fiat, crypto]) => {
    const [min, max] = [fiat.min, fiat.max].map((text) => unitsAt(decimal(text), fiat.digits));
    return fc.record({
      fiat: fc.constant(fiat),
      crypto: fc.constant(crypto),
      amount: fc
        .bigInt({ min, max } as { min: bigint; max: bigint })
        .map((units) => decimalText(units, fiat.digits)),
    });
  });

describe('a quote', () => {
  it('has sums that are exact, for any amount within the limits', () => {
    fc.assert(
      fc.property(purchase, ({ fiat, crypto, amount }) => {
        const price = quote(fiat, crypto, amount);
        expect(price.currencyAmount).toBe(amount);
        for (const fees of [price, price.cryptoFees])
          expect(exact(fees.gasFee) + exact(fees.platformFee)).toBe(exact(fees.totalFee));
      }),
      { numRuns: 5000 },
    );
  });

  it('delivers what the rest of the amount buys, rounded down by less than the last digit', () => {
    fc.assert(
      fc.property(purchase, ({ fiat, crypto, amount }) => {
        const price = quote(fiat, crypto, amount);
        const net = exact(amount) - exact(price.totalFee);
        const unit = decimal(price.cryptoCurrencyUnitPrice);
        const worth = (units: bigint) => unitsAt(times({ units, scale: 8 }, unit), 40);
        const got = unitsAt(decimal(price.cryptoCurrencyAmount), 8);
        expect(got > 0n).toBe(true);
        expect(worth(got) <= net && net < worth(got + 1n)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('gives more for more', () => {
    fc.assert(
      fc.property(purchase, ({ fiat, crypto, amount }) => {
        const more = decimalText(unitsAt(decimal(amount), fiat.digits) + 100n, fiat.digits);
        const got = (text: string) => exact(quote(fiat, crypto, text).cryptoCurrencyAmount);
        expect(got(more) > got(amount)).toBe(true);
      }),
    );
  });

  it('is the same figures every time', () => {
    const [usd] = fiatCurrencies;
    const [usdt] = cryptoCurrencies;
    if (!usd || !usdt) throw new Error('The catalog is empty.');
    expect(quote(usd, usdt, '100')).toMatchObject({
      currencyAmount: '100.00',
      gasFee: '1.20',
      platformFee: '2.50',
      totalFee: '3.70',
      cryptoCurrencyUnitPrice: '1.0015',
      cryptoCurrencyAmount: '96.15576635',
    });
  });

  it('is refused when the fees eat it up', () => {
    const [usd] = fiatCurrencies;
    const btc = cryptoCurrencies.find(({ code }) => code === 'BTC');
    if (!usd || !btc) throw new Error('The catalog has no BTC.');
    expect(() => quote(usd, btc, '1')).toThrow(
      expect.objectContaining({ code: 'ERR_PARAMS_INVALID' }),
    );
  });
});

describe('decimals', () => {
  it('come back as they went in', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat({ max: 18 }), (units, scale) => {
        expect(decimal(decimalText(units, scale))).toEqual({ units, scale });
      }),
    );
  });

  it.each(['', '-1', '1e3', '1.', '.5', '1,5', ' 1', 'NaN'])('are not %j', (text) => {
    expect(() => decimal(text)).toThrow(SyntaxError);
  });
});
