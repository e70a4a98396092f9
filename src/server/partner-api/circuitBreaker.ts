import { RampError } from '../../protocol/errors/RampError.js';
import type { Runtime } from '../internal/runtime.js';

interface CircuitBreakerOptions {
  /** The number of consecutive failures that opens the circuit. */
  readonly breakAfter: number;
  /** How long an open circuit rejects calls. */
  readonly breakMs: number;
  /** Returns whether an error means that the service may be down. */
  readonly isOutage: (error: unknown) => boolean;
  readonly runtime: Pick<Runtime, 'monotonic'>;
}

/** A function that runs `work`, unless the circuit of `subject` is open. */
type CircuitBreaker = <T>(subject: string, work: () => Promise<T>) => Promise<T>;

interface Circuit {
  failures: number;
  openUntil: number;
}

/** The whole service is assumed to be down if this many subjects have failed since it last responded. */
const MIN_FAILED_SUBJECTS = 3;
/**
 * The maximum number of circuits. Visitors choose the currencies of a price, and each combination has its own circuit.
 */
const MAX_CIRCUITS = 1000;

/**
 * Creates a circuit breaker with one circuit for each subject, such as a pair of currencies. After `breakAfter`
 * consecutive failures of a subject, its circuit opens, and its calls reject immediately for `breakMs`. Then one trial
 * call runs every `breakMs`, until a trial succeeds and closes the circuit.
 *
 * If the service hangs for one subject, calls for other subjects still run. If three subjects fail and the service does
 * not respond in between, it counts as down: from then on, a single failure opens the circuit of a subject.
 *
 * A call rejects with `ERR_NETWORK` while the circuit of its subject is open, and otherwise with the errors of `work`.
 */
export function createCircuitBreaker(settings: CircuitBreakerOptions): CircuitBreaker {
  const { breakAfter, breakMs, isOutage, runtime } = settings;
  const circuits = new Map<string, Circuit>();
  /** The subjects that have failed since the service last responded. */
  const failed = new Set<string>();

  const recordFailure = (subject: string) => {
    const { failures = 0 } = circuits.get(subject) ?? {};
    // Delete the circuit before it is added again, so that the map stays sorted by the last failure, oldest first.
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
      // This call is the trial call. Other calls are rejected for another `breakMs`, or until the trial succeeds.
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

/** Returns whether an error shows that the service has responded, and so is up. An aborted call does not show that. */
const isServiceResponse = (error: unknown) =>
  error instanceof RampError &&
  (error.apiCode !== undefined || error.code === 'ERR_RESPONSE_INVALID');
