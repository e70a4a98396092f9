import { describe, expect, it } from 'vitest';
import { getReturnDelay, type PollFacts, planPoll } from '../../../src/client/watch/pollPlan.js';

const MINUTE = 60_000;
/** A page that watches nothing, right after a poll. Without jitter, because `random` is in the middle. */
const idle: PollFacts = {
  hasActive: false,
  hasExpired: false,
  hasHistory: false,
  hasActiveEntry: false,
  isHidden: false,
  sinceLastMs: 0,
  pollAfterMs: 3000,
  quietMs: 0,
  quietPolls: 0,
  failures: 0,
  retryAfterMs: 0,
  random: 0.5,
};
const active = { hasActive: true };
const history = { hasHistory: true };
const expired = { hasExpired: true };
const hidden = { isHidden: true };

type Row = readonly [situation: string, facts: Partial<PollFacts>, ms: number | undefined];

const check = (rows: readonly Row[]) =>
  it.each(rows)('%s', (_, facts, ms) => expect(planPoll({ ...idle, ...facts })).toBe(ms));

describe('planPoll', () => {
  describe('for an active checkout', () => {
    check([
      ['polls at once before the first response', { ...active, sinceLastMs: Infinity }, 0],
      ['polls every 3 seconds', active, 3000],
      ['waits for the rest of the pause', { ...active, sinceLastMs: 2000 }, 1000],
      ['polls at once if the pause has passed', { ...active, sinceLastMs: 9000 }, 0],
      ['polls as rarely as the backend asks', { ...active, pollAfterMs: 8000 }, 8000],
      ['polls more rarely after 3 quiet minutes', { ...active, quietPolls: 1 }, 3750],
      ['polls ever more rarely', { ...active, quietPolls: 2 }, 4688],
      ['polls at least every 15 seconds', { ...active, quietPolls: 50 }, 15_000],
      [
        'never polls earlier than asked',
        { ...active, quietPolls: 50, pollAfterMs: 20_000 },
        20_000,
      ],
      ['shortens the pause by up to 15 %', { ...active, random: 0 }, 2550],
      ['lengthens the pause by up to 15 %', { ...active, random: 1 }, 3450],
      ['polls with the pace of the checkout beside a list', { ...active, ...history }, 3000],
      ['polls as often for one in a list', { ...history, hasActiveEntry: true }, 3000],
      [
        'polls with the pace of the checkout beside an expired one',
        { ...active, ...expired },
        3000,
      ],
    ]);
  });

  describe('in a hidden tab', () => {
    check([
      ['polls an active checkout every 15 seconds', { ...hidden, ...active }, 15_000],
      ['polls no earlier than asked', { ...hidden, ...active, pollAfterMs: 25_000 }, 25_000],
      ['does not poll a list', { ...hidden, ...history, hasActiveEntry: true }, undefined],
      ['does not poll an expired checkout', { ...hidden, ...expired }, undefined],
      ['does not wake for a list', { ...hidden, ...history, wakeInMs: 0 }, undefined],
      ['polls at once for a new active checkout', { ...hidden, ...active, wakeInMs: 0 }, 0],
      ['is in no hurry after a failure', { ...hidden, ...active, failures: 1 }, 15_000],
    ]);
  });

  describe('without an active checkout', () => {
    check([
      ['polls a list every 20 seconds', history, 20_000],
      ['polls a list as rarely as the backend asks', { ...history, pollAfterMs: 40_000 }, 40_000],
      ['polls a list beside an expired checkout', { ...history, ...expired }, 20_000],
      ['polls an expired checkout every minute', expired, MINUTE],
      ['polls an expired checkout for 10 minutes', { ...expired, quietMs: 10 * MINUTE }, undefined],
      ['polls nothing if nothing can change', idle, undefined],
      ['does not wake if nothing can change', { ...idle, wakeInMs: 0 }, undefined],
    ]);
  });

  describe('after failures', () => {
    const failed = (failures: number) => ({ ...active, failures });
    check([
      ['retries after 2 seconds', failed(1), 2000],
      ['doubles the pause', failed(2), 4000],
      ['doubles it again', failed(5), 32_000],
      ['retries at least every minute', failed(20), MINUTE],
      ['adds jitter', { ...failed(1), random: 1 }, 2300],
      ['retries a list in the same way', { ...history, failures: 1 }, 2000],
      [
        'waits as long as Retry-After says',
        { ...failed(1), retryAfterMs: 30_000, random: 0 },
        30_000,
      ],
      ['adds jitter to Retry-After', { ...failed(1), retryAfterMs: 30_000, random: 1 }, 34_500],
      ['waits at most 5 minutes', { ...failed(1), retryAfterMs: 60 * MINUTE }, 5 * MINUTE],
      [
        'does not wake before Retry-After',
        { ...failed(1), retryAfterMs: 10_000, random: 0, wakeInMs: 0 },
        10_000,
      ],
      [
        'counts from the last response',
        { ...failed(1), retryAfterMs: 10_000, random: 0, sinceLastMs: 4000 },
        6000,
      ],
    ]);
  });

  describe('if something asks for a poll', () => {
    check([
      ['polls at once', { ...active, wakeInMs: 0 }, 0],
      ['polls at once if the time has passed', { ...active, wakeInMs: -100 }, 0],
      ['waits the given time', { ...history, wakeInMs: 700 }, 700],
      ['keeps a schedule that is earlier', { ...active, sinceLastMs: 2800, wakeInMs: 700 }, 200],
    ]);
  });
});

describe('getReturnDelay', () => {
  it.each([
    [0, 0],
    [0.5, 500],
    [1, 1000],
  ])('returns up to a second: %s', (random, ms) => expect(getReturnDelay(random)).toBe(ms));
});
