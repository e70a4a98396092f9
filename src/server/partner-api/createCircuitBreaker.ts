import { RampError } from '../../protocol/errors/RampError.js';

/** The options of `createCircuitBreaker`. */
export interface CircuitBreakerOptions {
  /** The number of consecutive failures that opens the circuit. */
  readonly breakAfter: number;
  /** How long the circuit stays open. */
  readonly breakMs: number;
  /** Returns whether an error means that the service is down. Any other response shows that it is up. */
  readonly isOutage: (error: unknown) => boolean;
  /** A monotonic clock, milliseconds. */
  readonly clock: () => number;
}

/** A function that runs work unless the circuit is open. */
export type CircuitBreaker = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Creates a circuit breaker. After `breakAfter` consecutive failures the circuit is open: calls reject
 * immediately for `breakMs`. Then one trial call at a time runs, until one succeeds and closes the circuit.
 *
 * @throws RampError `ERR_NETWORK` while the circuit is open, and the errors of the work.
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
          `The service failed ${breakAfter} times in a row, so it is not called for ${Math.ceil(restMs / 1000)} s. Try again later.`,
        );
      // This is the trial call. Other calls are rejected for another `breakMs`, or until it succeeds.
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

/** Returns whether an error is a response of the service. An aborted call does not show whether it is up. */
const isServiceResponse = (error: unknown) =>
  error instanceof RampError &&
  (error.apiCode !== undefined || error.code === 'ERR_RESPONSE_INVALID');
