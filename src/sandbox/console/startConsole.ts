import { createAdaptorServer } from '@hono/node-server';
import { closeServer, formatHost, listenOn } from '../listen.js';
import { createRandomHex } from '../memory.js';
import { type ConsoleSettings, createConsoleApp } from './createConsoleApp.js';

/** A running console of a sandbox. */
export interface SandboxConsole {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts the console on a separate port. It serves only requests whose `Host` is a loopback name with that port, or one
 * of `hosts`.
 */
export async function startConsole(
  settings: Omit<ConsoleSettings, 'token' | 'hosts'>,
  port: number,
  host: string,
  hosts: readonly string[],
): Promise<SandboxConsole> {
  const token = createRandomHex(32);
  const server = createAdaptorServer({
    fetch: async (request) => (await app).fetch(request),
    overrideGlobalObjects: false,
  });
  const listening = listenOn(server, port, host);
  const app = listening.then((boundPort) => {
    const names = new Set(['127.0.0.1', 'localhost', '[::1]', formatHost(host)]);
    const own = [...names].map((name) => `${name}:${boundPort}`);
    const all = [...own, ...hosts].map((name) => name.toLowerCase());
    return createConsoleApp({ ...settings, token, hosts: all });
  });
  await app;
  return {
    url: `http://${formatHost(host)}:${await listening}`,
    close: () => closeServer(server),
  };
}
