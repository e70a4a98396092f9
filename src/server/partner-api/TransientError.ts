import { RampError, type RampErrorCode } from '../../protocol/errors/RampError.js';

interface TransientErrorDetails {
  readonly cause?: unknown;
  readonly apiCode?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The HTTP status, when the service returned one. */
  readonly status?: number | undefined;
}

/** Statuses of a service or gateway that is overloaded or down. One bad request may be a 500. */
const OUTAGE_STATUSES = [429, 502, 503, 504];

/** An error after which another try may succeed: the service is unreachable, overloaded or failed. */
export class TransientError extends RampError {
  /** The `Retry-After` of the response. */
  readonly retryAfterMs: number | undefined;
  /** Whether it counts for the circuit breaker: the whole service may be down, not this request alone. */
  readonly isOutage: boolean;

  constructor(code: RampErrorCode, message: string, details: TransientErrorDetails = {}) {
    super(code, message, details);
    this.retryAfterMs = details.retryAfterMs;
    this.isOutage = details.status === undefined || OUTAGE_STATUSES.includes(details.status);
  }
}
