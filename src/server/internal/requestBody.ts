import { RequestError } from './errorResponses.js';

const MAX_BODY_BYTES = 16 * 1024;

/**
 * Reads a JSON body of at most 16 KB. It refuses other content types, because a form on another origin could send some
 * of them without a preflight.
 *
 * @throws RequestError `ERR_CONTENT_TYPE`, `ERR_BODY_TOO_LARGE`, or `ERR_REQUEST` for malformed JSON.
 */
export async function readJson(request: Request): Promise<unknown> {
  if (!/^application\/json *(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new RequestError('ERR_CONTENT_TYPE', 'Send the body as application/json.');
  try {
    const bytes = await readRequestBody(request, MAX_BODY_BYTES);
    if (!bytes)
      throw new RequestError(
        'ERR_BODY_TOO_LARGE',
        `The body is larger than ${MAX_BODY_BYTES / 1024} KB.`,
      );
    return JSON.parse(decodeUtf8(bytes));
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw new RequestError('ERR_REQUEST', 'The body is not JSON.');
  }
}

/**
 * Reads a request's body. Returns undefined if it exceeds `maxBytes`.
 *
 * If the length of the body is known, `arrayBuffer` reads it in one step. For `request.body`, the Node.js adapter would
 * create a second Request and a web stream, which costs more than everything else about a small request.
 */
export async function readRequestBody(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const length = request.headers.get('content-length') ?? '';
  // Do not trust the length if there is a `Transfer-Encoding`: a server that accepts both headers ignores the length.
  if (!/^\d+$/.test(length) || request.headers.has('transfer-encoding'))
    return readBodyWithLimit(request.body, maxBytes);
  if (Number(length) > maxBytes) return undefined;
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > maxBytes ? undefined : bytes;
}

/**
 * Reads the bytes of a body. Returns undefined, and stops reading, when it has more than `maxBytes`.
 *
 * Hono's own body limit cannot be used, because it creates a new Request from the given one. That fails for the Request
 * subclass of the Node.js adapter.
 */
export async function readBodyWithLimit(
  body: Request['body'],
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8. @throws TypeError for bytes that are not UTF-8. */
export const decodeUtf8 = (bytes: Uint8Array): string => utf8.decode(bytes);
