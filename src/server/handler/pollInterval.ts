import type { Runtime } from '../internal/runtime.js';

/**
 * Above this many polls a second, an instance asks its pages to poll less often. At this rate, polls use about a
 * quarter of one core (`node tools/bench/polls.bench.mjs`).
 */
const POLLS_PER_SECOND = 200;

/**
 * The possible values of `pollAfterSeconds`. They are few, because each change of the value also changes every
 * response's `ETag`.
 */
const SCALE = [3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60] as const;
const LONGEST = 60;

/** Returns how many seconds a page must wait between two polls when this many pages are polling. */
export const findPollSeconds = (pollers: number): number =>
  SCALE.find((seconds) => pollers <= seconds * POLLS_PER_SECOND) ?? LONGEST;

/** Counts a poll, and returns the `pollAfterSeconds` for its response. */
export type PollInterval = (poller: string) => number;

/**
 * Creates an instance's poll interval, which grows with the number of different pollers. It counts the pollers of the
 * current and the previous minute, because a page may poll only once a minute.
 */
export function createPollInterval({ monotonic }: Pick<Runtime, 'monotonic'>): PollInterval {
  let earlier: ReadonlySet<string> = new Set();
  let current = new Set<string>();
  /** How many pollers in `current` are not in `earlier`. */
  let added = 0;
  let startedAt = monotonic();
  return (poller) => {
    const elapsed = monotonic() - startedAt;
    if (elapsed >= LONGEST * 1000) {
      earlier = elapsed < 2 * LONGEST * 1000 ? current : new Set();
      current = new Set();
      added = 0;
      startedAt = monotonic();
    }
    if (!current.has(poller)) {
      current.add(poller);
      if (!earlier.has(poller)) added++;
    }
    return findPollSeconds(earlier.size + added);
  };
}
