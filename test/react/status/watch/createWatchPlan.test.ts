import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createWatchPlan,
  FIRST_EVENT_MS,
  MAX_PAUSE_MS,
  MAX_SILENT_PAUSE_MS,
  POLL_MS,
  SILENCE_MS,
} from '../../../../src/react/status/watch/createWatchPlan.js';

/** The method of the plan that reports each outcome of a stream. */
const methods = { ended: 'end', failed: 'fail', refused: 'refuse' } as const;

interface Stream {
  /** What arrives: events or other bytes, each this long after the previous part. */
  readonly parts: readonly { readonly afterMs: number; readonly isEvent: boolean }[];
  /** What happens after the last part. */
  readonly outcome: 'silence' | 'ended' | 'failed' | 'refused';
}

const parts = fc.array(
  fc.record({ afterMs: fc.integer({ min: 0, max: 16_000 }), isEvent: fc.boolean() }),
  { maxLength: 5 },
);
const streams = fc.array(
  fc.record({ parts, outcome: fc.constantFrom('silence', 'ended', 'failed', 'refused') }),
  { minLength: 1, maxLength: 8 },
) as fc.Arbitrary<Stream[]>;

/** Runs the plan on a simulated clock. Each stream that the plan opens is the next of `given`; the last one repeats. */
function simulate(given: readonly Stream[], forMs: number) {
  let now = 0;
  const plan = createWatchPlan(() => now);
  const log: { readonly at: number; readonly what: string }[] = [];
  let opened = 0;
  let pending: { at: number; run: () => void }[] = [];
  const note = (what: string) => void log.push({ at: now, what });
  const open = () => {
    const { parts, outcome } = given[Math.min(opened, given.length - 1)] as Stream;
    opened++;
    let at = now;
    for (const { afterMs, isEvent } of parts) {
      at += afterMs;
      pending.push({
        at,
        run() {
          plan.receive(isEvent);
          if (isEvent) plan.update();
          note(isEvent ? 'event' : 'bytes');
        },
      });
    }
    if (outcome === 'silence') return;
    const run = () => {
      pending = [];
      plan[methods[outcome]]();
      note(outcome);
    };
    pending.push({ at: at + 1, run });
  };
  while (now < forMs) {
    const [arrival] = pending.sort((a, b) => a.at - b.at);
    if (arrival && arrival.at <= now) {
      pending.shift();
      arrival.run();
      continue;
    }
    const next = plan.next();
    if (typeof next === 'number') {
      expect(next).toBeGreaterThan(0);
      now = Math.min(now + next, arrival?.at ?? Number.POSITIVE_INFINITY);
      continue;
    }
    note(next);
    if (next === 'open') {
      plan.open();
      open();
    } else if (next === 'close') {
      pending = [];
      plan.timeOut();
    } else {
      plan.setPolling(true);
      plan.update();
      plan.setPolling(false);
    }
  }
  return log;
}

const ends = ['close', 'ended', 'failed', 'refused'];
const hour = 3_600_000;

describe('createWatchPlan', () => {
  it('has at most one stream open', () => {
    fc.assert(
      fc.property(streams, (given) => {
        let open = 0;
        for (const { what } of simulate(given, hour / 6)) {
          if (what === 'open') open++;
          if (ends.includes(what)) open--;
          expect([0, 1]).toContain(open);
        }
      }),
    );
  });

  it('gets news within a silence and a poll, for any behaviour of the streams', () => {
    fc.assert(
      fc.property(streams, (given) => {
        let newsAt = 0;
        for (const { at, what } of simulate(given, hour / 6)) {
          expect(at - newsAt).toBeLessThanOrEqual(SILENCE_MS + POLL_MS);
          // Heartbeats count as news, because a stream that delivers them would also have delivered a change.
          if (['event', 'poll', 'bytes'].includes(what)) newsAt = at;
        }
      }),
    );
  });

  it.each<[string, Stream]>([
    ['buffered by a proxy', { parts: [], outcome: 'silence' }],
    ['cut before its event', { parts: [{ afterMs: 1, isEvent: false }], outcome: 'ended' }],
    ['reset', { parts: [], outcome: 'failed' }],
    ['refused', { parts: [], outcome: 'refused' }],
  ])('polls every 5 seconds while each stream is %s, and rarely retries it', (_, stream) => {
    const log = simulate([stream], hour);
    const polls = log.filter(({ what }) => what === 'poll').map(({ at }) => at);
    const pauses = polls.map((at, i) => at - (polls[i - 1] ?? 0));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(POLL_MS);
    const opened = log.filter(({ what }) => what === 'open').length;
    expect(opened).toBeLessThanOrEqual(hour / MAX_PAUSE_MS + 5);
  });

  it('retries buffered streams every five minutes at the end', () => {
    const log = simulate([{ parts: [], outcome: 'silence' }], hour);
    const opened = log.filter(({ what }) => what === 'open').map(({ at }) => at);
    const pauses = opened.slice(1).map((at, i) => at - (opened[i] ?? 0) - FIRST_EVENT_MS);
    expect(pauses.slice(0, 4)).toEqual([2000, 4000, 8000, 16_000]);
    expect(pauses.at(-1)).toBe(MAX_SILENT_PAUSE_MS);
  });

  it('continues polling after a silent stream until the next has delivered a heartbeat', () => {
    // Simulates a proxy that passes on the first bytes of each stream and holds back the rest.
    const log = simulate(
      [{ parts: [{ afterMs: 10, isEvent: true }], outcome: 'silence' }],
      hour / 6,
    );
    const silentAt = log.find(({ what }) => what === 'close')?.at ?? 0;
    const news = log.filter(({ at, what }) => at >= silentAt && /event|poll/.test(what));
    const pauses = news.map(({ at }, i) => at - (news[i - 1]?.at ?? silentAt));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(POLL_MS);
  });

  it('does not poll while a stream delivers heartbeats', () => {
    const parts = [0, ...Array(200).fill(15_000)].map((afterMs, i) => ({
      afterMs,
      isEvent: i === 0,
    }));
    const log = simulate([{ parts, outcome: 'silence' }], hour / 2);
    expect(log.filter(({ what }) => what === 'poll')).toEqual([]);
  });

  it('closes a stream immediately when the first event is late', () => {
    const [, closed, polled] = simulate([{ parts: [], outcome: 'silence' }], 6000);
    expect([closed, polled]).toEqual([
      { at: FIRST_EVENT_MS, what: 'close' },
      { at: FIRST_EVENT_MS, what: 'poll' },
    ]);
  });

  it('polls a closed widget at growing intervals, and at once when the page is back', () => {
    let now = 0;
    const plan = createWatchPlan(() => now);
    plan.closeWidget();
    const polledAt: number[] = [];
    const runUntil = (end: number) => {
      for (;;) {
        const step = plan.next();
        if (step === 'poll') {
          polledAt.push(now);
          plan.update();
        } else if (typeof step !== 'number') throw new Error(`The plan must not ${step} a stream.`);
        else if (now + step > end) break;
        else now += step;
      }
      now = end;
    };
    runUntil(hour);
    const pauses = polledAt.map((at, i) => at - (polledAt[i - 1] ?? 0));
    expect(pauses.slice(0, 4)).toEqual([0, POLL_MS, 1.5 * POLL_MS, 2.25 * POLL_MS]);
    expect(pauses.at(-1)).toBe(MAX_PAUSE_MS);
    polledAt.length = 0;
    plan.wake();
    runUntil(now + POLL_MS);
    expect(polledAt).toEqual([hour, hour + POLL_MS]);
  });
});
