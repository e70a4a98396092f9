import { describe, expect, it } from 'vitest';
import { readRequestBody } from '../../../src/server/internal/requestBody.js';

const send = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request('https://shop.example/', {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  } as RequestInit);

const read = async (request: Request) => {
  const bytes = await readRequestBody(request, 10);
  return bytes && Buffer.from(bytes).toString();
};

/** Creates an endless body. `sent.chunks` counts the chunks that were read of it. */
function endless() {
  const sent = { chunks: 0 };
  const body = new ReadableStream({
    pull(controller) {
      sent.chunks++;
      controller.enqueue(new Uint8Array(4));
    },
  });
  return { body, sent };
}

describe('readRequestBody', () => {
  it('reads a body of a known length without a stream', async () => {
    const request = send('0123456789', { 'content-length': '10' });
    Object.defineProperty(request, 'body', {
      get() {
        throw new Error('A stream was created.');
      },
    });
    expect(await read(request)).toBe('0123456789');
  });

  it('returns undefined for a larger length without reading the body', async () => {
    const request = send('01234567890', { 'content-length': '11' });
    expect(await read(request)).toBeUndefined();
    expect(request.bodyUsed).toBe(false);
  });

  it('returns undefined for a body that is larger than its length and the limit', async () => {
    expect(await read(send('01234567890', { 'content-length': '5' }))).toBeUndefined();
  });

  it.each([
    ['no length', {}],
    ['a malformed length', { 'content-length': '5, 5' }],
    ['a length and chunks', { 'content-length': '5', 'transfer-encoding': 'chunked' }],
  ])('stops reading a body with %s at the limit', async (_, headers) => {
    expect(await read(send('0123456789', headers as Record<string, string>))).toBe('0123456789');
    const { body, sent } = endless();
    expect(await read(send(body, headers as Record<string, string>))).toBeUndefined();
    expect(sent.chunks).toBeLessThan(6);
  });
});
