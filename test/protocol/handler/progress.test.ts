import { describe, expect, it } from 'vitest';
import type { CheckoutProgress } from '../../../src/protocol/handler/CheckoutResponse.js';
import {
  countDoneSteps,
  hasOrder,
  isActive,
  isOlder,
  isPaid,
  isPaidOrder,
  isTerminal,
  toKnownProgress,
} from '../../../src/protocol/handler/progress.js';

const later = 'refunding' as CheckoutProgress;

describe('the facts about a progress', () => {
  it.each([
    ['waiting', { order: false, paid: false, active: true, done: 0 }],
    ['unconfirmed', { order: true, paid: false, active: true, done: 1 }],
    ['expired', { order: false, paid: false, active: false, done: 0 }],
    ['review', { order: true, paid: false, active: false, done: 1 }],
    ['finished', { order: true, paid: true, active: true, done: 3 }],
    ['settlement', { order: true, paid: true, active: true, done: 3 }],
    ['settled', { order: true, paid: true, active: false, done: 3 }],
    ['of a newer backend', { order: true, paid: false, active: true, done: 1 }],
  ] as const)('%s', (name, expected) => {
    const progress = name === 'of a newer backend' ? later : name;
    const checkout = { progress, widget: 'nft' } as const;
    expect({
      order: hasOrder(checkout),
      paid: isPaid(checkout),
      active: isActive(checkout),
      done: countDoneSteps(checkout, 3),
    }).toEqual(expected);
  });
});

describe('isTerminal and isActive', () => {
  it('depend on the widget once the checkout is finished', () => {
    expect(isTerminal({ progress: 'finished', widget: 'on-ramp' })).toBe(true);
    expect(isActive({ progress: 'finished', widget: 'on-ramp' })).toBe(false);
    expect(isTerminal({ progress: 'finished', widget: 'nft' })).toBe(false);
    expect(isTerminal({ progress: 'settled', widget: 'nft' })).toBe(true);
  });
});

describe('toKnownProgress', () => {
  it('returns "unconfirmed" for a state that it does not know', () => {
    expect(toKnownProgress('settled')).toBe('settled');
    expect(toKnownProgress(later)).toBe('unconfirmed');
    expect(toKnownProgress('constructor' as CheckoutProgress)).toBe('unconfirmed');
  });
});

describe('isOlder', () => {
  it.each([
    ['waiting', 'finished', true],
    ['finished', 'settlement', true],
    ['settlement', 'settled', true],
    ['unconfirmed', 'waiting', false],
    ['finished', 'waiting', false],
    ['finished', 'finished', false],
    ['waiting', 'review', false],
    ['review', 'finished', false],
    [later, 'finished', false],
    ['waiting', later, false],
  ] as const)('of %s after %s: %s', (next, known, expected) => {
    expect(isOlder({ progress: next }, { progress: known })).toBe(expected);
  });

  it('is false for a first state', () => {
    expect(isOlder({ progress: 'waiting' }, undefined)).toBe(false);
  });
});

describe('isPaidOrder', () => {
  it('is false for an order in a state that the backend does not know', () => {
    expect(isPaidOrder({ state: 'unknown' })).toBe(false);
    expect(isPaidOrder({ state: 'settlement' })).toBe(true);
  });
});
