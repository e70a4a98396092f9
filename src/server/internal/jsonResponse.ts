import type { Context } from 'hono';

const texts = new WeakMap<Response, string>();

/** Creates a JSON response with the headers that were set on `c`. {@link getJsonText} returns its text. */
export function sendJson(c: Context, value: unknown, status = 200): Response {
  const text = JSON.stringify(value);
  const response = c.body(text, status as 200, { 'Content-Type': 'application/json' });
  texts.set(response, text);
  return response;
}

/**
 * Returns the text of a response that {@link sendJson} created. The adapter for Node.js sends this text: reading it from
 * the stream of the response would take about 30 microseconds, a tenth of `POST /checkouts`.
 */
export const getJsonText = (response: Response): string | undefined => texts.get(response);
