import { RampError, type RampErrorCode } from '../protocol/ramp-error.js';

interface PassingFailureDetails {
  readonly cause?: unknown;
  readonly apiCode?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** The service could not be reached, is overloaded or failed: the next try may go well. */
export class PassingFailure extends RampError {
  /** What the service asked for (`Retry-After`). */
  readonly retryAfterMs: number | undefined;

  constructor(code: RampErrorCode, message: string, details: PassingFailureDetails = {}) {
    super(code, message, details);
    this.retryAfterMs = details.retryAfterMs;
  }
}
