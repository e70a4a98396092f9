import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import { type ErrorCode, errorCodes } from '../../contract/errorCodes.js';
import { isRampError } from '../../protocol/errors/isRampError.js';
import { RampError, type RampIssue } from '../../protocol/errors/RampError.js';

interface RequestErrorDetails {
  readonly retryAfterSeconds?: number;
  /** @default the status of the code */
  readonly status?: number;
}

/** A refused HTTP request. */
export class RequestError extends RampError {
  override readonly status: number;

  constructor(code: ErrorCode, message: string, details: RequestErrorDetails = {}) {
    super(code, message, { retryAfterSeconds: details.retryAfterSeconds });
    this.status = details.status ?? errorCodes[code].status;
  }
}

/** The body of every error response. */
export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly issues?: readonly RampIssue[];
  };
}

interface ErrorResponse {
  readonly status: number;
  readonly body: ErrorBody;
}

/** Returns whether a code is documented, so that clients may see it. */
const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

const BUSY = 'The backend is busy. Try again in a moment.';
const MISCONFIGURED = 'The backend is not configured correctly. Its log says what to correct.';

/** Returns the message of an error that clients may see. */
function getMessage({ code, message }: RampError): string {
  // The message of a timeout describes the database.
  if (code === 'ERR_TIMEOUT') return BUSY;
  // The message is meant for the shop's developers, so hide it from strangers.
  if (code === 'ERR_CONFIG_INVALID' && process.env.NODE_ENV === 'production') return MISCONFIGURED;
  return message;
}

/**
 * Returns the response to an error. Clients see only the codes that are documented for a route. Any other error becomes
 * `ERR_INTERNAL`, because its message may contain details that they must not see.
 */
export function toErrorResponse(error: unknown): ErrorResponse {
  if (!isRampError(error) || !isErrorCode(error.code))
    return {
      status: errorCodes.ERR_INTERNAL.status,
      body: {
        error: {
          code: 'ERR_INTERNAL',
          message: 'The backend failed to handle the request. Try again in a moment.',
        },
      },
    };
  const { code, issues } = error;
  const message = getMessage(error);
  return {
    status: error instanceof RequestError ? error.status : errorCodes[code].status,
    body: { error: { code, message, ...(issues && { issues }) } },
  };
}

export function sendErrorResponse(
  res: ServerResponse | Http2ServerResponse,
  { status, body }: ErrorResponse,
): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Cache-Control', 'no-store');
  res.end(JSON.stringify(body));
}
