import { configure, getConfig } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';
import { setPageClock } from './pageClock.js';

const FACTOR = 10;
const REAL_MS = 10;

/** Fakes `setTimeout` and `performance`. `setInterval` stays real, because `waitFor` polls with it. */
const fakeTimerOptions: NonNullable<Parameters<typeof vi.useFakeTimers>[0]> = {
  toFake: ['setTimeout', 'clearTimeout', 'performance'],
  shouldAdvanceTime: true,
};

/** Makes timeouts and `performance.now()` run ten times as fast as real time, until the test finishes. */
export function accelerateTime(): void {
  const { asyncUtilTimeout } = getConfig();
  // `waitFor` measures its timeout with the accelerated timers. So this is 5 seconds of real time.
  configure({ asyncUtilTimeout: FACTOR * 5000 });
  const pageMs = performance.now();
  vi.useFakeTimers(fakeTimerOptions);
  // The fake clock goes with the fake timers, also on a slow machine. But it begins at 0, so the page would wait for as
  // long as it is already open.
  const readFakeNow = performance.now.bind(performance);
  setPageClock(pageMs, readFakeNow);
  const interval = setInterval(() => vi.advanceTimersByTime((FACTOR - 1) * REAL_MS), REAL_MS);
  onTestFinished(() => {
    clearInterval(interval);
    vi.useRealTimers();
    configure({ asyncUtilTimeout });
  });
}
