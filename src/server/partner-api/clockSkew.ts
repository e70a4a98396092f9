import { createConfigError } from '../../protocol/errors/createConfigError.js';
import type { RampError } from '../../protocol/errors/RampError.js';

<<<<<<< HEAD
/** Less is no clock skew: a `Date` header has whole seconds, and a response takes time. */
=======
/** A `Date` header has whole seconds, and a response takes time. */
>>>>>>> 86ec79f (server: describe the handler and the API client in plain terms)
const MAX_SKEW_SECONDS = 30;
const HOUR_MS = 3_600_000;

/**
 * Describes the clock skew between this server and the service, by the `Date` header of a response.
 *
 * @param now - The clock of this server when the response arrived, milliseconds.
 * @returns The text after "The clock of this server", or undefined without clock skew or `Date` header.
 */
export function describeClockSkew({ headers }: Response, now: number): string | undefined {
  const ahead = Math.round((now - Date.parse(headers.get('date') ?? '')) / 1000);
<<<<<<< HEAD
  // A cached response has the date of its origin, which says nothing about clock skew.
=======
  // A cached response has the date at which it was created.
>>>>>>> 86ec79f (server: describe the handler and the API client in plain terms)
  if (headers.has('age') || !(Math.abs(ahead) > MAX_SKEW_SECONDS)) return undefined;
  return `is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} the service's.`;
}

/**
<<<<<<< HEAD
 * Creates a function that warns about clock skew before the service refuses requests because of it: at once, and
 * then once an hour. The time window of webhooks is not widened.
=======
 * Creates a warning about clock skew, before the service refuses a request for it: at once, and then once an
 * hour. It corrects neither the clock nor a tolerance.
>>>>>>> 86ec79f (server: describe the handler and the API client in plain terms)
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
<<<<<<< HEAD
      // The response is valid whether or not the warning succeeds.
=======
      // A listener that throws must not fail the request.
>>>>>>> 86ec79f (server: describe the handler and the API client in plain terms)
    }
  };
}
