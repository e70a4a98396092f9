import { describe, expect, it } from 'vitest';
import type { Order } from '../../../src/protocol/index.js';
import { toCheckoutResponse } from '../../../src/server/handler/status.js';
import type { Checkout, CheckoutRecord, OrderRecord } from '../../../src/server/index.js';
import { matchOrder } from '../../../src/server/orders/matchOrder.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../../support/server/orderFixtures.js';
import { testRuntime } from '../../support/server/testRuntime.js';

const recorded = (
  checkout: Checkout,
  orders: readonly Order[] = [],
  outcome?: CheckoutRecord['outcome'],
): CheckoutRecord => ({
  ...checkout,
  ...(outcome && { outcome }),
  orders: orders.map((order) => matchOrder(order, { checkout }, baseTime) as OrderRecord),
});
const at = (seconds: number) => ({ runtime: testRuntime({ now: () => seconds * 1000 }) });
const progress = (...given: Parameters<typeof recorded>) =>
  toCheckoutResponse(recorded(...given), at(baseTime)).progress;

describe('the progress of toCheckoutResponse', () => {
  const wrong = onRampOrder({ walletAddress: '0xother' });

  it('depends on the orders first, then on the outcome and the time', () => {
    const checkout = onRampCheckout();
    const over = onRampCheckout({ expiresAt: baseTime });
    expect(progress(checkout)).toBe('waiting');
    expect(progress(checkout, [], 'unconfirmed')).toBe('unconfirmed');
    expect(progress(over)).toBe('expired');
    expect(progress(over, [], 'unconfirmed')).toBe('expired');
    expect(progress(checkout, [], 'expired')).toBe('expired');
    expect(progress(over, [onRampOrder()], 'expired')).toBe('finished');
    expect(progress(checkout, [wrong])).toBe('review');
    expect(progress(checkout, [wrong, onRampOrder({ orderId: 'o2' })])).toBe('finished');
    expect(progress(checkout, [onRampOrder({ state: 'unknown' })])).toBe('unconfirmed');
  });

  it.each(['finished', 'settlement', 'settled'] as const)(
    'is %s if the NFT order is in that state',
    (state) => {
      expect(progress(nftCheckout(), [nftOrder(state)])).toBe(state);
    },
  );
});

describe('the resolution of toCheckoutResponse', () => {
  const wrong = onRampOrder({ orderId: 'o2', walletAddress: '0xother' });
  const resolve = (orders: readonly Order[], ...resolutions: OrderRecord['resolution'][]) => {
    const found = recorded(onRampCheckout(), orders);
    const resolved = found.orders.map((record, i) => ({ ...record, resolution: resolutions[i] }));
    return toCheckoutResponse({ ...found, orders: resolved }, at(baseTime));
  };

  it('is that of the newest order, once every order has one', () => {
    expect(resolve([wrong], 'refunded')).toMatchObject({
      progress: 'review',
      resolution: 'refunded',
      orders: [],
    });
    expect(resolve([onRampOrder()], 'delivered').resolution).toBe('delivered');
    expect(resolve([wrong, onRampOrder()], 'refunded', 'closed').resolution).toBe('closed');
    expect(resolve([wrong, onRampOrder()], 'refunded')).not.toHaveProperty('resolution');
    expect(resolve([])).not.toHaveProperty('resolution');
  });

  it('ends the review of an order beside a matched one', () => {
    expect(resolve([onRampOrder(), wrong])).toMatchObject({ underReview: 1 });
    const response = resolve([onRampOrder(), wrong], undefined, 'refunded');
    expect(response).not.toHaveProperty('underReview');
    expect(response.progress).toBe('finished');
  });
});

