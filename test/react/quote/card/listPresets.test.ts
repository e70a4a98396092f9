import { describe, expect, it } from 'vitest';
import { findExceededLimit } from '../../../../src/client/quote/selection.js';
import { listPresets } from '../../../../src/react/quote/card/PresetAmounts.js';

const method = { name: 'CARD_PAYMENT', minAmount: '15.00', maxAmount: '250.00' };
const findLimit = (amount: string) => findExceededLimit(amount, method);
const findNoLimit = () => undefined;

describe('listPresets', () => {
  it('leaves out amounts outside the limits of the payment method', () => {
    const amounts = ['10', '15', '100', '250.00', '250.01'];
    expect(listPresets(amounts, 'USD', findLimit)).toEqual(['15', '100', '250.00']);
    expect(listPresets(amounts, 'USD', findNoLimit)).toEqual(amounts);
  });

  it('takes the list of the selected currency', () => {
    const presets = { USD: ['50'], JPY: ['5000', '10000'] };
    expect(listPresets(presets, 'JPY', findNoLimit)).toEqual(['5000', '10000']);
    expect(listPresets(presets, 'EUR', findNoLimit)).toEqual([]);
  });

  it('leaves out what is not a decimal string', () => {
    expect(listPresets(['50', '1e2', '-5', ''], 'USD', findNoLimit)).toEqual(['50']);
  });
});
