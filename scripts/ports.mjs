import { once } from 'node:events';
import { createServer } from 'node:net';

/** All servers listen on loopback only. */
export const host = '127.0.0.1';

/** @returns {Promise<number>} */
export async function findFreePort() {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
