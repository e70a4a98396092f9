import { RampError, type RampErrorCode } from '../../protocol/errors/RampError.js';

interface TransientErrorDetails {
  readonly cause?: unknown;
  readonly apiCode?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The HTTP status, when the service returned one. */
  readonly status?: number | undefined;
}

/** The statuses of an overloaded or unavailable service or gateway. A 500 may concern only one request. */
const OUTAGE_STATUSES = [429, 502, 503, 504];

/** An error that may not occur again: the service is unreachable or overloaded, or it failed. */
export class TransientError extends RampError {
  /** The value of the header `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Whether the error counts for the circuit breaker: the whole service may be down, not only this request. */
  readonly isOutage: boolean;

  constructor(code: RampErrorCode, message: string, details: TransientErrorDetails = {}) {
    super(code, message, details);
    this.retryAfterMs = details.retryAfterMs;
    this.isOutage = details.status === undefined || OUTAGE_STATUSES.includes(details.status);
  }
}
