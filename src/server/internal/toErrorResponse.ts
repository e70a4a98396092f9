import { isRampError } from '../../protocol/errors/isRampError.js';
import type { RampError, RampIssue } from '../../protocol/errors/RampError.js';
import { RequestError } from './RequestError.js';

/** The shape of every error answer. */
export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly issues?: readonly RampIssue[];
  };
}

const statusOfCode: Readonly<Record<string, number>> = {
  ERR_PARAMS_INVALID: 400,
  ERR_QUOTE_UNAVAILABLE: 422,
  ERR_API_RESPONSE: 503,
  ERR_POLICY_REFUSED: 403,
  ERR_WEBHOOK_VERIFICATION: 401,
  ERR_ORDER_EXISTS: 409,
  ERR_CHECKOUT_EXPIRED: 410,
  ERR_CONFIG_INVALID: 500,
  ERR_SIGNER: 500,
};

/** What the client may know of an error. What is not ours keeps its details to itself. */
export function toErrorResponse(error: unknown): { status: number; body: ErrorBody } {
  const known = isRampError(error) ? getStatus(error) : undefined;
  if (!known || !isRampError(error))
    return {
      status: 500,
      body: {
        error: {
          code: 'ERR_SIGNER',
          message: 'The checkout could not be prepared. Nothing was charged; try again.',
        },
      },
    };
  const { code, message, issues } = error;
  return { status: known, body: { error: { code, message, ...(issues && { issues }) } } };
}

function getStatus(error: RampError): number | undefined {
  if (error instanceof RequestError) return error.status;
  return Object.hasOwn(statusOfCode, error.code) ? statusOfCode[error.code] : undefined;
}
