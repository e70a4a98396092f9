import { describe, expect, it } from 'vitest';
import { listPresets } from '../../../src/client/quote/selection.js';

const method = { name: 'CARD_PAYMENT', minAmount: '15.00', maxAmount: '250.00' };

describe('listPresets', () => {
  it('leaves out amounts outside the limits of the payment method', () => {
    const amounts = ['10', '15', '100', '250.00', '250.01'];
    expect(listPresets(amounts, 'USD', method)).toEqual(['15', '100', '250.00']);
    expect(listPresets(amounts, 'USD', undefined)).toEqual(amounts);
  });

  it('takes the list of the selected currency', () => {
    const presets = { USD: ['50'], JPY: ['5000', '10000'] };
    expect(listPresets(presets, 'JPY', undefined)).toEqual(['5000', '10000']);
    expect(listPresets(presets, 'EUR', undefined)).toEqual([]);
  });

  it('leaves out what is not a decimal string', () => {
    expect(listPresets(['50', '1e2', '-5', ''], 'USD', undefined)).toEqual(['50']);
  });
});
