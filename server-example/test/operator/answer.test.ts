import { describe, expect, it } from 'vitest';
import { findAnswer, findShopperText } from '../../storefront/src/operator/answer.js';
import type {
  OperatorCheckout,
  OperatorDetails,
  OperatorOrder,
} from '../../storefront/src/operator/operatorData.js';
import { guessKind } from '../../storefront/src/operator/SearchResults.js';
import { describeMatch, describeUnpaid, formatTime } from '../../storefront/src/operator/texts.js';
import { createTimeline } from '../../storefront/src/operator/timeline.js';

const now = 1_790_000_000;
const createOrder = (given: Partial<OperatorOrder> = {}): OperatorOrder => ({
  orderId: 'o1',
  reference: 'r1',
  title: 'Top-up',
  fulfilment: 'delivered',
  matchStatus: 'matched',
  state: 'finished',
  paid: '100.00 USD',
  bought: '97.09 USDT',
  recordedAt: now,
  changedAt: now,
  ...given,
});
const createCheckout = (given: Partial<OperatorCheckout> = {}): OperatorCheckout => ({
  reference: 'r1',
  title: 'Top-up',
  shopper: 'u1',
  createdAt: now - 600,
  expiresAt: now + 600,
  orders: [],
  ...given,
});
const answer = (checkout: OperatorCheckout, details: Partial<OperatorDetails> = {}) =>
  findAnswer({ checkout, others: [], syncedAt: now, ...details }, now);

describe('findAnswer', () => {
  it('is about the order that needs the most attention', () => {
    const orders = [
      createOrder(),
      createOrder({
        orderId: 'o2',
        fulfilment: 'needs-attention',
        case: { reason: 'wallet', openedAt: now },
      }),
    ];
    expect(answer(createCheckout({ orders }))).toMatchObject({
      tone: 'wrong',
      title: 'Paid. The crypto was sent to another wallet.',
      canSync: false,
    });
  });

  it('names the next attempt of a failing delivery', () => {
    const delivery = { tries: 3, nextAttemptAt: now + 40 };
    const retrying = createOrder({ fulfilment: 'retrying', delivery });
    const { text } = answer(createCheckout({ orders: [retrying] }));
    expect(text).toMatch(/^3 attempts failed\. The next attempt is at .+\. You don’t need/);
    const late = createOrder({
      fulfilment: 'needs-attention',
      case: { reason: 'delivery', openedAt: now - 60 },
      delivery: { tries: 1, nextAttemptAt: now },
    });
    expect(answer(createCheckout({ orders: [late] }))).toMatchObject({
      title: 'Paid, but the shop has not delivered it.',
      text: expect.stringMatching(/^1 attempt failed\./),
    });
  });

  it('mentions a lost webhook only if there was none', () => {
    const orders = [createOrder({ deliveredAt: now })];
    expect(answer(createCheckout({ orders })).text).toContain('Its webhook was lost');
    const announced = createCheckout({ orders, announcedAt: now });
    expect(answer(announced).text).not.toContain('webhook');
  });

  it('of an unpaid checkout names a payment of the same shopper', () => {
    expect(answer(createCheckout())).toMatchObject({ title: 'Not paid.', canSync: true });
    const others = [createCheckout({ reference: 'r2' })];
    expect(answer(createCheckout(), { others }).title).toBe('Not paid.');
    others.push(createCheckout({ reference: 'r3', orders: [createOrder()] }));
    expect(answer(createCheckout(), { others })).toMatchObject({
      title: 'Not paid. But the same shopper paid another checkout.',
      text: expect.stringContaining('Top-up, 100.00 USD'),
    });
  });

  it('of an announced checkout does not say that it is not paid', () => {
    expect(answer(createCheckout({ announcedAt: now }))).toMatchObject({
      title: 'A payment was announced, but is not confirmed.',
      canSync: true,
    });
  });

  it.each([
    ['handled', 'Handled: refunded.'],
    ['unconfirmed', 'The service does not say yet whether it is paid.'],
    ['unrecorded', 'The shop has no record of its delivery.'],
    ['unmatched', 'This order belongs to no checkout of this shop.'],
    ['processing', 'Paid. The delivery is under way.'],
  ] as const)('has a title for an order that is %s', (fulfilment, title) => {
    const found = { reason: 'wallet', openedAt: now, handledAt: now, outcome: 'refunded' } as const;
    const order = createOrder({ fulfilment, ...(fulfilment === 'handled' && { case: found }) });
    expect(findAnswer({ order, others: [] }, now).title).toBe(title);
  });
});

