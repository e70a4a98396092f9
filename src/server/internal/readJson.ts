import { RequestError } from './RequestError.js';
import { decodeUtf8, readRequestBody } from './readBodyWithLimit.js';

const MAX_BODY_BYTES = 16 * 1024;

/**
 * Reads a JSON body of at most 16 KB. It refuses other content types, because a form of another origin could
 * send some of them without a preflight.
 *
 * @throws RequestError 415 for another content type, 413 for a larger body, 400 for malformed JSON.
 */
export async function readJson(request: Request): Promise<unknown> {
  if (!/^application\/json *(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new RequestError(415, 'Send the body as application/json.');
  try {
    const bytes = await readRequestBody(request, MAX_BODY_BYTES);
    if (!bytes) throw new RequestError(413, `The body is larger than ${MAX_BODY_BYTES / 1024} KB.`);
    return JSON.parse(decodeUtf8(bytes));
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw new RequestError(400, 'The body is not JSON.');
  }
}
