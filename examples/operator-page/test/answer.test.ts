import { describe, expect, it } from 'vitest';
import { findAnswer, findShopperText } from '../page/answer.js';
import type { OperatorCheckout, OperatorDetails, OperatorOrder } from '../page/operatorData.js';
import { describeForService, findReply } from '../page/reply.js';
import { describeMatch, describeUnpaid, formatNextAttempt, formatTime } from '../page/texts.js';
import { createTimeline } from '../page/timeline.js';

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

  describe('of an order that the shop fails to book', () => {
    const late = createOrder({
      fulfilment: 'needs-attention',
      case: { reason: 'delivery', openedAt: now - 60 },
      delivery: { tries: 4, nextAttemptAt: 4_000_000_000 },
    });
    const sent = { sentTime: now - 90, transaction: { hash: '0xfeed' } };

    it('separates what the service sent from what the shop still has to do', () => {
      const found = answer(createCheckout({ orders: [{ ...late, ...sent }] }));
      expect(found.title).toBe(
        'Paid. The service sent 97.09 USDT to the shopper’s wallet. Booking the order in the shop keeps failing.',
      );
      expect(found.text).toMatch(
        /^4 booking attempts failed; the next is at .+\. Look at the transaction before you refund anything: .+ Booking matters only for what the shop itself still owes\./,
      );
    });

    it('does not say that the service sent anything unless it did', () => {
      const { title, text } = answer(createCheckout({ orders: [late] }));
      expect(title).toBe('Paid. Booking the order in the shop keeps failing.');
      expect(text).toContain('Ask the service before you refund anything.');
      const unknown = createOrder({ ...late, ...sent, matchStatus: 'unknown' });
      expect(answer(createCheckout({ orders: [unknown] })).title).toBe(
        'Booking the order in the shop keeps failing.',
      );
    });

    it('says that a sync is due once the time of the next attempt has passed', () => {
      const due = { tries: 1, nextAttemptAt: now };
      const { text } = answer(createCheckout({ orders: [{ ...late, delivery: due }] }));
      expect(text).toMatch(/^1 booking attempt failed; the next is due with the next sync\./);
      expect(formatNextAttempt(now + 1, now)).toMatch(/^the next is at /);
      const first = createOrder({ fulfilment: 'retrying', delivery: due, ...sent });
      expect(answer(createCheckout({ orders: [first] }))).toMatchObject({
        title:
          'Paid. The service sent 97.09 USDT to the shopper’s wallet. Booking the order in the shop is under way.',
        text: '1 booking attempt failed; the next is due with the next sync. You don’t need to do anything.',
      });
    });

    it('is in the past once it is handled', () => {
      const handled = {
        fulfilment: 'handled',
        case: { reason: 'delivery', openedAt: now, handledAt: now, outcome: 'closed' },
      } as const;
      expect(answer(createCheckout({ orders: [createOrder(handled)] })).text).toMatch(
        /^Handled at .+\. Booking the order in the shop kept failing\.$/,
      );
    });
  });

  it('mentions a lost message of the service only if there was none', () => {
    const orders = [createOrder({ deliveredAt: now })];
    expect(answer(createCheckout({ orders })).text).toContain('message to the shop was lost');
    const announced = createCheckout({ orders, announcedAt: now });
    expect(answer(announced).text).not.toContain('message');
  });

  it('advises to sync unless the last sync is recent', () => {
    expect(answer(createCheckout(), { syncedAt: now - 60 }).text).toContain('sync now, then');
    expect(answer(createCheckout(), { syncedAt: now - 59 }).text).not.toContain('sync now');
    expect(answer(createCheckout(), { syncedAt: undefined }).text).toContain('sync now, then');
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
    ['unrecorded', 'The shop has no record of this order.'],
    ['unmatched', 'This order belongs to no checkout of this shop.'],
    ['processing', 'Paid. Booking the order in the shop is under way.'],
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
    expect(read({})).toBe('Not paid yet');
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

describe('findReply', () => {
  const reply = (given: Partial<OperatorCheckout>, details: Partial<OperatorDetails> = {}) =>
    findReply({ checkout: createCheckout(given), others: [], syncedAt: now, ...details }, now);
  const sent = {
    wallet: '0xa0',
    sentTime: now,
    transaction: { hash: '0xfeed', url: 'https://explorer.example/tx/0xfeed' },
  };
  const caseOf = (
    reason: NonNullable<OperatorOrder['case']>['reason'],
  ): Partial<OperatorOrder> => ({
    fulfilment: 'needs-attention',
    case: { reason, openedAt: now },
  });
  const handledAs = (outcome: 'refunded' | 'delivered' | 'closed'): Partial<OperatorOrder> => ({
    fulfilment: 'handled',
    case: { reason: 'amount', openedAt: now, handledAt: now, outcome },
  });

  it.each<readonly [string, Partial<OperatorOrder>, string]>([
    ['completed', { ...sent, deliveredAt: now }, 'sent 97.09 USDT to your wallet 0xa0.'],
    ['under way', { ...sent, fulfilment: 'processing' }, 'You don’t need to do anything.'],
    ['not booked', { ...sent, ...caseOf('delivery') }, 'has not finished booking your order'],
    ['to be reviewed', caseOf('amount'), 'Some details differ from your order'],
    ['second', caseOf('second-order'), 'We’ll refund the second one'],
    ['sold before', caseOf('sold-before'), 'another shopper paid'],
    ['paid again', caseOf('paid-again'), 'Was that a mistake?'],
    ['refunded', handledAs('refunded'), 'The shop has sent your money back.'],
    ['completed by hand', handledAs('delivered'), 'The shop has completed your order for you.'],
    ['closed', handledAs('closed'), 'nothing is left to do'],
    ['unconfirmed', { fulfilment: 'unconfirmed' }, 'has not confirmed your payment'],
    ['unrecorded', { fulfilment: 'unrecorded' }, 'are checking it'],
    ['unmatched', { fulfilment: 'unmatched' }, 'send us the time and the amount'],
    ['a case without a checkout', caseOf('no-checkout'), 'send us the time and the amount'],
    ['a case of an unknown status', caseOf('unknown-status'), 'has not confirmed your payment'],
    ['a case of a late status', caseOf('status-after-end'), 'has not confirmed your payment'],
  ])('answers the shopper of an order that is %s', (_, given, text) => {
    const words = reply({ orders: [createOrder(given)] });
    expect(words).toMatch(/^Hello,\n\n[\s\S]+\n\nFieldnote Prints$/);
    expect(words).toContain(text);
    expect(words).not.toContain('undefined');
    if (given.transaction) expect(words).toContain('The transaction: https://explorer.example');
  });

  it('names both wallets if the crypto was sent to another one', () => {
    const order = createOrder({ ...sent, wallet: '0x93', ...caseOf('wallet') });
    const checkout = createCheckout({ wallet: '0xa0', orders: [order] });
    expect(reply(checkout)).toContain('Sent to: 0x93\nWallet in our shop: 0xa0');
    expect(describeForService(order, checkout)).toBe(
      [
        'Order: o1',
        'Reference: r1',
        'Paid: 100.00 USD for 97.09 USDT',
        'Transaction: 0xfeed',
        'Wallet of the checkout: 0xa0',
        'Sent to: 0x93',
      ].join('\n'),
    );
  });

  it('answers the shopper of a checkout that is not paid', () => {
    expect(reply({})).toContain('you can still pay in “Your orders”');
    expect(reply({ expiresAt: now })).toContain('can’t be paid any more');
    expect(reply({ announcedAt: now })).toContain('Please don’t pay again.');
    const others = [createCheckout({ reference: 'r2', orders: [createOrder()] })];
    expect(reply({}, { others })).toContain('Top-up, 100.00 USD');
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
    expect(describeAt({})).toMatch(/^Can be paid until /);
    expect(describeAt({ expiresAt: now })).toBe('Expired');
    expect(describeAt({ announcedAt: now })).toBe('Not in the order list yet');
  });
});

describe('createTimeline', () => {
  const names = (order: OperatorOrder | undefined, given: Partial<OperatorCheckout> = {}) =>
    createTimeline(createCheckout(given), order).map(({ name, at, text }) => [name, at ?? text]);

  it('has every step with its time, or what is known instead', () => {
    expect(names(undefined)).toEqual([
      ['Checkout created', now - 600],
      ['Opened by the shopper', 'Never'],
      ['The service’s message to the shop', 'None'],
      ['Found in the service’s order list', 'No'],
    ]);
    const times = { payTime: now - 9, sentTime: now - 8, finishTime: now - 7, deliveredAt: now };
    const order = createOrder({ ...times, settledAt: now + 1 });
    expect(names(order, { openedAt: now - 500 })).toEqual([
      ['Checkout created', now - 600],
      ['Opened by the shopper', now - 500],
      ['Paid at the service', now - 9],
      ['Sent by the service', now - 8],
      ['Confirmed by the service', now - 7],
      ['The service’s message to the shop', 'Lost'],
      ['Found in the service’s order list', now],
      ['Booked in the shop', now],
      ['Settled', now + 1],
    ]);
  });

  it.each([
    [{ case: { reason: 'wallet', openedAt: now } }, 'No, held for review'],
    [{ delivery: { tries: 0, nextAttemptAt: now } }, 'Not yet'],
    [{ delivery: { tries: 2, nextAttemptAt: now } }, '2 booking attempts failed'],
    [
      { case: { reason: 'delivery', openedAt: now, handledAt: now, outcome: 'refunded' } },
      'No, taken over by a person',
    ],
    [{ matchStatus: 'unmatched' }, 'No, it has no checkout'],
  ] as const)('says why an order was not booked', (given, text) => {
    expect(names(createOrder(given))).toContainEqual(['Booked in the shop', text]);
  });
});
