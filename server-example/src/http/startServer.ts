import type { Server } from 'node:http';
import type { Express } from 'express';
import type { Config } from '../config/readConfig.js';

/**
 * Connections that may wait to be accepted. After a restart every event stream reconnects at once, and what
 * does not fit is tried again by TCP only after one, three and seven seconds. Node's default is 511.
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
    return `Port ${port} on ${host} is in use: stop the program that has it, or set PORT to another one (and SHOP_ORIGIN to match).`;
  if (code === 'EACCES')
    return `Port ${port} may not be opened by this user: set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'HOST is no address of this machine: use 127.0.0.1, or 0.0.0.0 for every network.';
  return `The server could not listen: ${message}`;
}
