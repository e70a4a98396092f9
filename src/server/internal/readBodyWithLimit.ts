/**
 * Reads the body of a request. Returns undefined when it has more than `maxBytes`.
 *
 * A body whose length is known is read at once: for `request.body` the Node.js adapter would create a second
 * Request and a web stream, which costs more than the rest of a small request.
 */
export async function readRequestBody(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const length = request.headers.get('content-length') ?? '';
  // A server that accepts both headers ignores the length.
  if (!/^\d+$/.test(length) || request.headers.has('transfer-encoding'))
    return readBodyWithLimit(request.body, maxBytes);
  if (Number(length) > maxBytes) return undefined;
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > maxBytes ? undefined : bytes;
}

/**
 * Reads the bytes of a body. Returns undefined, and stops reading, when it has more than `maxBytes`.
 *
 * It replaces the body limit of Hono, which fails for the Request subclass of the Node.js adapter, because it
 * creates a new Request from it.
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

/** Decodes UTF-8. @throws TypeError for bytes that are not UTF-8. */
export const decodeUtf8 = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(bytes);
