import { RampError } from '../../protocol/errors/RampError.js';

export interface CircuitBreakerOptions {
<<<<<<< HEAD
  /** The number of consecutive failures that opens the circuit. */
  readonly breakAfter: number;
  /** How long the circuit stays open. */
=======
  /** The number of failures in a row that opens it. */
  readonly breakAfter: number;
  /** How long it stays open. */
>>>>>>> 86ec79f (server: describe the handler and the API client in plain terms)
  readonly breakMs: number;
  /** Whether an error means that the service is down. Any other response shows that it is up. */
  readonly isOutage: (error: unknown) => boolean;
  /** A monotonic clock, milliseconds. */
  readonly clock: () => number;
}

export type CircuitBreaker = <T>(work: () => Promise<T>) => Promise<T>;

/**
<<<<<<< HEAD
 * Creates a circuit breaker. After `breakAfter` consecutive failures the circuit is open: calls reject at once
 * for `breakMs`. Then one trial call at a time is let through, until one succeeds and closes the circuit.
=======
 * Creates a circuit breaker. After `breakAfter` failures in a row it is open for `breakMs`, then lets one
 * request at a time through until one succeeds.
>>>>>>> 86ec79f (server: describe the handler and the API client in plain terms)
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
<<<<<<< HEAD
      // The trial call. All other calls are rejected for another `breakMs`, or until it succeeds.
=======
      // This request is the trial. It opens the breaker again for the others until it has a response.
>>>>>>> 86ec79f (server: describe the handler and the API client in plain terms)
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

<<<<<<< HEAD
/** An aborted call does not show whether the service is up. */
=======
/** An error of a caller that gave up shows nothing about the service. */
>>>>>>> 86ec79f (server: describe the handler and the API client in plain terms)
const isServiceResponse = (error: unknown) =>
  error instanceof RampError &&
  (error.apiCode !== undefined || error.code === 'ERR_RESPONSE_INVALID');
