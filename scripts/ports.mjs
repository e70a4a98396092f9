import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** All servers listen on loopback only. */
export const host = '127.0.0.1';

/**
 * Ports that no system gives to a connection or to a server that listens on port 0. Otherwise the sandbox could get the
 * port of a shop that has not started yet.
 */
const [FIRST, LAST] = [20_000, 32_767];

/** A random start keeps processes apart that run at the same time. */
let next = randomInt(FIRST, LAST);

/** Returns another port each time. @returns {Promise<number>} */
export async function findFreePort() {
  for (;;) {
    const port = next;
    next = port < LAST ? port + 1 : FIRST;
    if (await canListen(port)) return port;
  }
}

async function canListen(port) {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    if (error.code === 'EADDRINUSE' || error.code === 'EACCES') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
