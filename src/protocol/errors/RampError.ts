export { isRampError } from './isRampError.js';

/**
 * Every code of a {@link RampError}. Codes are stable: a new release may add some, never rename one.
 *
 * - `ERR_CONFIG_INVALID`: an option, or the result of one of your functions, is invalid.
 * - `ERR_CLOCK_SKEW`: the clocks of the backend and the service differ; `onError` receives this error.
 * - `ERR_PARAMS_INVALID`: parameters are missing or malformed; `issues` lists them.
 * - `ERR_REQUEST`: the ramp handler refused a request: its body is not JSON, or its cursor did not come from the list.
 * - `ERR_METHOD_NOT_ALLOWED`: the ramp handler's route does not support the method.
 * - `ERR_CONTENT_TYPE`: the body of the request is not declared as JSON.
 * - `ERR_BODY_TOO_LARGE`: the body of the request is too large.
 * - `ERR_ORIGIN_REFUSED`: the origin of the page is not in `allowedOrigins`.
 * - `ERR_NOT_FOUND`: the ramp handler has no such route.
 * - `ERR_CHECKOUT_NOT_FOUND`: the checkout does not exist, or belongs to another shopper.
 * - `ERR_RATE_LIMITED`: the shopper sends too many requests.
 * - `ERR_BUSY`: the ramp handler is serving too many requests.
 * - `ERR_SYNC_SECRET`: the scheduled job sent no secret, or a wrong one.
 * - `ERR_SIGNER`: the page's checkout signer failed, or its response contains no signature.
 * - `ERR_SIGNED_OUT`: no shopper is signed in, so no checkout can be opened.
 * - `ERR_POLICY_REFUSED`: the checkout policy refused; the message is for the shopper.
 * - `ERR_API_RESPONSE`: the service refused a request or failed; `apiCode` is the service's code, if it sent one.
 * - `ERR_QUOTE_UNAVAILABLE`: the service has no price for this amount, pair and payment method.
 * - `ERR_NETWORK`: the backend or the service cannot be reached, or the request was not sent.
 * - `ERR_TIMEOUT`: the backend, the service, the database or a callback did not finish in time.
 * - `ERR_RESPONSE_INVALID`: a response is not as documented.
 * - `ERR_WEBHOOK_VERIFICATION`: a webhook was not verified; `reason` names the cause.
 * - `ERR_ORDER_EXISTS`: the checkout already has an order, or a webhook announced one, so it is not signed again.
 * - `ERR_CHECKOUT_EXPIRED`: the checkout has expired, or its terms have changed, so it is not signed again.
 * - `ERR_ORDER_REVIEW`: an order may be paid but is not delivered or not settled, so a person must look at it.
 * - `ERR_INTERNAL`: the backend failed unexpectedly, for example because its store did. The backend's `onError`
 *   receives the cause.
 * - `ERR_WIDGET_BLOCKED`: the browser blocked the widget's window.
 * - `ERR_WIDGET_LOAD`: the browser refused the widget's frame because of a policy of the page or the service, or opening
 *   the widget failed unexpectedly; see the cause.
 * - `ERR_RENDER`: a component could not be shown; see the cause.
 */
export type RampErrorCode =
  | 'ERR_CONFIG_INVALID'
  | 'ERR_CLOCK_SKEW'
  | 'ERR_PARAMS_INVALID'
  | 'ERR_REQUEST'
  | 'ERR_METHOD_NOT_ALLOWED'
  | 'ERR_CONTENT_TYPE'
  | 'ERR_BODY_TOO_LARGE'
  | 'ERR_ORIGIN_REFUSED'
  | 'ERR_NOT_FOUND'
  | 'ERR_CHECKOUT_NOT_FOUND'
  | 'ERR_RATE_LIMITED'
  | 'ERR_BUSY'
  | 'ERR_SYNC_SECRET'
  | 'ERR_SIGNER'
  | 'ERR_SIGNED_OUT'
  | 'ERR_POLICY_REFUSED'
  | 'ERR_API_RESPONSE'
  | 'ERR_QUOTE_UNAVAILABLE'
  | 'ERR_NETWORK'
  | 'ERR_TIMEOUT'
  | 'ERR_RESPONSE_INVALID'
  | 'ERR_WEBHOOK_VERIFICATION'
  | 'ERR_ORDER_EXISTS'
  | 'ERR_CHECKOUT_EXPIRED'
  | 'ERR_ORDER_REVIEW'
  | 'ERR_INTERNAL'
  | 'ERR_WIDGET_BLOCKED'
  | 'ERR_WIDGET_LOAD'
  | 'ERR_RENDER';

