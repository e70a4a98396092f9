import { describe, expect, it } from 'vitest';
import type { CheckoutProgress, CheckoutResponse, OrderSummary } from '../../../../src/index.js';
import { getCheckoutSteps } from '../../../../src/react/status/card/StatusSteps.js';

const createCheckout = (
  widget: CheckoutResponse['widget'],
  progress: CheckoutProgress,
  orders: readonly OrderSummary[] = [],
): CheckoutResponse => ({ reference: 'r1', widget, progress, orders });
const states = (...given: Parameters<typeof createCheckout>) =>
  getCheckoutSteps(createCheckout(...given)).map(({ state }) => state);
const times = (...given: Parameters<typeof createCheckout>) =>
  getCheckoutSteps(createCheckout(...given)).map(({ at }) => at);

describe('getCheckoutSteps for an on-ramp checkout', () => {
  it.each([
    ['waiting', ['current', 'upcoming', 'upcoming']],
    ['unconfirmed', ['done', 'current', 'upcoming']],
    ['finished', ['done', 'done', 'done']],
    ['expired', ['on-hold', 'upcoming', 'upcoming']],
    ['review', ['done', 'on-hold', 'upcoming']],
  ] as const)('with %s are %j', (progress, steps) => {
    expect(states('on-ramp', progress)).toEqual(steps);
  });

  it('returns the known times of the steps that are done', () => {
    const order = { payTime: 1, deliverTime: 2, finishTime: 3 };
    expect(times('on-ramp', 'finished', [{ state: 'finished', ...order }])).toEqual([1, 2, 3]);
    expect(times('on-ramp', 'unconfirmed', [{ state: 'unknown', ...order }])).toEqual([
      1,
      undefined,
      undefined,
    ]);
    const few = { state: 'finished', finishTime: 3 } as const;
    expect(times('on-ramp', 'finished', [few])).toEqual([undefined, undefined, 3]);
  });

  it('returns no times for several orders', () => {
    const order = { state: 'finished', payTime: 1, deliverTime: 2, finishTime: 3 } as const;
    expect(times('on-ramp', 'finished', [order, order])).toEqual(Array(3).fill(undefined));
  });
});

describe('getCheckoutSteps for an NFT checkout', () => {
  it.each([
    ['waiting', ['current', 'upcoming']],
    ['unconfirmed', ['done', 'current']],
    ['finished', ['done', 'done']],
    ['settlement', ['done', 'done']],
    ['settled', ['done', 'done']],
    ['review', ['done', 'on-hold']],
  ] as const)('with %s are %j', (progress, steps) => {
    expect(states('nft', progress)).toEqual(steps);
  });

  it('returns the known times of the steps that are done', () => {
    const order = { payTime: 1, finishTime: 3, changedAt: 9 };
    expect(times('nft', 'settled', [{ state: 'settled', ...order }])).toEqual([1, 3]);
  });
});
