import { RequestRefused } from './http-errors.js';

const MAX_BODY_BYTES = 16 * 1024;

/**
 * Reads a JSON body of at most 16 KB. What a form of a foreign page can send without asking first
 * is not taken for JSON.
 *
 * @throws RequestRefused 415, 413 or 400
 */
export async function readJson(request: Request): Promise<unknown> {
  if (!/^application\/json *(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new RequestRefused(415, 'Send the body as application/json.');
  try {
    return JSON.parse(await readText(request));
  } catch (error) {
    if (error instanceof RequestRefused) throw error;
    throw new RequestRefused(400, 'The body is not JSON.');
  }
}

/**
 * By hand: Hono's own limit makes a new Request of what may be the adapter's own kind of Request,
 * and fails.
 */
async function readText(request: Request): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES)
      throw new RequestRefused(413, `The body is larger than ${MAX_BODY_BYTES / 1024} KB.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