/**
 * An issue with one parameter, or with one field of a response. The `message` of an issue in a {@link RampError} never
 * contains the value.
 */
export interface RampIssue {
  /** The name of the parameter or field, or `''` for an issue with the parameters or the response as a whole. */
  readonly param: string;
  /** The issue as the rest of a sentence that begins with the name, such as `is required`. */
  readonly message: string;
}

/** What a {@link RampError} may carry in addition to its code and message. */
export interface RampErrorDetails {
  readonly issues?: readonly RampIssue[] | undefined;
  readonly apiCode?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The class of this package's errors.
 *
 * The message states the problem, its cause and how to fix it. It never contains a secret, a signature
 * or a body, so it may be logged and shown.
 */
export class RampError extends Error {
  // `declare` emits no code for these fields. The constructor assigns all of them, so none needs a definition.
  declare readonly code: RampErrorCode;
  /**
   * With `ERR_PARAMS_INVALID` and `ERR_RESPONSE_INVALID`: an issue for each invalid value, at most 20. With
   * `ERR_POLICY_REFUSED`: the issues that the policy passed, so that a page can recognize the refusal.
   */
  declare readonly issues: readonly RampIssue[] | undefined;
  /** With `ERR_API_RESPONSE`: the service's code (service interface, section 7), such as `'10003'`. */
  declare readonly apiCode: string | undefined;
  /**
   * How many seconds to wait before trying again. For an error from your backend, this is the `Retry-After` header of
   * the response, and 0 if the response has no such header. Your own signer may set this field too.
   */
  declare readonly retryAfterSeconds: number | undefined;
  /** In a page: the HTTP status, if this error reports a response of your backend. */
  declare readonly status: number | undefined;
  /** The URL that documents `code`. Set only on a server, and not under `NODE_ENV=production`. */
  declare readonly docs: string | undefined;

  constructor(code: RampErrorCode, message: string, details?: RampErrorDetails) {
    super(message, details);
    // A single `Object.assign` keeps the code small: every page with a button may load this constructor.
    Object.assign(this, details, { name: 'RampError', code });
    // Node.js prints `docs` with the error. In a page `docs` is never set, because browsers have no `process`. There,
    // the components print the URL in their development warnings.
    if (typeof process === 'object' && process.env.NODE_ENV !== 'production')
      this.docs = getErrorDocsUrl(code);
  }
}

/**
 * Creates the error of an invalid configuration.
 *
 * @param subject - The misconfigured function or option, with which the message starts.
 * @param message - The rest of the sentence: the problem and how to fix it. It must not contain the invalid value.
 * @returns RampError `ERR_CONFIG_INVALID`
 * @example
 * throw createConfigError('createRamp', 'needs a store: sqlOrderStore(kysely).');
 */
export const createConfigError = (
  subject: string,
  message: string,
  details?: RampErrorDetails,
): RampError => new RampError('ERR_CONFIG_INVALID', `${subject} ${message}`, details);

/** The maximum number of issues in an error, so that a body with many invented names cannot inflate the response. */
const MAX_ISSUES = 20;

/**
 * Creates an `ERR_PARAMS_INVALID` error from a list of issues. Its message summarizes them.
 *
 * @param what - The subject of the message, before "refused".
 */
export function createParamsError(
  issues: readonly RampIssue[],
  what = 'Widget parameters',
): RampError {
  const shown = issues.slice(0, MAX_ISSUES);
  const summary = shown.map(({ param, message }) => `${param || 'the parameters'} ${message}`);
  return new RampError('ERR_PARAMS_INVALID', `${what} refused: ${summary.join('; ')}.`, {
    issues: shown,
  });
}

const PAGE = 'https://github.com/partner-ramp/react/blob/HEAD/docs/errors.md';

/**
 * Returns the URL of the section in docs/errors.md that describes a code.
 *
 * @param code - A RampErrorCode.
 */
export const getErrorDocsUrl = (code: string): string => `${PAGE}#${code.toLowerCase()}`;