describe('underReview of toCheckoutResponse', () => {
  const wrong = onRampOrder({ orderId: 'o2', walletAddress: '0xother' });

  it('is the number of quarantined orders beside matched ones', () => {
    const checkout = onRampCheckout();
    const paidTwice = toCheckoutResponse(recorded(checkout, [onRampOrder(), wrong]), at(baseTime));
    expect(paidTwice).toMatchObject({ progress: 'finished', underReview: 1 });
    expect(paidTwice.orders).toHaveLength(1);
    const more = { ...wrong, orderId: 'o3' };
    const { orders, underReview } = toCheckoutResponse(
      recorded(checkout, [wrong, onRampOrder({ state: 'unknown' }), more]),
      at(baseTime),
    );
    expect([orders.length, underReview]).toEqual([1, 2]);
  });

  it('is absent, and the progress is review, when no order is matched', () => {
    const response = toCheckoutResponse(recorded(onRampCheckout(), [wrong]), at(baseTime));
    expect(response).toMatchObject({ progress: 'review', orders: [] });
    expect(response).not.toHaveProperty('underReview');
  });

  it('is absent without quarantined orders', () => {
    for (const orders of [[], [onRampOrder()]])
      expect(
        toCheckoutResponse(recorded(onRampCheckout(), orders), at(baseTime)),
      ).not.toHaveProperty('underReview');
  });
});

describe('the orders of toCheckoutResponse', () => {
  it('have the amounts and the link to the transaction', () => {
    const order = onRampOrder({
      network: 'ethereum_mainnet',
      blockchainExplorer: 'https://explorer.example/tx/',
      payTime: baseTime - 300,
      deliverTime: baseTime - 120,
    });
    expect(toCheckoutResponse(recorded(onRampCheckout(), [order]), at(baseTime))).toEqual({
      reference: 'r1',
      widget: 'on-ramp',
      progress: 'finished',
      orders: [
        {
          state: 'finished',
          orderId: 'o1',
          fiatCurrency: 'USD',
          currencyAmount: '100.00',
          cryptoCurrencyAmount: '97.09000000',
          network: 'ethereum_mainnet',
          transactionHash: '0xf00d',
          transactionUrl: 'https://explorer.example/tx/0xf00d',
          payTime: baseTime - 300,
          deliverTime: baseTime - 120,
          finishTime: baseTime,
        },
      ],
    });
  });

  it.each([
    ['finished', undefined],
    ['settlement', baseTime],
    ['settled', baseTime],
  ] as const)(
    'have changedAt for %s only if that state has no time of the service',
    (state, when) => {
      const [shown] = toCheckoutResponse(
        recorded(nftCheckout(), [nftOrder(state)]),
        at(baseTime + 60),
      ).orders;
      expect(shown?.changedAt).toBe(when);
    },
  );

  it.each(['../../login', '<b>', 'a b', ''])('have no transaction hash for "%s"', (txHash) => {
    const [shown] = toCheckoutResponse(
      recorded(onRampCheckout(), [onRampOrder({ txHash })]),
      at(baseTime),
    ).orders;
    expect(shown).not.toHaveProperty('transactionHash');
  });

  it('have no wallet, user, metadata or quarantined order', () => {
    const checkout = onRampCheckout({ metadata: { secret: 'ours' }, expectedAmount: '100' });
    const orders = [
      onRampOrder({ userId: 'their-user' }),
      onRampOrder({ orderId: 'o2', currencyAmount: '7.77' }),
    ];
    const json = JSON.stringify(toCheckoutResponse(recorded(checkout, orders), at(baseTime)));
    for (const kept of ['0xAbC', '0xabc', 'their-user', 'ours', 'u1', '7.77'])
      expect(json).not.toContain(kept);
  });

  it.each([
    ['http://explorer.example/tx/', '0xf00d'],
    ['javascript:alert(1)//', '0xf00d'],
    ['https://user:word@explorer.example/', '0xf00d'],
    ['https://explorer.example/tx/', '../../login?x='],
    ['https://explorer.example/tx/', ''],
    ['', '0xf00d'],
  ])('have no link to %s%s', (blockchainExplorer, txHash) => {
    const order = onRampOrder({ blockchainExplorer, txHash });
    const [shown] = toCheckoutResponse(recorded(onRampCheckout(), [order]), at(baseTime)).orders;
    expect(shown).not.toHaveProperty('transactionUrl');
  });
});
