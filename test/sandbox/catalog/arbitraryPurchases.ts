import fc from 'fast-check';
import { formatUnits, parseUnits } from '../../../src/protocol/decimals.js';
import {
  cryptoCurrencies,
  nftCryptoCurrencies,
} from '../../../src/sandbox/catalog/cryptoCurrencies.js';
import { fiatCurrencies } from '../../../src/sandbox/catalog/fiatCurrencies.js';
import type { Purchase } from '../../../src/sandbox/catalog/pricing.js';

const pair = <C>(cryptos: readonly C[]) =>
  fc
    .tuple(fc.constantFrom(...fiatCurrencies), fc.constantFrom(...cryptos))
    .chain(([fiat, crypto]) =>
      fc.record({
        fiat: fc.constant(fiat),
        crypto: fc.constant(crypto),
        option: fc.constantFrom(...fiat.paymentOptions),
      }),
    );

/** Any time with 13 digits in milliseconds, which is from 2001 to 2286. */
export const arbitraryTimes = fc.integer({ min: 10 ** 12, max: 10 ** 13 - 1 });

/** Purchases of any cryptocurrency with any fiat currency and payment option, for any amount within its limits. */
export const arbitraryPurchases = pair(cryptoCurrencies).chain((chosen): fc.Arbitrary<Purchase> => {
  const { digits } = chosen.fiat;
  const units = (text: string) => parseUnits(text, digits);
  return fc
    .bigInt({ min: units(chosen.option.min), max: units(chosen.option.max) })
    .map((amount) => ({ ...chosen, amount: formatUnits(amount, digits) }));
});

/** Purchases of NFTs that cost up to about 10,000 units of their currency, with up to 18 decimals. */
export const arbitraryNftPurchases = pair(nftCryptoCurrencies).chain(
  (chosen): fc.Arbitrary<Purchase> =>
    fc
      .tuple(fc.bigInt({ min: 1n, max: 10n ** 22n }), fc.nat({ max: 18 }))
      .map(([units, scale]) => ({
        ...chosen,
        amount: formatUnits(units / 10n ** BigInt(18 - scale), scale),
      })),
);
