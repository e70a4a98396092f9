import { describe, expect, it } from 'vitest';
import { findFixedAmount } from '../../../src/protocol/handler/findFixedAmount.js';
import { parseSelection } from '../../../src/protocol/handler/parseSelection.js';

const find = (input: object) => findFixedAmount(parseSelection('on-ramp', input));

describe('findFixedAmount', () => {
  it('returns the fixed amount and its currency as the terms of a grant', () => {
    expect(find({ amountFixed: '99.50', fiatCurrency: 'EUR', amount: '5' })).toEqual({
      expectedAmount: '99.50',
      expectedFiatCurrency: 'EUR',
    });
  });

  it.each([
    ['only a default amount, which the shopper may change', { amount: '100', fiatCurrency: 'EUR' }],
    ['a fixed amount in several currencies', { amountFixed: '100', fiatCurrency: 'EUR,JPY' }],
    [
      'a fixed amount in a currency that is only chosen at the start',
      { amountFixed: '100', defaultFiatCurrency: 'EUR' },
    ],
    ['nothing', {}],
  ])('returns nothing for %s', (_, input) => {
    expect(find(input)).toBeUndefined();
  });
});
