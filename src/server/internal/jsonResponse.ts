import { createHash } from 'node:crypto';
import type { Context } from 'hono';

/** Creates a JSON response with the headers that were set on `c`. */
export const sendJson = (c: Context, value: unknown, status = 200): Response =>
  c.json(value, status as 200);

/**
 * Like {@link sendJson}, with a strong `ETag`. If the request sends it in `If-None-Match`, the response is a 304
 * without a body. A proxy that compresses responses weakens the tag, so `W/` is ignored.
 */
export function sendTaggedJson(c: Context, value: unknown): Response {
  const text = JSON.stringify(value);
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  c.header('ETag', tag);
  const known = c.req.header('if-none-match')?.split(',') ?? [];
  if (known.some((one) => one.trim().replace(/^W\//, '') === tag)) return c.body(null, 304);
  return c.body(text, 200, { 'Content-Type': 'application/json' });
}
