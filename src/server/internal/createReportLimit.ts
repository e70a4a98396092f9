import type { Runtime } from './runtime.js';

const MINUTE_MS = 60_000;
/** A stranger chooses some kinds, such as the origin of a request. */
const MAX_KINDS = 20;

/**
 * Creates a function that returns whether to report an event of this kind: each kind at most once a minute,
 * and at most 20 kinds a minute.
 */
export function createReportLimit({
  monotonic,
}: Pick<Runtime, 'monotonic'>): (kind: string) => boolean {
  /** When each kind was reported, oldest first. */
  const reported = new Map<string, number>();
  return (kind) => {
    const now = monotonic();
    for (const [old, at] of reported) {
      if (now - at < MINUTE_MS) break;
      reported.delete(old);
    }
    if (reported.has(kind) || reported.size >= MAX_KINDS) return false;
    reported.set(kind, now);
    return true;
  };
}
