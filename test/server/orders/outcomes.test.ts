import { describe, expect, it } from 'vitest';
import type { Order } from '../../../src/protocol/index.js';
import type {
  DeliverAt,
  OrderHistory,
  OrderMatch,
  OrderRecord,
  ReviewReason,
} from '../../../src/server/index.js';
import { findOutcome, type Outcome } from '../../../src/server/orders/outcomes.js';
import { toPendingChange } from '../../../src/server/orders/store/OrderStore.js';
import {
  baseTime,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../../support/server/orderFixtures.js';

const reference = 'r1';
const checkout = onRampCheckout();

/** Every match of an order but `erased`, which is recorded without a change. */
const matches: Readonly<Record<string, OrderMatch>> = {
  matched: { matchStatus: 'matched', reference },
  'matched later': { matchStatus: 'matched', reference, isLaterOrder: true },
  unknown: { matchStatus: 'unknown', reference },
  'quarantined (wallet)': {
    matchStatus: 'quarantined',
    reference,
    reason: 'wallet',
    field: 'walletAddress',
  },
  'quarantined (second order)': { matchStatus: 'quarantined', reference, reason: 'second-order' },
  unmatched: { matchStatus: 'unmatched' },
};
const orders: Readonly<Record<string, Order>> = {
  crypto: onRampOrder(),
  'crypto, unknown': onRampOrder({ state: 'unknown', orderStatus: 9 }),
  'NFT, finished': nftOrder('finished'),
  'NFT, settlement': nftOrder('settlement'),
  'NFT, settled': nftOrder('settled'),
  'NFT, unknown': nftOrder('unknown'),
};
const reasons: readonly (ReviewReason | undefined)[] = [
  undefined,
  ...(['widget', 'wallet', 'amount', 'currency', 'nft'] as const),
  ...(['second-order', 'no-checkout', 'unknown-status', 'status-after-end'] as const),
];
const moments: readonly DeliverAt[] = ['finished', 'settlement', 'settled'];

interface Case {
  readonly match: string;
  readonly name: string;
  readonly record: OrderRecord;
  readonly history: OrderHistory;
  readonly deliverAt: DeliverAt;
  readonly outcome: Outcome;
}

const decide = (record: OrderRecord, history: OrderHistory = {}, deliverAt?: DeliverAt) =>
  findOutcome(
    toPendingChange(record, record.matchStatus === 'unmatched' ? undefined : checkout, 0),
    history,
    deliverAt ?? 'finished',
  );

const toRecord = (
  match: OrderMatch,
  order: Order,
  resolution?: OrderRecord['resolution'],
): OrderRecord => ({
  ...match,
  order,
  firstSeenAt: baseTime,
  changedAt: baseTime,
  ...(resolution && { resolution }),
});

/** Returns every combination of a match, an order, a resolution, a history and a `deliverAt`. */
function* listCases(): Generator<Case> {
  for (const [match, given] of Object.entries(matches))
    for (const [name, order] of Object.entries(orders))
      for (const resolution of [undefined, 'refunded'] as const)
        for (const deliveredAt of [undefined, baseTime])
          for (const reviewedFor of reasons)
            for (const deliverAt of moments) {
              const record = toRecord(given, order, resolution);
              const history = { deliveredAt, ...(reviewedFor && { reviewedFor: [reviewedFor] }) };
              const outcome = decide(record, history, deliverAt);
              yield { match, name, record, history, deliverAt, outcome };
            }
}

const cases = [...listCases()];

/** Returns a text such as `deliver`, `review wallet` or `none (early)`. */
const describeOutcome = (outcome: Outcome): string => {
  if (outcome.action === 'review') return `review ${outcome.reason}`;
  return outcome.action === 'none' ? `none (${outcome.why})` : outcome.action;
};

/** What happens to the first change of an order, for each `deliverAt` if they differ. */
const first: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  matched: {
    crypto: 'deliver',
    'crypto, unknown': 'review unknown-status',
    'NFT, finished': 'deliver, none (early), none (early)',
    'NFT, settlement': 'deliver, deliver, none (early)',
    'NFT, settled': 'deliver',
    'NFT, unknown': 'review unknown-status',
  },
  'matched later': { '': 'review second-order' },
  unknown: { '': 'review unknown-status' },
  'quarantined (wallet)': { '': 'review wallet' },
  'quarantined (second order)': { '': 'review second-order' },
  unmatched: { '': 'review no-checkout' },
};

