import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { multiplyPrice } from '../../../src/react/nft/NftCard.js';

it.each([
  ['0.05', 3, '0.15'],
  ['0.100000000000000001', 3, '0.300000000000000003'],
  ['12', 2, '24'],
  ['0.00', 5, '0.00'],
])('multiplies %s by %i to %s', (amount, count, product) => {
  expect(multiplyPrice(amount, count)).toBe(product);
});

it.each(['1e-7', '0.05 ', '-1', '', '1,5', '.5'])(
  'returns %j unchanged, because it is not an amount',
  (amount) => {
    expect(multiplyPrice(amount, 3)).toBe(amount);
  },
);

it('equals repeated addition', () => {
  const amounts = fc.stringMatching(/^(0|[1-9]\d{0,17})(\.\d{1,18})?$/);
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 1000 }), (amount, count) => {
      const units = (text: string) => BigInt(text.replace('.', ''));
      expect(units(multiplyPrice(amount, count))).toBe(units(amount) * BigInt(count));
    }),
  );
});
