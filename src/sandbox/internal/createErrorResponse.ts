import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isRampError } from '../../protocol/errors/isRampError.js';
import type { RampErrorCode, RampIssue } from '../../protocol/errors/RampError.js';
import { RequestError } from '../../server/internal/RequestError.js';

/** An answer `{ error: { code, message, issues? } }` with its status. */
export function createErrorResponse(
  c: Context,
  status: ContentfulStatusCode,
  code: RampErrorCode,
  message: string,
  issues?: readonly RampIssue[],
): Response {
  return c.json({ error: { code, message, ...(issues && { issues }) } }, status);
}

/** Whatever a route throws, as an answer that says no more than it should. */
export function handleThrownError(error: Error, c: Context): Response {
  if (error instanceof RequestError)
    return createErrorResponse(c, error.status as ContentfulStatusCode, error.code, error.message);
  if (isRampError(error))
    return error.code === 'ERR_PARAMS_INVALID'
      ? createErrorResponse(c, 400, error.code, error.message, error.issues)
      : createErrorResponse(c, 500, error.code, error.message);
  // The response carries no detail, so log the error for the developer who runs the sandbox.
  process.stderr.write(`Sandbox: ${error.stack}\n`);
  return createErrorResponse(c, 500, 'ERR_INTERNAL', 'The sandbox failed at this request.');
}
