import { RequestRefused } from './http-errors.js';
import { readBounded, utf8 } from './readBounded.js';

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
    const bytes = await readBounded(request.body, MAX_BODY_BYTES);
    if (!bytes)
      throw new RequestRefused(413, `The body is larger than ${MAX_BODY_BYTES / 1024} KB.`);
    return JSON.parse(utf8(bytes));
  } catch (error) {
    if (error instanceof RequestRefused) throw error;
    throw new RequestRefused(400, 'The body is not JSON.');
  }
}
