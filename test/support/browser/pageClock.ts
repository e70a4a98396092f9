import { vi } from 'vitest';

/** The clock of the browser, although a test may have replaced `performance.now`. */
const readRealNow = () => Performance.prototype.now.call(performance);

/** From `realMs` on, time passes `factor` times as fast, beginning at `pageMs`. */
let clock = { realMs: 0, pageMs: 0, factor: 1 };

const readPageNow = () => clock.pageMs + clock.factor * (readRealNow() - clock.realMs);

/**
 * Changes how `performance.now()` goes on from now, until the end of the test. It never goes back.
 *
 * @param options - By how much it jumps ahead, and how fast it goes. @default no jump, and the same speed
 */
export function changePageClock({
  jumpMs = 0,
  factor,
}: {
  jumpMs?: number;
  factor?: number;
}): void {
  const isChanged = vi.isMockFunction(performance.now);
  clock = {
    realMs: readRealNow(),
    pageMs: performance.now() + jumpMs,
    factor: factor ?? (isChanged ? clock.factor : 1),
  };
  vi.spyOn(performance, 'now').mockImplementation(readPageNow);
}
