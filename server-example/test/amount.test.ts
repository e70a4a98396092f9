import { describe, expect, it } from 'vitest';
import { toAmount } from '../storefront/src/amount.js';

describe('toAmount', () => {
  it.each([
    ['100', '100'],
    [' 99,5 ', '99.5'],
    ['0100.50', '100.50'],
    ['0.50', '0.50'],
  ])('reads %j as %s', (typed, amount) => {
    expect(toAmount(typed)).toBe(amount);
  });

  it.each(['', '0', '0.00', '-5', '1e3', '1,000.00', '99.999', '.5', '12x', '1234567'])(
    'takes %j for no amount',
    (typed) => {
      expect(toAmount(typed)).toBeUndefined();
    },
  );
});
