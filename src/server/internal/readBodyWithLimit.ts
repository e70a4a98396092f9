/**
 * The bytes of a body, or nothing when there are more than `maxBytes`: reading stops there.
 *
 * By hand: Hono's own limit makes a new Request of what may be the adapter's own kind of Request,
 * and fails.
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

/** UTF-8, strictly. @throws TypeError */
export const decodeUtf8 = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(bytes);
