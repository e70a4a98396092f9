import { describe, expect, it } from 'vitest';
import type { Order } from '../../../src/protocol/index.js';
import { toCheckoutResponse } from '../../../src/server/handler/status.js';
import type { CheckoutIntent, CheckoutRecord, OrderRecord } from '../../../src/server/index.js';
import { matchOrder } from '../../../src/server/orders/matchOrder.js';
import {
  baseTime,
  nftIntent,
  nftOrder,
  onRampIntent,
  onRampOrder,
} from '../../support/server/orderFixtures.js';
import { testRuntime } from '../../support/server/testRuntime.js';

const checkout = (
  intent: CheckoutIntent,
  orders: readonly Order[] = [],
  outcome?: CheckoutRecord['outcome'],
): CheckoutRecord => ({
  intent,
  ...(outcome && { outcome }),
  orders: orders.map((order) => matchOrder(order, { intent }, baseTime) as OrderRecord),
});
const at = (seconds: number) => ({ runtime: testRuntime({ now: () => seconds * 1000 }) });
const progress = (...given: Parameters<typeof checkout>) =>
  toCheckoutResponse(checkout(...given), at(baseTime)).progress;

describe('the progress of toCheckoutResponse', () => {
  const wrong = onRampOrder({ walletAddress: '0xother' });

  it('depends on the orders first, then on the outcome and the time', () => {
    const intent = onRampIntent();
    const over = onRampIntent({ expiresAt: baseTime });
    expect(progress(intent)).toBe('waiting');
    expect(progress(intent, [], 'unconfirmed')).toBe('unconfirmed');
    expect(progress(over)).toBe('expired');
    expect(progress(over, [], 'unconfirmed')).toBe('expired');
    expect(progress(intent, [], 'expired')).toBe('expired');
    expect(progress(over, [onRampOrder()], 'expired')).toBe('finished');
    expect(progress(intent, [wrong])).toBe('review');
    expect(progress(intent, [wrong, onRampOrder({ orderId: 'o2' })])).toBe('finished');
    expect(progress(intent, [onRampOrder({ state: 'unknown' })])).toBe('unconfirmed');
  });

  it.each(['finished', 'settlement', 'settled'] as const)(
    'is %s if the NFT order is in that state',
    (state) => {
      expect(progress(nftIntent(), [nftOrder(state)])).toBe(state);
    },
  );
});

describe('the resolution of toCheckoutResponse', () => {
  const wrong = onRampOrder({ orderId: 'o2', walletAddress: '0xother' });
  const resolve = (orders: readonly Order[], ...resolutions: OrderRecord['resolution'][]) => {
    const found = checkout(onRampIntent(), orders);
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
    const intent = onRampIntent();
    const paidTwice = toCheckoutResponse(checkout(intent, [onRampOrder(), wrong]), at(baseTime));
    expect(paidTwice).toMatchObject({ progress: 'finished', underReview: 1 });
    expect(paidTwice.orders).toHaveLength(1);
    const more = { ...wrong, orderId: 'o3' };
    const { orders, underReview } = toCheckoutResponse(
      checkout(intent, [wrong, onRampOrder({ state: 'unknown' }), more]),
      at(baseTime),
    );
    expect([orders.length, underReview]).toEqual([1, 2]);
  });

  it('is absent, and the progress is review, when no order is matched', () => {
    const response = toCheckoutResponse(checkout(onRampIntent(), [wrong]), at(baseTime));
    expect(response).toMatchObject({ progress: 'review', orders: [] });
    expect(response).not.toHaveProperty('underReview');
  });

  it('is absent without quarantined orders', () => {
    for (const orders of [[], [onRampOrder()]])
      expect(toCheckoutResponse(checkout(onRampIntent(), orders), at(baseTime))).not.toHaveProperty(
        'underReview',
      );
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
    expect(toCheckoutResponse(checkout(onRampIntent(), [order]), at(baseTime))).toEqual({
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
        checkout(nftIntent(), [nftOrder(state)]),
        at(baseTime + 60),
      ).orders;
      expect(shown?.changedAt).toBe(when);
    },
  );

  it.each(['../../login', '<b>', 'a b', ''])('have no transaction hash for "%s"', (txHash) => {
    const [shown] = toCheckoutResponse(
      checkout(onRampIntent(), [onRampOrder({ txHash })]),
      at(baseTime),
    ).orders;
    expect(shown).not.toHaveProperty('transactionHash');
  });

  it('have no wallet, user, metadata or quarantined order', () => {
    const intent = onRampIntent({ metadata: { secret: 'ours' }, expectedAmount: '100' });
    const orders = [
      onRampOrder({ userId: 'their-user' }),
      onRampOrder({ orderId: 'o2', currencyAmount: '7.77' }),
    ];
    const json = JSON.stringify(toCheckoutResponse(checkout(intent, orders), at(baseTime)));
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
    const [shown] = toCheckoutResponse(checkout(onRampIntent(), [order]), at(baseTime)).orders;
    expect(shown).not.toHaveProperty('transactionUrl');
  });
});
