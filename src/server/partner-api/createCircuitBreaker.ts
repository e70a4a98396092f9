import { RampError } from '../../protocol/errors/RampError.js';

export interface CircuitBreakerOptions {
  /** The number of consecutive failures that opens the circuit. */
  readonly breakAfter: number;
  /** How long the circuit stays open. */
  readonly breakMs: number;
  /** Whether an error means that the service is down. Any other response shows that it is up. */
  readonly isOutage: (error: unknown) => boolean;
  /** A monotonic clock, milliseconds. */
  readonly clock: () => number;
}

export type CircuitBreaker = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Creates a circuit breaker. After `breakAfter` consecutive failures the circuit is open: calls reject at once
 * for `breakMs`. Then one trial call at a time is let through, until one succeeds and closes the circuit.
 *
 * @throws RampError `ERR_NETWORK` while the circuit is open, and whatever the work throws.
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
      // The trial call. All other calls are rejected for another `breakMs`, or until it succeeds.
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

/** An aborted call does not show whether the service is up. */
const isServiceResponse = (error: unknown) =>
  error instanceof RampError &&
  (error.apiCode !== undefined || error.code === 'ERR_RESPONSE_INVALID');
