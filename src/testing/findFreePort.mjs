// The scripts of the project need this function too, and cannot load TypeScript.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * By default, operating systems assign these ports neither to a server that listens on port 0 nor to a connection. So
 * the sandbox cannot be given the port of a shop that has not started yet.
 */
const [FIRST, LAST] = [20_000, 32_767];
const MAX_TRIES = 1000;

/** A random start keeps concurrent processes from trying the same ports. */
let next = randomInt(FIRST, LAST);

/**
 * Returns a port on which nothing listens, in IPv4 or IPv6, because `localhost` may be either. Each call returns a
 * different port.
 *
 * @returns {Promise<number>}
 */
export async function findFreePort() {
  for (let tries = 1; ; tries++) {
    const port = next;
    next = port < LAST ? port + 1 : FIRST;
    const server = createServer();
    try {
      await once(server.listen(port), 'listening');
    } catch (error) {
      if (tries < MAX_TRIES) continue;
      throw error;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
