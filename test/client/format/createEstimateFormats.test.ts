import { describe, expect, it } from 'vitest';
import { createAmountFormats } from '../../../src/client/format/createAmountFormats.js';
import { createEstimateFormats } from '../../../src/client/format/createEstimateFormats.js';

const formatsOf = (language: string) => createEstimateFormats(createAmountFormats(language));

describe('createEstimateFormats', () => {
  it('formats the amount of a coin with the digits that matter', () => {
    const { estimate } = formatsOf('en');
    expect(estimate('1096.17182699', 'USDT')).toBe('1,096.17');
    expect(estimate('97.00000000', 'USDT')).toBe('97.00');
    expect(estimate('0.00420000', 'USDC')).toBe('0.0042');
    expect(estimate('0.05000000', 'ETH')).toBe('0.05');
    expect(estimate('0.03072987', 'ETH')).toBe('0.0307298');
    expect(formatsOf('de').estimate('1234567.891', 'SHIB')).toBe('1.234.567');
  });

  it('formats the price of a coin with at least two decimals', () => {
    const { unitPrice } = formatsOf('en');
    expect(unitPrice('1.00153246', 'USD')).toBe('1.00153\u00a0USD');
    expect(unitPrice('3119.40237500', 'USD')).toBe('3,119.40\u00a0USD');
    expect(unitPrice('96540.00000000', 'USD')).toBe('96,540.00\u00a0USD');
    expect(unitPrice('468421.53', 'JPY')).toBe('468,421.53\u00a0JPY');
  });
});
