import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isRampError } from '../../protocol/errors/isRampError.js';
import type { RampErrorCode, RampIssue } from '../../protocol/errors/RampError.js';
import { RequestError } from '../../server/internal/RequestError.js';

/** Creates a response with the body `{ error: { code, message, issues? } }`. */
export function createErrorResponse(
  c: Context,
  status: ContentfulStatusCode,
  code: RampErrorCode,
  message: string,
  issues?: readonly RampIssue[],
): Response {
  return c.json({ error: { code, message, ...(issues && { issues }) } }, status);
}

/** Converts any error of a route into a response that reveals no internals. */
export function handleThrownError(error: Error, c: Context): Response {
  if (error instanceof RequestError)
    return createErrorResponse(c, error.status as ContentfulStatusCode, error.code, error.message);
  if (isRampError(error))
    return error.code === 'ERR_PARAMS_INVALID'
      ? createErrorResponse(c, 400, error.code, error.message, error.issues)
      : createErrorResponse(c, 500, error.code, error.message);
  // The response carries no detail, so log the error for the developer who runs the sandbox.
  process.stderr.write(`Sandbox: ${error.stack}\n`);
  return createErrorResponse(
    c,
    500,
    'ERR_INTERNAL',
    'The sandbox could not handle this request. Its log shows the error.',
  );
}
