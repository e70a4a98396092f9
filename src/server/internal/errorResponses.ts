import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import { isRampError } from '../../protocol/errors/isRampError.js';
import { RampError, type RampErrorCode, type RampIssue } from '../../protocol/errors/RampError.js';

interface RequestErrorDetails {
  readonly retryAfterSeconds?: number;
  /** @default the status of the code */
  readonly status?: number;
}

/** A refused HTTP request. */
export class RequestError extends RampError {
  override readonly status: number;

  constructor(code: RampErrorCode, message: string, details: RequestErrorDetails = {}) {
    super(code, message, { retryAfterSeconds: details.retryAfterSeconds });
    this.status = details.status ?? statusOfCode[code] ?? 400;
  }
}

/** The body of every error response. */
export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly issues?: readonly RampIssue[];
  };
}

const statusOfCode: Readonly<Record<string, number>> = {
  ERR_REQUEST: 400,
  ERR_PARAMS_INVALID: 400,
  ERR_SYNC_SECRET: 401,
  ERR_ORIGIN_REFUSED: 403,
  ERR_NOT_FOUND: 404,
  ERR_CHECKOUT_NOT_FOUND: 404,
  ERR_METHOD_NOT_ALLOWED: 405,
  ERR_BODY_TOO_LARGE: 413,
  ERR_CONTENT_TYPE: 415,
  ERR_RATE_LIMITED: 429,
  ERR_BUSY: 503,
  ERR_QUOTE_UNAVAILABLE: 422,
  ERR_API_RESPONSE: 503,
  ERR_TIMEOUT: 503,
  ERR_SIGNED_OUT: 401,
  ERR_POLICY_REFUSED: 403,
  ERR_WEBHOOK_VERIFICATION: 401,
  ERR_ORDER_EXISTS: 409,
  ERR_CHECKOUT_EXPIRED: 410,
  ERR_CONFIG_INVALID: 500,
  ERR_SIGNER: 500,
  ERR_INTERNAL: 500,
};

const BUSY = 'The backend is busy. Try again in a moment.';
const MISCONFIGURED = 'The backend is not configured correctly. Its log says what to correct.';

/** Returns the message of an error that clients may see. */
function getMessage({ code, message }: RampError): string {
  // The message of a timeout describes the database.
  if (code === 'ERR_TIMEOUT') return BUSY;
  // The message helps the shop's developers, and is no business of strangers.
  if (code === 'ERR_CONFIG_INVALID' && process.env.NODE_ENV === 'production') return MISCONFIGURED;
  return message;
}

/**
 * Returns the response to an error. Clients see only the codes that are documented for a route. Any other error becomes
 * `ERR_INTERNAL`, because its message may have details that they must not see.
 */
export function toErrorResponse(error: unknown): { status: number; body: ErrorBody } {
  const known = isRampError(error) ? getStatus(error) : undefined;
  if (!known || !isRampError(error))
    return {
      status: 500,
      body: {
        error: {
          code: 'ERR_INTERNAL',
          message: 'The backend failed to handle the request. Try again in a moment.',
        },
      },
    };
  const { code, issues } = error;
  const message = getMessage(error);
  return { status: known, body: { error: { code, message, ...(issues && { issues }) } } };
}

export function sendErrorResponse(
  res: ServerResponse | Http2ServerResponse,
  { status, body }: { status: number; body: ErrorBody },
): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Cache-Control', 'no-store');
  res.end(JSON.stringify(body));
}

function getStatus(error: RampError): number | undefined {
  if (error instanceof RequestError) return error.status;
  return Object.hasOwn(statusOfCode, error.code) ? statusOfCode[error.code] : undefined;
}
