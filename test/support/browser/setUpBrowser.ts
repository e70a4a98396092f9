import { type Browser, chromium, type LaunchOptions } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { launchOptions } from './launchOptions.js';

interface Closable {
  close(): Promise<unknown>;
}

/** Chromium for the tests of a file, and the servers that are closed after it. */
export interface TestBrowser {
  /** Available in every hook and test of the file. */
  readonly browser: Browser;
  /** Registers a server that is closed after the browser, in reverse order. Returns the server. */
  closeLater<Server extends Closable>(server: Server): Server;
}

/** Launches Chromium before the tests of a file, and closes it and all servers of the file afterwards. */
export function setUpBrowser(options: LaunchOptions = {}): TestBrowser {
  const servers: Closable[] = [];
  const shared = {
    closeLater(server) {
      servers.unshift(server);
      return server;
    },
  } as { -readonly [K in keyof TestBrowser]: TestBrowser[K] };
  beforeAll(async () => {
    shared.browser = await chromium.launch({ ...launchOptions, ...options });
  });
  afterAll(async () => {
    await shared.browser?.close();
    for (const server of servers) await server.close();
  });
  return shared;
}