describe('findShopperText', () => {
  const read = (given: Partial<OperatorCheckout>) => findShopperText(createCheckout(given), now)[0];
  const wrong = createOrder({ matchStatus: 'quarantined', fulfilment: 'needs-attention' });

  it('is what the status card shows', () => {
    expect(read({})).toBe('Waiting for your payment');
    expect(read({ expiresAt: now })).toBe('No payment received');
    expect(read({ announcedAt: now, outcome: 'unconfirmed' })).toBe(
      'Your order is being confirmed',
    );
    expect(read({ orders: [createOrder({ matchStatus: 'unknown' })] })).toBe(
      'Your order is being confirmed',
    );
    expect(read({ orders: [wrong] })).toBe('Your order is under review');
    expect(read({ orders: [wrong, createOrder()] })).toBe('Delivered');
    expect(read({ title: 'Seed Head', orders: [createOrder()] })).toBe('Paid');
  });

  it.each([
    ['refunded', 'Refunded'],
    ['delivered', 'Delivered'],
    ['closed', 'Review complete'],
  ] as const)('follows the outcome %s once every order has one', (resolution, title) => {
    const resolved = { ...wrong, resolution };
    expect(read({ orders: [resolved] })).toBe(title);
    expect(read({ orders: [wrong, resolved] })).toBe('Your order is under review');
  });
});

describe('the texts of an order', () => {
  it('never call it matched while it is a case', () => {
    const found = { reason: 'sold-before', openedAt: now } as const;
    expect(describeMatch(createOrder({ case: found }))).toBe(
      'Another shopper paid for this print first.',
    );
    expect(describeMatch(createOrder())).toBe('Matched');
    const handled = { ...found, handledAt: now, outcome: 'refunded' } as const;
    expect(describeMatch(createOrder({ case: handled }))).toBe('Refunded');
  });

  it('leave out the date of today', () => {
    const at = new Date(2026, 10, 22, 21, 6, 12).getTime();
    const format = (options: Parameters<typeof formatTime>[1]) => formatTime(at / 1000, options);
    expect(format({ now: at })).toMatch(/^9:06\sPM$/);
    expect(format({ now: at, seconds: true })).toMatch(/^9:06:12\sPM$/);
    expect(format({ now: at + 86_400_000 })).toMatch(/^Nov 22, 9:06\sPM$/);
    expect(format({ now: at + 86_400_000 * 90 })).toMatch(/^Nov 22, 2026, 9:06\sPM$/);
  });

  it('say whether an unpaid checkout can still be paid', () => {
    const describeAt = (given: Partial<OperatorCheckout>) =>
      describeUnpaid(createCheckout(given), now).detail;
    expect(describeAt({})).toBe('Still open');
    expect(describeAt({ expiresAt: now })).toBe('Expired');
    expect(describeAt({ announcedAt: now })).toBe('Not in the order list yet');
  });

  it('name what was searched', () => {
    expect(guessKind(`0x${'a'.repeat(40)}`)).toBe('wallet');
    expect(guessKind(`0x${'a'.repeat(64)}`)).toBe('transaction');
    expect(guessKind('a'.repeat(32))).toBe('order number');
    expect(guessKind('q1Jz8sUjXo2dR4TkWb7n9A')).toBe('reference');
    expect(guessKind('100 USD')).toBe('reference, order, wallet or transaction');
  });
});

describe('createTimeline', () => {
  const names = (order: OperatorOrder | undefined, given: Partial<OperatorCheckout> = {}) =>
    createTimeline(createCheckout(given), order).map(({ name, at, text }) => [name, at ?? text]);

  it('has every step with its time, or what is known instead', () => {
    expect(names(undefined)).toEqual([
      ['Checkout created', now - 600],
      ['Opened by the shopper', 'Never'],
      ['Announced by a webhook', 'No'],
      ['Recorded from the order list', 'No'],
    ]);
    const times = { payTime: now - 9, sentTime: now - 8, finishTime: now - 7, deliveredAt: now };
    const order = createOrder({ ...times, settledAt: now + 1 });
    expect(names(order, { openedAt: now - 500 })).toEqual([
      ['Checkout created', now - 600],
      ['Opened by the shopper', now - 500],
      ['Paid at the service', now - 9],
      ['Sent by the service', now - 8],
      ['Confirmed by the service', now - 7],
      ['Announced by a webhook', 'No, it was lost'],
      ['Recorded from the order list', now],
      ['Delivered by the shop', now],
      ['Settled', now + 1],
    ]);
  });

  it.each([
    [{ case: { reason: 'wallet', openedAt: now } }, 'No, held for review'],
    [{ delivery: { tries: 0, nextAttemptAt: now } }, 'Not yet'],
    [
      { case: { reason: 'delivery', openedAt: now, handledAt: now, outcome: 'refunded' } },
      'No, taken over by a person',
    ],
    [{ matchStatus: 'unmatched' }, 'No, it has no checkout'],
  ] as const)('says why an order was not delivered', (given, text) => {
    expect(names(createOrder(given))).toContainEqual(['Delivered by the shop', text]);
  });
});
