import { once } from 'node:events';
import { createServer } from 'node:net';

/** All servers listen on loopback only. */
export const host = '127.0.0.1';

/** Returns the port in an environment variable, or the default. Throws a message for the user. */
export function parsePort(name, fallback) {
  const text = process.env[name] || String(fallback);
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`${name}=${text} is not a port. Use a number from 1 to 65535.`);
  return port;
}

/** Throws a message for the user if the port cannot be used. */
export async function assertPortFree(port, { wantedBy, variable }) {
  const server = createServer();
  const code = await new Promise((resolve) => {
    server.once('error', (error) => resolve(error.code));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
  if (!code) return;
  const why = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${code})`;
  throw new Error(
    `Port ${port} of ${wantedBy} ${why}. Use another port: ${variable}=${port + 100} npm start`,
  );
}

/** Returns a port of loopback that no program listens on. */
export async function findFreePort() {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
