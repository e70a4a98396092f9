import type { RampErrorCode } from '../protocol/errors/RampError.js';

/** How the handler responds with one error code. */
interface ErrorResponse {
  /** The status of the response, unless its route documents another one. */
  readonly status: number;
  /** When the handler sends this code. */
  readonly when: string;
}

/**
 * Every error code that a response may carry. The handler takes each code's status from here, and refuses to send any
 * other code. The OpenAPI document and the table in docs/http.md quote `when`.
 */
export const errorCodes = {
  ERR_PARAMS_INVALID: {
    status: 400,
    when: "A parameter of the proposal, the selection, the query or the policy's grant is wrong. `issues` names it.",
  },
  ERR_REQUEST: {
    status: 400,
    when: 'The body is not JSON, or the cursor did not come from this list.',
  },
  ERR_SIGNED_OUT: { status: 401, when: 'No one is signed in.' },
  ERR_SYNC_SECRET: { status: 401, when: 'The secret of `/sync` is missing or wrong.' },
  ERR_WEBHOOK_VERIFICATION: {
    status: 401,
    when: 'The webhook was not verified. The status is 503 if it is genuine and could not be recorded.',
  },
  ERR_ORIGIN_REFUSED: { status: 403, when: 'The origin of the page is not allowed.' },
  ERR_POLICY_REFUSED: {
    status: 403,
    when: 'The policy refused the checkout. Its message is meant for the shopper.',
  },
  ERR_CHECKOUT_NOT_FOUND: {
    status: 404,
    when: 'The checkout is unknown, or belongs to another user.',
  },
  ERR_NOT_FOUND: { status: 404, when: 'The backend has no such route.' },
  ERR_METHOD_NOT_ALLOWED: {
    status: 405,
    when: 'The route does not accept this method. `Allow` lists the accepted ones.',
  },
  ERR_ORDER_EXISTS: {
    status: 409,
    when: 'The checkout has an order, so it is not signed again.',
  },
  ERR_CHECKOUT_EXPIRED: {
    status: 410,
    when: 'The checkout has expired, or would be granted differently now.',
  },
  ERR_BODY_TOO_LARGE: { status: 413, when: 'The body is too large.' },
  ERR_CONTENT_TYPE: { status: 415, when: 'The body is not declared as `application/json`.' },
  ERR_QUOTE_UNAVAILABLE: { status: 422, when: 'The service has no price for this query.' },
  ERR_RATE_LIMITED: {
    status: 429,
    when: 'The user sends too many requests. Try again after `Retry-After`.',
  },
  ERR_CONFIG_INVALID: {
    status: 500,
    when: 'An option of the backend, its policy or its `getShopper` is wrong. In production, only the log says what.',
  },
  ERR_INTERNAL: { status: 500, when: 'The backend failed, for example its store.' },
  ERR_SIGNER: { status: 500, when: 'Your own widget signer failed.' },
  ERR_API_RESPONSE: { status: 503, when: 'The service failed, or refused the backend.' },
  ERR_BUSY: {
    status: 503,
    when: 'The backend is serving too many requests. Try again after `Retry-After`.',
  },
  ERR_TIMEOUT: {
    status: 503,
    when: "The backend's store is busy. Try again after `Retry-After`.",
  },
} as const satisfies { readonly [Code in RampErrorCode]?: ErrorResponse };

export type ErrorCode = keyof typeof errorCodes;
