import { describe, expect, it } from 'vitest';
import { type Checkout, findMismatch } from '../../../src/server/index.js';
import {
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../../support/server/orderFixtures.js';

const locked = (walletAddress?: string): Partial<Checkout> => ({
  params: { walletAddressLocked: '1', ...(walletAddress && { walletAddress }) },
});
const fixed: Partial<Checkout> = { expectedAmount: '100', expectedFiatCurrency: 'USD' };

describe('findMismatch', () => {
  it('finds nothing in an order with the terms of its checkout', () => {
    expect(findMismatch(onRampOrder(), onRampCheckout(fixed))).toBeUndefined();
    expect(findMismatch(nftOrder(), nftCheckout())).toBeUndefined();
  });

  it.each([
    [
      'another wallet',
      onRampOrder({ walletAddress: '0x2' }),
      onRampCheckout(locked('0x1')),
      { reason: 'wallet', field: 'walletAddress', expected: '0x1', actual: '0x2' },
    ],
    [
      'no wallet',
      onRampOrder({ walletAddress: undefined }),
      onRampCheckout(locked('0x1')),
      { reason: 'wallet', field: 'walletAddress', expected: '0x1' },
    ],
    [
      'a wallet that is locked and missing',
      onRampOrder({ walletAddress: '0x2' }),
      onRampCheckout(locked()),
      { reason: 'wallet', field: 'walletAddress', actual: '0x2' },
    ],
    [
      'another amount',
      onRampOrder({ currencyAmount: '99.00' }),
      onRampCheckout(fixed),
      { reason: 'amount', field: 'currencyAmount', expected: '100', actual: '99.00' },
    ],
    [
      'another currency',
      onRampOrder({ fiatCurrency: 'EUR' }),
      onRampCheckout(fixed),
      { reason: 'currency', field: 'fiatCurrency', expected: 'USD', actual: 'EUR' },
    ],
    [
      'another quantity',
      nftOrder('finished', { details: { mintQuantity: 1 } }),
      nftCheckout(),
      { reason: 'nft', field: 'mintQuantity', expected: '2', actual: '1' },
    ],
    [
      'an empty NFT field',
      nftOrder('finished', { details: { type: undefined } }),
      nftCheckout(),
      { reason: 'nft', field: 'type', expected: 'MINT' },
    ],
    [
      'no NFT',
      nftOrder('finished', { nftDetails: [] }),
      nftCheckout(),
      { reason: 'nft', field: 'nftDetails', expected: '1 NFT', actual: '0 NFTs' },
    ],
    [
      'the other widget',
      nftOrder(),
      onRampCheckout(),
      { reason: 'widget', expected: 'on-ramp', actual: 'nft' },
    ],
  ])('names both values of %s', (_, order, checkout, mismatch) => {
    expect(findMismatch(order, checkout)).toEqual(mismatch);
  });
});