describe('findOutcome', () => {
  it.each(Object.entries(matches))('for the first change of an order: %s', (match, given) => {
    const found = Object.fromEntries(
      Object.entries(orders).map(([name, order]) => {
        const each = moments.map((at) => describeOutcome(decide(toRecord(given, order), {}, at)));
        return [name, new Set(each).size === 1 ? each[0] : each.join(', ')];
      }),
    );
    const same = first[match]?.[''];
    const expected = same && Object.fromEntries(Object.keys(orders).map((name) => [name, same]));
    expect(found).toEqual(expected ?? first[match]);
  });

  it('tries every combination', () => {
    expect(cases).toHaveLength(6 * 6 * 2 * 2 * 10 * 3);
  });

  it('delivers only what matches, is neither delivered, resolved nor of an unknown status, and is in its state', () => {
    const rank = { finished: 1, settlement: 2, settled: 3, unknown: 0 };
    for (const { match, record, history, deliverAt, outcome } of cases) {
      const { order, resolution } = record;
      const isDue =
        match === 'matched' &&
        history.deliveredAt === undefined &&
        !resolution &&
        order.state !== 'unknown' &&
        (order.kind === 'on-ramp' || rank[order.state] >= rank[deliverAt]);
      expect(outcome.action === 'deliver', JSON.stringify({ record, history, deliverAt })).toBe(
        isDue,
      );
    }
  });

  it('leaves out no change which may be paid, unless it was delivered, reviewed for this reason, resolved, or is an NFT before deliverAt', () => {
    for (const { match, record, history, deliverAt, outcome } of cases) {
      if (outcome.action !== 'none') continue;
      const { order, resolution } = record;
      // Nobody can tell what an unknown status means, so a person always sees it.
      expect(order.state).not.toBe('unknown');
      switch (outcome.why) {
        case 'resolved':
          expect(resolution).toBe('refunded');
          break;
        case 'delivered':
          expect(match).toBe('matched');
          expect(history.deliveredAt).toBe(baseTime);
          break;
        case 'early':
          expect(match).toBe('matched');
          expect(order.kind).toBe('nft');
          expect(moments.indexOf(order.state as DeliverAt)).toBeLessThan(
            moments.indexOf(deliverAt),
          );
          break;
        case 'reviewed': {
          // Without this history, the same change is reviewed for the same reason.
          const fresh = decide(record, {}, deliverAt);
          expect(describeOutcome(fresh)).toBe(`review ${history.reviewedFor?.[0]}`);
          break;
        }
      }
    }
  });

  it('delivers an order whose state is early as soon as a later one comes', () => {
    for (const { record, history, deliverAt, outcome } of cases) {
      if (outcome.action !== 'none' || outcome.why !== 'early') continue;
      const later = { ...record, order: { ...record.order, state: deliverAt } };
      expect(decide(later, history, deliverAt).action).toBe('deliver');
    }
  });

  it('reviews each unknown status, and says whether the order was at its end', () => {
    for (const { record, history, outcome } of cases) {
      if (record.order.state !== 'unknown') continue;
      const isAtEnd = history.deliveredAt !== undefined || record.resolution !== undefined;
      expect(outcome.action).toBe('review');
      if (outcome.action !== 'review') continue;
      expect(outcome.reason === 'status-after-end').toBe(isAtEnd);
      expect(outcome.order.key).toBe(`o1:${outcome.reason}:9`);
    }
  });

  it('reviews a delivered order that differs from its checkout later', () => {
    const differs = toRecord(
      { matchStatus: 'quarantined', reference, reason: 'nft', field: 'mintQuantity' },
      nftOrder('settled'),
    );
    expect(decide(differs, { deliveredAt: baseTime })).toMatchObject({
      action: 'review',
      reason: 'nft',
      order: { field: 'mintQuantity', checkout: checkout },
    });
  });

  it('reviews an order for each new reason', () => {
    const record = toRecord(
      { matchStatus: 'quarantined', reference, reason: 'amount' },
      orders.crypto as Order,
    );
    expect(decide(record, { reviewedFor: ['no-checkout'] })).toMatchObject({ reason: 'amount' });
    // Another reason may have been reviewed since.
    for (const reviewedFor of [['amount'], ['amount', 'unknown-status']] as const)
      expect(decide(record, { reviewedFor })).toEqual({ action: 'none', why: 'reviewed' });
  });

  it('hands over the order of the service with its checkout and a key', () => {
    const order = onRampOrder();
    expect(decide(toRecord({ matchStatus: 'matched', reference }, order))).toEqual({
      action: 'deliver',
      order: { ...order, checkout: checkout, key: 'o1:deliver' },
    });
    expect(decide(toRecord({ matchStatus: 'unmatched' }, order))).toEqual({
      action: 'review',
      reason: 'no-checkout',
      order: { ...order, key: 'o1:no-checkout' },
    });
  });

  it('gives each call for an order a key that depends on nothing but the order and the reason', () => {
    const keys = new Map<string, Set<string>>();
    for (const { outcome } of cases) {
      if (outcome.action === 'none') continue;
      const { key, orderStatus, state } = outcome.order;
      const status = state === 'unknown' ? orderStatus : '';
      const name = `${describeOutcome(outcome)} ${status}`;
      keys.set(name, (keys.get(name) ?? new Set()).add(key));
    }
    expect([...keys.values()].every((each) => each.size === 1)).toBe(true);
    expect(new Set([...keys.values()].map((each) => [...each][0])).size).toBe(keys.size);
  });
});
