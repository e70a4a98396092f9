import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import express from 'express';
import type { Plugin } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compressFiles } from '../../compressFiles.js';
import { startServer } from '../../src/http/startServer.js';
import { stopServer } from '../../src/stopOnSignal.js';
import { storefrontFiles } from '../../src/storefrontFiles.js';

const script = `export const text = ${JSON.stringify('prints '.repeat(500))};\n`;
const folder = mkdtempSync(join(tmpdir(), 'storefront-'));
let server: Awaited<ReturnType<typeof startServer>>;
let port: number;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets/shop-1.js'), script);
  writeFileSync(join(folder, 'assets/small-1.js'), 'export {};\n');
  writeFileSync(join(folder, 'mark.svg'), `<svg>${'<g/>'.repeat(500)}</svg>`);
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  (compressFiles(folder) as Plugin & { closeBundle(): void }).closeBundle();
  const app = express();
  app.use(storefrontFiles(folder, { signInFirstVisit: () => {} }));
  server = await startServer(app, { host: '127.0.0.1', port: 0 });
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await stopServer(server, 0);
  rmSync(folder, { recursive: true });
});

interface Received {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Requests a file and does not decode the response. `fetch` would decode it. */
const get = (path: string, headers: Record<string, string> = {}) =>
  new Promise<Received>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });

/** The header that Chromium sends. */
const browser = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };

describe('storefrontFiles', () => {
  it('sends a script in Brotli, with its own type, and for a year', async () => {
    const { status, headers, body } = await get('/assets/shop-1.js?v=1', browser);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': `${body.length}`,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(brotliDecompressSync(body).toString()).toBe(script);
  });

  it('sends gzip to a client without Brotli', async () => {
    const { headers, body } = await get('/assets/shop-1.js', { 'Accept-Encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(body).toString()).toBe(script);
  });

  it.each([
    ['a client that accepts no encoding', '/assets/shop-1.js', {}],
    ['a client that refuses Brotli', '/assets/shop-1.js', { 'Accept-Encoding': 'br;q=0' }],
    ['a file that is too small for a copy', '/assets/small-1.js', browser],
  ])('sends the file as it is to %s', async (_, path, accepted) => {
    const { status, headers, body } = await get(path, accepted);
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.vary).toBe('Accept-Encoding');
    expect(body.toString()).toMatch(/^export /);
  });

  it('has an ETag for each encoding, and answers 304 to it', async () => {
    const plain = await get('/mark.svg');
    const { headers } = await get('/mark.svg', browser);
    expect(headers['content-type']).toBe('image/svg+xml');
    expect(headers['cache-control']).toBe('public, max-age=3600');
    expect(headers.etag).not.toBe(plain.headers.etag);
    const again = await get('/mark.svg', { ...browser, 'If-None-Match': `${headers.etag}` });
    expect(again.status).toBe(304);
    expect(again.headers.vary).toBe('Accept-Encoding');
    const other = await get('/mark.svg', { 'If-None-Match': `${headers.etag}` });
    expect(other.status).toBe(200);
  });

  it('does not find a file that does not exist, in any encoding', async () => {
    expect((await get('/assets/none.js', browser)).status).toBe(404);
    expect((await get('/assets/', browser)).status).toBe(404);
    expect((await get('/assets/..%2f..%2fpackage.json', browser)).status).toBe(404);
  });

  it('does not cache the pages', async () => {
    const { headers } = await get('/', browser);
    expect(headers['cache-control']).toBe('no-store');
  });
});
