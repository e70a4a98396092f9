import { createServer } from 'node:net';

/** Everything that `npm start` runs is for this machine alone. */
export const host = '127.0.0.1';

/** The port that a variable names, or the default; throws words for the user. */
export function parsePort(name, fallback) {
  const text = process.env[name] || String(fallback);
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`${name}=${text} is not a port: it is a number from 1 to 65535.`);
  return port;
}

/** Throws words for the user when the port cannot be had. */
export async function assertPortFree(port, { wantedBy, variable }) {
  const server = createServer();
  const code = await new Promise((resolve) => {
    server.once('error', (error) => resolve(error.code));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
  if (!code) return;
  const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${code})`;
  throw new Error(
    `Port ${port}, wanted by ${wantedBy}, ${why}. Choose another one: ${variable}=${port + 100} npm start`,
  );
}
