import { describe, expect, it } from 'vitest';
import type { Order } from '../../../src/protocol/index.js';
import { toCheckoutResponse } from '../../../src/server/handler/toCheckoutResponse.js';
import type { CheckoutIntent, CheckoutRecord, OrderRecord } from '../../../src/server/index.js';
import { matchOrder } from '../../../src/server/orders/matchOrder.js';
import {
  baseTime,
  nftIntent,
  nftOrder,
  onRampIntent,
  onRampOrder,
} from '../../support/server/orderFixtures.js';

const checkout = (
  intent: CheckoutIntent,
  orders: readonly Order[] = [],
  outcome?: CheckoutRecord['outcome'],
): CheckoutRecord => ({
  intent,
  ...(outcome && { outcome }),
  orders: orders.map((order) => matchOrder(order, { intent }, baseTime) as OrderRecord),
});
const progress = (...given: Parameters<typeof checkout>) =>
  toCheckoutResponse(checkout(...given), baseTime).progress;

describe('How far a checkout is', () => {
  const wrong = onRampOrder({ walletAddress: '0xother' });

  it('goes by its orders first, then by its outcome and its time', () => {
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

  it.each(['finished', 'settlement', 'settled'] as const)('is %s as its NFT order is', (state) => {
    expect(progress(nftIntent(), [nftOrder(state)])).toBe(state);
  });
});

describe('Orders under review', () => {
  const wrong = onRampOrder({ orderId: 'o2', walletAddress: '0xother' });

  it('are counted beside the matched orders', () => {
    const intent = onRampIntent();
    const paidTwice = toCheckoutResponse(checkout(intent, [onRampOrder(), wrong]), baseTime);
    expect(paidTwice).toMatchObject({ progress: 'finished', underReview: 1 });
    expect(paidTwice.orders).toHaveLength(1);
    const more = { ...wrong, orderId: 'o3' };
    const { orders, underReview } = toCheckoutResponse(
      checkout(intent, [wrong, onRampOrder({ state: 'unknown' }), more]),
      baseTime,
    );
    expect([orders.length, underReview]).toEqual([1, 2]);
  });

  it('are the progress itself, and not counted, where no order is matched', () => {
    const answer = toCheckoutResponse(checkout(onRampIntent(), [wrong]), baseTime);
    expect(answer).toMatchObject({ progress: 'review', orders: [] });
    expect(answer).not.toHaveProperty('underReview');
  });

  it('are not mentioned where there are none', () => {
    for (const orders of [[], [onRampOrder()]])
      expect(toCheckoutResponse(checkout(onRampIntent(), orders), baseTime)).not.toHaveProperty(
        'underReview',
      );
  });
});

describe('What a shopper is shown', () => {
  it('is what the order came to, and where it can be seen', () => {
    const order = onRampOrder({
      network: 'ethereum_mainnet',
      blockchainExplorer: 'https://explorer.example/tx/',
      payTime: baseTime - 300,
      deliverTime: baseTime - 120,
    });
    expect(toCheckoutResponse(checkout(onRampIntent(), [order]), baseTime)).toEqual({
      reference: 'r1',
      widget: 'on-ramp',
      progress: 'finished',
      orders: [
        {
          state: 'finished',
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
    'is when the backend learned of it, where %s has no time of its own',
    (state, when) => {
      const [shown] = toCheckoutResponse(
        checkout(nftIntent(), [nftOrder(state)]),
        baseTime + 60,
      ).orders;
      expect(shown?.changedAt).toBe(when);
    },
  );

  it.each(['../../login', '<b>', 'a b', ''])('is no hash like "%s"', (txHash) => {
    const [shown] = toCheckoutResponse(
      checkout(onRampIntent(), [onRampOrder({ txHash })]),
      baseTime,
    ).orders;
    expect(shown).not.toHaveProperty('transactionHash');
  });

  it('is neither a wallet nor a user nor what the partner keeps, nor an order under review', () => {
    const intent = onRampIntent({ metadata: { secret: 'ours' }, expectedAmount: '100' });
    const orders = [
      onRampOrder({ userId: 'their-user' }),
      onRampOrder({ orderId: 'o2', currencyAmount: '7.77' }),
    ];
    const said = JSON.stringify(toCheckoutResponse(checkout(intent, orders), baseTime));
    for (const kept of ['0xAbC', '0xabc', 'their-user', 'ours', 'u1', '7.77'])
      expect(said).not.toContain(kept);
  });

  it.each([
    ['http://explorer.example/tx/', '0xf00d'],
    ['javascript:alert(1)//', '0xf00d'],
    ['https://user:word@explorer.example/', '0xf00d'],
    ['https://explorer.example/tx/', '../../login?x='],
    ['https://explorer.example/tx/', ''],
    ['', '0xf00d'],
  ])('is no link to %s%s', (blockchainExplorer, txHash) => {
    const order = onRampOrder({ blockchainExplorer, txHash });
    const [shown] = toCheckoutResponse(checkout(onRampIntent(), [order]), baseTime).orders;
    expect(shown).not.toHaveProperty('transactionUrl');
  });
});
