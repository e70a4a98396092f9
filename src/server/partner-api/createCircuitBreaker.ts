import { RampError } from '../../protocol/errors/RampError.js';

export interface CircuitBreakerOptions {
  /** So many failures in a row, and the service is left alone. */
  readonly breakAfter: number;
  readonly breakMs: number;
  /** Whether an error means that the service is down. Any other response shows that it is up. */
  readonly isOutage: (error: unknown) => boolean;
  /** A clock that is never set, milliseconds. */
  readonly clock: () => number;
}

export type CircuitBreaker = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Spares a service that is down: after so many failures in a row nothing is asked for a while, then
 * one question at a time, until one is answered.
 *
 * @throws RampError `ERR_NETWORK` while it is open, and whatever the work throws.
 */
export function createCircuitBreaker(settings: CircuitBreakerOptions): CircuitBreaker {
  const { breakAfter, breakMs, isOutage, clock } = settings;
  let failures = 0;
  let openUntil = 0;

  return async (work) => {
    if (failures >= breakAfter) {
      const restMs = openUntil - clock();
      if (restMs > 0)
        throw new RampError(
          'ERR_NETWORK',
          `The service failed ${breakAfter} times in a row and is left alone for ${Math.ceil(restMs / 1000)} s.`,
        );
      // This one tries; all others wait for another span, or until it has an answer.
      openUntil = clock() + breakMs;
    }
    try {
      const result = await work();
      failures = 0;
      return result;
    } catch (error) {
      if (isOutage(error)) {
        failures++;
        openUntil = clock() + breakMs;
      } else if (isServiceResponse(error)) failures = 0;
      throw error;
    }
  };
}

/** A caller who gave up says nothing about the service. */
const isServiceResponse = (error: unknown) =>
  error instanceof RampError &&
  (error.apiCode !== undefined || error.code === 'ERR_RESPONSE_INVALID');
