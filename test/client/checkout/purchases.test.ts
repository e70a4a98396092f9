import { describe, expect, it } from 'vitest';
import type { CheckoutOptions } from '../../../src/client/checkout/CheckoutSettings.js';
import { toPurchaseKey } from '../../../src/client/checkout/purchases.js';

const topUp: CheckoutOptions = {
  widget: 'on-ramp',
  widgetUrl: 'https://pay.example',
  api: '/api/ramp',
  signedParams: { walletAddress: '0xF0', walletAddressLocked: '1' },
  unsignedParams: { amount: '100', cryptoCurrency: 'BTC', defaultFiatCurrency: 'USD' },
};
const print: CheckoutOptions = {
  widget: 'nft',
  widgetUrl: 'https://pay.example',
  api: '/api/ramp',
  signedParams: { merchantUniqueId: 'print-7', type: 'MINT', mintQuantity: '1' },
};

describe('two clicks are for the same purchase', () => {
  it.each<[string, CheckoutOptions]>([
    [
      'with the same parameters in another order',
      {
        ...topUp,
        signedParams: { walletAddressLocked: '1', walletAddress: '0xF0' },
        unsignedParams: { defaultFiatCurrency: 'USD', amount: '100', cryptoCurrency: 'BTC' },
      },
    ],
    [
      'with another display, language, token and callback',
      {
        ...topUp,
        display: 'window',
        language: 'de',
        headers: { Authorization: 'Bearer new' },
        maxAgeSeconds: 5,
        onClose() {},
      },
    ],
    [
      'with another e-mail address and look of the widget',
      {
        ...topUp,
        unsignedParams: { ...topUp.unsignedParams, email: 'a@shop.example', windowOpen: '1' },
      },
    ],
    [
      'with a parameter that is not set',
      {
        ...topUp,
        unsignedParams: { ...topUp.unsignedParams, amountFixed: undefined as never },
        extraParams: {},
      },
    ],
  ])('%s', (_, options) => {
    expect(toPurchaseKey(options)).toBe(toPurchaseKey(topUp));
  });
});

describe('two clicks are for two purchases', () => {
  it.each<[string, CheckoutOptions, CheckoutOptions]>([
    [
      'of two prints',
      print,
      { ...print, signedParams: { ...print.signedParams, merchantUniqueId: 'print-8' } },
    ],
    [
      'of one print and of three',
      print,
      { ...print, signedParams: { ...print.signedParams, mintQuantity: '3' } },
    ],
    [
      'of two amounts',
      topUp,
      { ...topUp, unsignedParams: { ...topUp.unsignedParams, amount: '200' } },
    ],
    [
      'of two coins',
      topUp,
      { ...topUp, unsignedParams: { ...topUp.unsignedParams, cryptoCurrency: 'ETH' } },
    ],
    ['to two wallets', topUp, { ...topUp, signedParams: { walletAddress: '0xF1' } }],
    ['of two goods of the service', topUp, { ...topUp, extraParams: { plan: 'gold' } }],
    ['through two backends', topUp, { ...topUp, api: '/api/other' }],
    ['at two services', topUp, { ...topUp, widgetUrl: 'https://sandbox.example' }],
    [
      'of a top-up and of a print',
      { ...topUp, signedParams: {}, unsignedParams: {} },
      { ...print, signedParams: {} },
    ],
  ])('%s', (_, one, other) => {
    expect(toPurchaseKey(one)).not.toBe(toPurchaseKey(other));
  });
});
