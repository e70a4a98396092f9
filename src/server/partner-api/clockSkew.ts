import type { RampError } from '../../protocol/errors/RampError.js';
import { createConfigError } from '../../protocol/errors/RampError.js';

/** The tolerated difference: a `Date` header has whole seconds, and a response takes time. */
const MAX_SKEW_SECONDS = 30;
const HOUR_MS = 3_600_000;

/**
 * Describes the clock skew between this server and the service, according to the `Date` header of a response.
 *
 * @param now - The clock of this server when the response arrived, milliseconds.
 * @returns The text after "The clock of this server", or undefined without clock skew or `Date` header.
 */
export function describeClockSkew({ headers }: Response, now: number): string | undefined {
  const ahead = Math.round((now - Date.parse(headers.get('date') ?? '')) / 1000);
  // A cached response has an old date, which does not show the clock of the service.
  if (headers.has('age') || !(Math.abs(ahead) > MAX_SKEW_SECONDS)) return undefined;
  return `is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} the service's.`;
}

/**
 * Creates a function that warns about clock skew before the service refuses requests because of it:
 * immediately, and then once an hour. The tolerance of webhooks is not widened.
 */
export function createClockSkewWarning(
  warn: (error: RampError) => void,
): (response: Response, now: number) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (response, now) => {
    const skew = describeClockSkew(response, now);
    if (!skew || Math.abs(now - warnedAt) < HOUR_MS) return;
    warnedAt = now;
    const message = `${skew} Synchronize it (NTP): signatures, webhooks and orders depend on it.`;
    try {
      warn(createConfigError('The clock of this server', message));
    } catch {
      // The response is valid whether or not the warning succeeds.
    }
  };
}
