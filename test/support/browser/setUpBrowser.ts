import { type Browser, chromium, type LaunchOptions } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { launchOptions } from './launchOptions.js';

interface Closable {
  close(): Promise<unknown>;
}

export interface TestBrowser {
  /** Undefined until the file's first `beforeAll` has run. */
  readonly browser: Browser;
  /** Closes `server` after the browser. The last registered server is closed first. Returns `server`. */
  closeLater<Server extends Closable>(server: Server): Server;
}

/** Launches Chromium before the tests of a file. Closes the browser and all registered servers after the tests. */
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
