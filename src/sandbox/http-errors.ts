import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isRampError } from '../protocol/is-ramp-error.js';
import type { RampErrorCode, RampIssue } from '../protocol/ramp-error.js';
import { RequestRefused } from '../server/http-errors.js';

/** An answer `{ error: { code, message, issues? } }` with its status. */
export function errorAnswer(
  c: Context,
  status: ContentfulStatusCode,
  code: RampErrorCode | 'ERR_INTERNAL',
  message: string,
  issues?: readonly RampIssue[],
): Response {
  return c.json({ error: { code, message, ...(issues && { issues }) } }, status);
}

/** Whatever a route throws, as an answer that says no more than it should. */
export function thrownAnswer(error: Error, c: Context): Response {
  if (error instanceof RequestRefused)
    return errorAnswer(c, error.status as ContentfulStatusCode, error.code, error.message);
  if (isRampError(error))
    return error.code === 'ERR_PARAMS_INVALID'
      ? errorAnswer(c, 400, error.code, error.message, error.issues)
      : errorAnswer(c, 500, error.code, error.message);
  // The caller is told nothing; whoever runs the sandbox has to hear of it.
  process.stderr.write(`Sandbox: ${error.stack}\n`);
  return errorAnswer(c, 500, 'ERR_INTERNAL', 'The sandbox failed at this request.');
}
