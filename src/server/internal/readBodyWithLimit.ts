/**
 * Returns the bytes of a body, or undefined when there are more than `maxBytes`: reading stops there.
 *
 * It replaces the body limit of Hono, which creates a new Request from what may be the adapter's subclass of
 * Request, and fails.
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

/** Decodes UTF-8. @throws TypeError for bytes that are not UTF-8 */
export const decodeUtf8 = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(bytes);
