import { createConfigError } from '../../protocol/errors/createConfigError.js';
import type { RampError } from '../../protocol/errors/RampError.js';

/** A date has whole seconds, and an answer takes its time. */
const MAX_SKEW_SECONDS = 30;
const HOUR_MS = 3_600_000;

/**
 * Describes how far this server's clock is from the service's, by the `Date` header of a response.
 *
 * @returns What follows "The clock of this server"; undefined when the clocks agree or there is no date.
 *
 * @param now - The clock of this server when the answer came, milliseconds.
 */
export function describeClockSkew({ headers }: Response, now: number): string | undefined {
  const ahead = Math.round((now - Date.parse(headers.get('date') ?? '')) / 1000);
  // An answer that a cache has kept has the date of its time.
  if (headers.has('age') || !(Math.abs(ahead) > MAX_SKEW_SECONDS)) return undefined;
  return `is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} the service's.`;
}

/**
 * Makes what warns of a clock that is wrong before anything is refused for it: at once, and then once
 * an hour. The clock itself, and what is allowed it, are left as they are.
 */
export function createClockSkewWarning(
  warn: (error: RampError) => void,
): (response: Response, now: number) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (response, now) => {
    const skew = describeClockSkew(response, now);
    if (!skew || Math.abs(now - warnedAt) < HOUR_MS) return;
    warnedAt = now;
    const message = `${skew} Set it (NTP): signatures, webhooks and orders go by it.`;
    try {
      warn(createConfigError('The clock of this server', message));
    } catch {
      // The answer is none the worse for it.
    }
  };
}
