/** Every code a {@link RampError} can carry. Codes are stable: a new release may add some, never rename one. */
export type RampErrorCode =
  | 'ERR_CONFIG_INVALID'
  | 'ERR_PARAMS_INVALID'
  | 'ERR_REQUEST'
  | 'ERR_SIGNER'
  | 'ERR_POLICY_REFUSED'
  | 'ERR_API_RESPONSE'
  | 'ERR_QUOTE_UNAVAILABLE'
  | 'ERR_NETWORK'
  | 'ERR_TIMEOUT'
  | 'ERR_RESPONSE_INVALID'
  | 'ERR_WEBHOOK_VERIFICATION'
  | 'ERR_ORDER_EXISTS'
  | 'ERR_CHECKOUT_EXPIRED'
  | 'ERR_WIDGET_BLOCKED'
  | 'ERR_WIDGET_LOAD';

/** One thing that is wrong with one parameter. `message` never repeats the value. */
export interface RampIssue {
  /** The parameter it is about, or `''` when it is about the whole. */
  readonly param: string;
  readonly message: string;
}

/** What may accompany an error. */
export interface RampErrorDetails {
  readonly issues?: readonly RampIssue[] | undefined;
  readonly apiCode?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The one error class of this package.
 *
 * The message says what happened, why, and how to mend it; it never carries a secret, a signature
 * or a body, so it may be logged and shown.
 */
export class RampError extends Error {
  // Declared only: the constructor sets all three, so the class needs no field definitions.
  declare readonly code: RampErrorCode;
  /** With `ERR_PARAMS_INVALID`: each parameter that was refused and why. */
  declare readonly issues: readonly RampIssue[] | undefined;
  /** With `ERR_API_RESPONSE`: the service's own code (section 7), such as `'10003'`. */
  declare readonly apiCode: string | undefined;

  constructor(code: RampErrorCode, message: string, details?: RampErrorDetails) {
    super(message, details);
    this.name = 'RampError';
    this.code = code;
    this.issues = details?.issues;
    this.apiCode = details?.apiCode;
  }
}
