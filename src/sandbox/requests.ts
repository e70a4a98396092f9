import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type * as z from 'zod/mini';
import {
  createParamsError,
  isRampError,
  type RampErrorCode,
  type RampIssue,
} from '../protocol/errors/RampError.js';
import { RequestError } from '../server/internal/errorResponses.js';

type DecodedQuery =
  | { readonly ok: true; readonly params: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly message: string };

/**
 * Parses a query string strictly. Duplicate names and malformed percent-encoding are rejected, because two
 * parsers could read them differently. Items with an empty name or value are dropped.
 */
export function decodeQuery(query: string): DecodedQuery {
  // The object has no prototype, because a parameter may be called __proto__.
  const params: Record<string, string> = Object.create(null);
  const seen = new Set<string>();
  for (const item of query.replace(/^\?/, '').split('&')) {
    const [, rawName = '', rawValue = ''] = /^([^=]*)=?(.*)$/s.exec(item) ?? [];
    const name = decodeText(rawName);
    const value = decodeText(rawValue);
    if (name === undefined || value === undefined)
      return { ok: false, message: 'The query has malformed percent-encoding.' };
    if (name === '') continue;
    if (seen.has(name)) return { ok: false, message: `The parameter ${name} occurs twice.` };
    seen.add(name);
    if (value !== '') params[name] = value;
  }
  return { ok: true, params };
}

function decodeText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * Parses an untrusted value with a schema.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with issues
 */
export function parseWithSchema<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw createParamsError(
    result.error.issues.map((issue) =>
      issue.code === 'unrecognized_keys'
        ? { param: issue.keys.join(', '), message: 'is unknown' }
        : { param: issue.path.join('.'), message: issue.message },
    ),
  );
}

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
  // The response contains no details, so log the error for the developer who runs the sandbox.
  process.stderr.write(`Sandbox: ${error.stack}\n`);
  return createErrorResponse(
    c,
    500,
    'ERR_INTERNAL',
    'The sandbox could not handle this request. Its log shows the error.',
  );
}
