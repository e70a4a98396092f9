import { describe, expect, it } from 'vitest';
import {
  type MatchContext,
  matchOrder,
  matchOrders,
} from '../../../src/server/orders/matchOrder.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../../support/server/orderFixtures.js';

/**
 * Creates a context in which the key of an order ID or a reference is its upper-case form. The keys then differ from
 * the texts that they stand for, as they do in the SQL store.
 */
const createContext = (context: Partial<MatchContext>): MatchContext => ({
  records: new Map(),
  byReference: new Map(),
  byOrderNo: new Map(),
  toKey: (name) => name.toUpperCase(),
  ...context,
});

describe('matchOrders', () => {
  it('claims a checkout for its first order only', () => {
    const checkout = onRampCheckout();
    const byReference = new Map([['R1', { terms: checkout }]]);
    const orders = [onRampOrder({ orderId: 'o1' }), onRampOrder({ orderId: 'o2' })];
    const { records, claims } = matchOrders(orders, createContext({ byReference }), baseTime);
    expect(records.map(({ matchStatus }) => matchStatus)).toEqual(['matched', 'matched']);
    expect([...claims]).toEqual([['R1', 'O1']]);
  });

  it('claims nothing for a checkout that has an order already', () => {
    const byReference = new Map([['R1', { terms: onRampCheckout(), matchedOrderId: 'O1' }]]);
    const orders = [onRampOrder({ orderId: 'o2' })];
    const { records, claims } = matchOrders(orders, createContext({ byReference }), baseTime);
    expect([records.length, claims.size]).toEqual([1, 0]);
  });

  it('matches an order that names a checkout of this package with no other one', () => {
    const { ext, details } = { ext: 'q1Jz8sUjXo2dR4TkWb7n9A', details: { merchantOrderNo: 'n-1' } };
    const byOrderNo = new Map([['N-1', { terms: nftCheckout() }]]);
    const match = (order: Parameters<typeof nftOrder>[1]) =>
      matchOrders([nftOrder('finished', order)], createContext({ byOrderNo }), baseTime).records[0];
    expect(match({ ext, details })).toMatchObject({ matchStatus: 'unmatched' });
    expect(match({ ext: undefined, details })).not.toMatchObject({ matchStatus: 'unmatched' });
  });

  it('recognizes the first order of an NFT by its key', () => {
    const byReference = new Map([['R1', { terms: nftCheckout(), matchedOrderId: 'O1' }]]);
    const match = (orderId: string) =>
      matchOrders([nftOrder('finished', { orderId })], createContext({ byReference }), baseTime)
        .records[0];
    expect(match('o1')).toMatchObject({ matchStatus: 'matched' });
    expect(match('o2')).toMatchObject({ matchStatus: 'quarantined', reason: 'second-order' });
  });

  it('leaves an order without a reference and an order number unmatched', () => {
    const { records } = matchOrders([onRampOrder({ ext: '' })], createContext({}), baseTime);
    expect(records).toMatchObject([{ matchStatus: 'unmatched' }]);
  });
});

describe('matchOrder', () => {
  it('does not take a missing wallet for a wallet named "undefined"', () => {
    const params = { walletAddress: 'undefined', walletAddressLocked: '1' };
    const order = onRampOrder({ walletAddress: undefined });
    const checkout = onRampCheckout({ params });
    expect(matchOrder(order, { checkout }, baseTime)).toMatchObject({ reason: 'wallet' });
  });
});
