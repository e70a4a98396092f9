import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import webpack from 'webpack';
import WebpackDevServer from 'webpack-dev-server';
import { findFreePort } from '../../../scripts/ports.mjs';

/** Starts a server on 127.0.0.1, returns its URL, and closes the server when the test ends. */
export async function startListener(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Creates a listener that forwards each request to `backend`, and calls `respond` with the backend's response. */
const forwardRequest =
  (backend: string, respond: (...given: Forwarded) => void): RequestListener =>
  (req, res) => {
    const { method, headers } = req;
    const upstream = request(backend + req.url, { method, headers }, (from) => respond(from, res));
    upstream.on('error', () => res.destroy());
    res.on('close', () => upstream.destroy());
    req.pipe(upstream);
  };
type Forwarded = [from: IncomingMessage, res: ServerResponse];

/**
 * Starts a proxy that buffers the body of each response until the backend has sent all of it.
 *
 * @param passesHeaders - Whether the proxy sends the headers immediately instead of together with the body.
 */
export const startBufferingProxy = (backend: string, passesHeaders = false) =>
  startListener(
    forwardRequest(backend, (from, res) => {
      const chunks: Buffer[] = [];
      res.writeHead(from.statusCode ?? 502, from.headers);
      if (passesHeaders) res.flushHeaders();
      from.on('error', () => res.destroy());
      from.on('data', (chunk) => chunks.push(chunk));
      from.on('end', () => res.end(Buffer.concat(chunks)));
    }),
  );

/** Starts a proxy that closes the connection of a stream after each event. */
export const startDisconnectingProxy = (backend: string) =>
  startListener(
    forwardRequest(backend, (from, res) => {
      res.writeHead(from.statusCode ?? 502, from.headers);
      from.on('error', () => res.destroy());
      from.on('data', (chunk: Buffer) => {
        res.write(chunk, () => {
          if (chunk.includes('data:')) res.destroy();
        });
      });
      from.on('end', () => res.end());
    }),
  );

/** Starts webpack-dev-server with its default compression and a proxy for the backend. */
export async function startDevServer(backend: string): Promise<string> {
  const compiler = webpack({
    mode: 'development',
    entry: `data:text/javascript,${encodeURIComponent(`const text = '${'x'.repeat(4000)}';`)}`,
    output: { path: '/' },
    infrastructureLogging: { level: 'none' },
    stats: 'none',
  });
  const server = new WebpackDevServer(
    {
      host: '127.0.0.1',
      port: await findFreePort(),
      hot: false,
      client: false,
      static: false,
      setupExitSignals: false,
      proxy: [{ context: ['/api'], target: backend }],
    },
    compiler as never,
  );
  await server.start();
  onTestFinished(() => server.stop());
  return `http://127.0.0.1:${server.options.port}`;
}
