import { RampError } from '../../protocol/errors/RampError.js';
import type { Runtime } from '../internal/runtime.js';

/** The options of `createCircuitBreaker`. */
export interface CircuitBreakerOptions {
  /** The number of consecutive failures that opens the circuit. */
  readonly breakAfter: number;
  /** How long the circuit stays open. */
  readonly breakMs: number;
  /** Returns whether an error means that the service is down. Any other response shows that it is up. */
  readonly isOutage: (error: unknown) => boolean;
  readonly runtime: Pick<Runtime, 'monotonic'>;
}

/** A circuit breaker: a function that runs work unless the circuit of its subject is open. */
export type CircuitBreaker = <T>(subject: string, work: () => Promise<T>) => Promise<T>;

/** The failures of one subject since the last success. */
interface Circuit {
  failures: number;
  openUntil: number;
}

/** The service is down when this number of subjects have failed since the last success. */
const MIN_FAILED_SUBJECTS = 3;
/** The failed subjects that are kept. Visitors choose the subject of a price. */
const MAX_CIRCUITS = 1000;

/**
 * Creates a circuit breaker with one circuit for each subject, such as a pair of currencies. After `breakAfter`
 * consecutive failures the circuit of the subject is open: its calls reject immediately for `breakMs`. Then one
 * trial call at a time runs, until one succeeds and closes the circuit.
 *
 * A subject on which the service hangs does not stop the others. While the service is down, which is assumed
 * when three subjects have failed since the last success, the first failure of a subject opens its circuit.
 *
 * @throws RampError `ERR_NETWORK` while the circuit is open, and the errors of the work.
 */
export function createCircuitBreaker(settings: CircuitBreakerOptions): CircuitBreaker {
  const { breakAfter, breakMs, isOutage, runtime } = settings;
  const circuits = new Map<string, Circuit>();
  /** The subjects that failed since the last success of any. */
  const failed = new Set<string>();

  const recordFailure = (subject: string) => {
    const { failures = 0 } = circuits.get(subject) ?? {};
    // Added again, so that the map is in the order of the last failures.
    circuits.delete(subject);
    circuits.set(subject, { failures: failures + 1, openUntil: runtime.monotonic() + breakMs });
    const [oldest = ''] = circuits.keys();
    if (circuits.size > MAX_CIRCUITS) circuits.delete(oldest);
    if (failed.size < MIN_FAILED_SUBJECTS) failed.add(subject);
  };
  const recordResponse = (subject: string) => {
    circuits.delete(subject);
    failed.clear();
  };

  return async (subject, work) => {
    const circuit = circuits.get(subject);
    const isDown = failed.size >= MIN_FAILED_SUBJECTS;
    if (circuit && circuit.failures >= (isDown ? 1 : breakAfter)) {
      const restMs = circuit.openUntil - runtime.monotonic();
      if (restMs > 0)
        throw new RampError(
          'ERR_NETWORK',
          `The service failed ${circuit.failures} times in a row, so it is not called for ${Math.ceil(restMs / 1000)} s. Try again later.`,
        );
      // This is the trial call. Other calls are rejected for another `breakMs`, or until it succeeds.
      circuit.openUntil = runtime.monotonic() + breakMs;
    }
    try {
      const result = await work();
      recordResponse(subject);
      return result;
    } catch (error) {
      if (isOutage(error)) recordFailure(subject);
      else if (isServiceResponse(error)) recordResponse(subject);
      throw error;
    }
  };
}

/** Returns whether an error is a response of the service. An aborted call does not show whether it is up. */
const isServiceResponse = (error: unknown) =>
  error instanceof RampError &&
  (error.apiCode !== undefined || error.code === 'ERR_RESPONSE_INVALID');
