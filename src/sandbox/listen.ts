import type { AddressInfo } from 'node:net';
import type { ServerType } from '@hono/node-server';
import { createConfigError } from '../protocol/errors/RampError.js';

/** Writes a host as it stands in a URL, where IPv6 addresses are in brackets. */
export const formatHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Starts listening, and resolves with the port. */
export function listenOn(server: ServerType, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE'
          ? 'is in use by another program. Set another port'
          : `cannot be used (${cause.code})`;
      reject(createConfigError('Sandbox:', `port ${port} on ${host} ${why}.`, { cause }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Stops listening and closes open connections. */
export function closeServer(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // `server.close` waits for open connections, and a page that polls would keep its connection open forever.
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}
