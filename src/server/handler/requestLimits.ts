import { RequestError } from '../internal/errorResponses.js';
import type { Runtime } from '../internal/runtime.js';

/** How many requests a minute one subject may send to the checkout routes. A waiting page sends at most 20. */
const MAX_PER_SUBJECT = 300;
const MINUTE_MS = 60_000;
/** How many requests may be in progress in one handler. */
const MAX_IN_PROGRESS = 1000;
const BUSY_SECONDS = 5;

/**
 * Creates the limit per subject: a function that counts a subject's request. Once a subject has sent more than 300
 * requests in a minute, the function throws `ERR_RATE_LIMITED` with the time until the next minute begins.
 */
export function createSubjectLimit({
  monotonic,
}: Pick<Runtime, 'monotonic'>): (subject: string) => void {
  const counts = new Map<string, number>();
  let startedAt = monotonic();
  return (subject) => {
    const now = monotonic();
    if (now - startedAt >= MINUTE_MS) {
      counts.clear();
      startedAt = now;
    }
    const count = (counts.get(subject) ?? 0) + 1;
    counts.set(subject, count);
    if (count <= MAX_PER_SUBJECT) return;
    const seconds = Math.ceil((startedAt + MINUTE_MS - now) / 1000);
    throw new RequestError(
      'ERR_RATE_LIMITED',
      `One user may send ${MAX_PER_SUBJECT} requests a minute. Poll GET /checkouts after pollAfterSeconds, with all references in one request.`,
      { retryAfterSeconds: seconds },
    );
  };
}

/** The limit on the requests that are in progress at the same time. */
export interface ProgressLimit {
  /** Runs a request. @throws RequestError `ERR_BUSY` without running it, when 1,000 others are in progress. */
  run(request: () => Promise<void>): Promise<void>;
  /**
   * Waits for a request's body. While it waits, the request does not count, so a thousand slow clients cannot keep
   * everyone else out.
   */
  waitForBody<Body>(read: () => Promise<Body>): Promise<Body>;
}

/** Creates the limit on requests in progress, so that a slow store does not fill the memory with waiting requests. */
export function createProgressLimit(): ProgressLimit {
  let inProgress = 0;
  return {
    async run(request) {
      if (inProgress >= MAX_IN_PROGRESS)
        throw new RequestError('ERR_BUSY', 'The backend is busy. Try again in a few seconds.', {
          retryAfterSeconds: BUSY_SECONDS,
        });
      inProgress++;
      try {
        await request();
      } finally {
        inProgress--;
      }
    },
    async waitForBody(read) {
      inProgress--;
      try {
        return await read();
      } finally {
        inProgress++;
      }
    },
  };
}
