import { vi } from 'vitest';

/** The clock of the browser, although a test may have replaced `performance.now`. */
const readRealNow = () => Performance.prototype.now.call(performance);

/** What `performance.now()` of the page follows, and its value when that began. */
let clock = { read: readRealNow, readAt: 0, pageMs: 0 };

const readPageNow = () => clock.pageMs + clock.read() - clock.readAt;

/**
 * Changes what `performance.now()` of the page follows, until the end of the test, so that it never goes back.
 *
 * @param pageMs - The present time of the page.
 * @param read - Reads the clock that it follows from now on. @default the same as before
 */
export function setPageClock(pageMs: number, read?: () => number): void {
  const isChanged = vi.isMockFunction(performance.now);
  const next = read ?? (isChanged ? clock.read : readRealNow);
  clock = { read: next, readAt: next(), pageMs };
  vi.spyOn(performance, 'now').mockImplementation(readPageNow);
}
