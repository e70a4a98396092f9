import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

/** The built server, which `npm run build` writes. */
export const entry = fileURLToPath(new URL('../../dist/server/server.js', import.meta.url));

const START_MS = 30_000;

export interface StartedServer {
  /** Returns what the server has logged until now. */
  logs(): string;
  /** Stops the server with SIGTERM, and resolves when it has ended. */
  close(): Promise<void>;
}

/** Starts the built server as a process of its own. Resolves when `healthUrl` responds with 200. */
export async function startServer(
  healthUrl: string,
  env: Readonly<Record<string, string>>,
): Promise<StartedServer> {
  const server = spawn(process.execPath, [entry], { env: { ...process.env, ...env } });
  const exit = once(server, 'exit');
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const close = async () => {
    server.kill('SIGTERM');
    await exit;
  };
  const isReady = async () => (await fetch(healthUrl).catch(() => undefined))?.ok;
  for (const end = Date.now() + START_MS; Date.now() < end && server.exitCode === null; ) {
    if (await isReady()) return { logs: () => output, close };
    await new Promise((done) => setTimeout(done, 100));
  }
  await close();
  throw new Error(`The server does not respond. Its output:\n${output}`);
}

/** Returns a port that is free now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
