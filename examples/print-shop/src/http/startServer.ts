import type { Server } from 'node:http';
import type { Express } from 'express';
import type { Config } from '../config/readConfig.js';

/**
 * The maximum number of pending connections; Node.js defaults to 511. After a restart many pages may connect at once.
 * Connections beyond the maximum are dropped, and TCP retries them only after one, three and seven seconds.
 */
const BACKLOG = 4096;

/** Starts listening. Rejects with a message for the person who starts the shop. */
export function startServer(app: Express, { host, port }: Pick<Config, 'host' | 'port'>) {
  return new Promise<Server>((resolve, reject) => {
    const server = app.listen(port, host, BACKLOG, (error?: NodeJS.ErrnoException) => {
      if (error) reject(new Error(describeError(error, host, port), { cause: error }));
      else resolve(server);
    });
  });
}

function describeError(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop the other program, or set PORT to another port (and SHOP_ORIGIN to match).`;
  if (code === 'EACCES')
    return `This user is not allowed to open port ${port}. Set PORT to a port above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'HOST is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for every network.';
  return `The server could not listen: ${message}`;
}
