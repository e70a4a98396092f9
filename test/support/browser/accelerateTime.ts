import { configure, getConfig } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';

const FACTOR = 10;
const REAL_MS = 10;

/** Fakes all timers except `setInterval`, because `waitFor` polls with it. */
export const fakeTimerOptions: NonNullable<Parameters<typeof vi.useFakeTimers>[0]> = {
  toFake: ['setTimeout', 'clearTimeout', 'performance'],
  shouldAdvanceTime: true,
};

/** Makes timers and `performance.now()` ten times as fast as the clock, for the rest of a test. */
export function accelerateTime(): void {
  const { asyncUtilTimeout } = getConfig();
  // The timeout of `waitFor` uses the faked timers.
  configure({ asyncUtilTimeout: FACTOR * 5000 });
  vi.useFakeTimers(fakeTimerOptions);
  const interval = setInterval(() => vi.advanceTimersByTime((FACTOR - 1) * REAL_MS), REAL_MS);
  onTestFinished(() => {
    clearInterval(interval);
    vi.useRealTimers();
    configure({ asyncUtilTimeout });
  });
}
