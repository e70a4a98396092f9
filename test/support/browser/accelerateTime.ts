import { configure, getConfig } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';

const FACTOR = 10;
const REAL_MS = 10;

/** Fakes everything but `setInterval`, with which `waitFor` polls. */
export const fakeTimerOptions: NonNullable<Parameters<typeof vi.useFakeTimers>[0]> = {
  toFake: ['setTimeout', 'clearTimeout', 'performance'],
  shouldAdvanceTime: true,
};

/** For the rest of a test, timers and `performance.now()` run ten times as fast as the clock. */
export function accelerateTime(): void {
  const { asyncUtilTimeout } = getConfig();
  // `waitFor` times out by the faked timers.
  configure({ asyncUtilTimeout: FACTOR * 5000 });
  vi.useFakeTimers(fakeTimerOptions);
  const interval = setInterval(() => vi.advanceTimersByTime((FACTOR - 1) * REAL_MS), REAL_MS);
  onTestFinished(() => {
    clearInterval(interval);
    vi.useRealTimers();
    configure({ asyncUtilTimeout });
  });
}
