import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleType,
  type IRetryBackoffContext,
  retry,
  wrap,
} from 'cockatiel';
import { RampError } from '../protocol/ramp-error.js';
import { abortable } from './abortable.js';
import { PassingFailure } from './PassingFailure.js';

export interface ResilienceSettings {
  /** How often one request is tried in all. */
  readonly maxTries: number;
  /** The longest pause that the service may ask for between two tries. */
  readonly timeoutMs: number;
  /** Requests under way at once, and how many more may wait. */
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
  /** After so many failures in a row the service is left alone for a while. */
  readonly breakAfter: number;
  readonly breakMs: number;
  /** From 0 to 1, for the jitter. */
  readonly random: () => number;
}

export type Resilience = <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;

const FIRST_PAUSE_MS = 200;

/**
 * Carries work over passing failures: several tries with pauses that grow and scatter, a limit of
 * what runs at once, and a breaker for a service that is down. Any other failure ends it at once.
 *
 * @throws RampError what the last try threw; `ERR_NETWORK` while the breaker is open or too much
 * waits already; the signal's reason as soon as it is aborted.
 */
export function createResilience(settings: ResilienceSettings): Resilience {
  const { maxTries, maxConcurrent, maxWaiting, breakAfter, breakMs, timeoutMs } = settings;
  const passing = handleType(PassingFailure);
  const worthAnotherTry = handleType(
    PassingFailure,
    ({ retryAfterMs }) => (retryAfterMs ?? 0) <= timeoutMs,
  );
  const policy = wrap(
    bulkhead(maxConcurrent, maxWaiting),
    retry(worthAnotherTry, {
      maxAttempts: maxTries - 1,
      backoff: new DelegateBackoff(({ attempt, result }: IRetryBackoffContext<unknown>) => {
        const error = 'error' in result && result.error;
        const asked = error instanceof PassingFailure ? error.retryAfterMs : 0;
        return asked || FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + settings.random());
      }),
    }),
    circuitBreaker(passing, {
      breaker: new ConsecutiveBreaker(breakAfter),
      halfOpenAfter: breakMs,
    }),
  );
  return async (work, signal) => {
    try {
      const run = policy.execute(() => {
        signal?.throwIfAborted();
        return work();
      });
      return await abortable(run, signal);
    } catch (error) {
      throw refusalOf(error, settings) ?? error;
    }
  };
}

function refusalOf(error: unknown, { breakMs, breakAfter, maxWaiting }: ResilienceSettings) {
  if (error instanceof BrokenCircuitError)
    return new RampError(
      'ERR_NETWORK',
      `The service failed ${breakAfter} times in a row and is left alone for ${breakMs / 1000} s.`,
    );
  if (error instanceof BulkheadRejectedError)
    return new RampError(
      'ERR_NETWORK',
      `More than ${maxWaiting} requests to the service are waiting already.`,
    );
  return undefined;
}
