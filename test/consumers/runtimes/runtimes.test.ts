import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testHandlerConformance } from '../../conformance/testHandlerConformance.js';
import { createPostgresDatabase } from '../../support/database/sqlDatabases.js';
import { startChild } from '../../support/shop/startChild.js';
import { installRuntimeShop } from './installRuntimeShop.js';
import { startWorkerd } from './startWorkerd.js';

/** npm has one package of each runtime for each platform. Only the packages for Linux on x64 are installed. */
const hasRuntimes = process.platform === 'linux' && process.arch === 'x64';

/** Programs with their arguments. The flags refuse downloads of missing packages. */
const programs = {
  Bun: ['@oven/bun-linux-x64/bin/bun', '--no-install', 'server.mjs'],
  Deno: [
    '@deno/linux-x64-glibc/deno',
    ...['serve', '--host=127.0.0.1', '--port=PORT'],
    ...['--no-prompt', '--no-remote', '--cached-only', '--no-lock', '--node-modules-dir=manual'],
    // @photostructure/sqlite is native, so it needs --allow-ffi.
    ...['--allow-net=127.0.0.1', '--allow-env', '--allow-sys', '--allow-read', '--allow-write'],
    ...['--allow-ffi', 'server.mjs'],
  ],
};

const renewing = { renewsSession: true };

let shop: Awaited<ReturnType<typeof installRuntimeShop>>;
let databases = 0;

/** The variables that name a new, empty database, by its kind. */
const stores = {
  memory: async () => ({}),
  SQLite: async () => ({ DATABASE_FILE: join(shop.folder, `orders${++databases}.db`) }),
  PostgreSQL: async () => {
    const database = await createPostgresDatabase();
    // A deployment creates the tables, because requests do not in production.
    await database.store().migrate?.();
    return { DATABASE_URL: database.target };
  },
};

describe.runIf(hasRuntimes)('the handler', () => {
  beforeAll(async () => {
    shop = await installRuntimeShop();
  });
  afterAll(async () => {
    await shop?.remove();
  });

  describe.each(['Bun', 'Deno'] as const)('in %s', (runtime) => {
    describe.each(['memory', 'SQLite', 'PostgreSQL'] as const)('with a store in %s', (store) => {
      testHandlerConformance(async (env, url) => {
        const [program = '', ...args] = programs[runtime];
        const { port } = new URL(url);
        return startChild(
          args.map((each) => each.replace('PORT', port)),
          {
            command: createRequire(import.meta.url).resolve(program),
            url,
            cwd: shop.folder,
            env: {
              ...env,
              ...(await stores[store]()),
              DENO_NO_UPDATE_CHECK: '1',
              DO_NOT_TRACK: '1',
            },
            isReady: () => true,
          },
        );
      }, renewing);
    });
  });

  describe.each(['memory', 'PostgreSQL'] as const)('in workerd with a store in %s', (store) => {
    let server: string;
    testHandlerConformance(async (env, url) => {
      server = url;
      return startWorkerd(shop.folder, url, { ...env, ...(await stores[store]()) });
    }, renewing);

    it('publishes checkouts on its channel', async () => {
      const published = await (await fetch(`${server}/published`)).json();
      expect(published.at(-1)).toMatchObject({ widget: 'on-ramp', outcome: 'signed' });
    });
  });
});
