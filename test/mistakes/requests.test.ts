import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, beforeEach, describe, vi } from 'vitest';
import { createHttpSigner } from '../../src/index.js';
import { RampError } from '../../src/protocol/index.js';
import { askBackend, backendUrl } from '../../src/react/askBackend.js';
import { sayError } from '../../src/react/sayError.js';
import { toExpress } from '../../src/server/express.js';

import { toNodeHandler } from '../../src/server/node.js';
import { freePort } from '../support/free-port.js';
import { makeHandler, origin } from '../support/ramp-handler.js';
import { itShows, type Shown } from './itShows.js';
import { printed } from './printed.js';

const closers: (() => void)[] = [];
beforeEach(() => void vi.stubGlobal('location', new URL(`${origin}/cart`)));
afterEach(() => {
  vi.unstubAllGlobals();
  for (const close of closers.splice(0)) close();
});

/** Serves an Express app, and returns its address. */
async function serve(app: express.Express): Promise<string> {
  const server = createServer(app).listen(0, '127.0.0.1');
  closers.push(() => server.close());
  await new Promise((done) => server.once('listening', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const shop = (options: Parameters<typeof makeHandler>[0] = {}) =>
  serve(express().use('/api/ramp', toExpress(makeHandler(options))));

/** The page's console after a request that fails, as OnRampButton, QuotePreview and CheckoutStatus write it. */
const consoleOf = (ask: () => Promise<unknown>, settings = {}) =>
  printed(() =>
    ask().then(
      () => Promise.reject(new Error('It did not fail.')),
      (error: RampError) => sayError(error, settings),
    ),
  );

/** The console of a page whose button asks this address for a checkout. */
const buy = (api: string, { params = {}, from = origin, settings = {} } = {}) =>
  consoleOf(
    () =>
      createHttpSigner({ url: api, headers: { origin: from } })(
        { widget: 'on-ramp', params },
        { signal: new AbortController().signal },
      ),
    settings,
  );

/** The same of a card that reads from the backend. */
const read = (api: string, path: string) =>
  consoleOf(() => askBackend(backendUrl(api, path), {}, 'ERR_API_RESPONSE'));

const granting = (params: object, subject: unknown = 'u1') =>
  ({ policy: () => ({ params, subject }) }) as never;

describe('a page whose request fails', () => {
  itShows(10, async () => buy(`${await shop()}/api/ramp`, { from: 'http://localhost:5173' }));
  itShows(11, async () => {
    const app = express().use(express.json()).use('/api/ramp', toExpress(makeHandler()));
    return buy(`${await serve(app)}/api/ramp`);
  });
  itShows(17, async (): Promise<Shown> => {
    const api = `${await shop()}/api/pay`;
    return { text: await buy(api), values: { api } };
  });
  itShows(18, async () => buy(`${await shop()}/api/ramp/checkouts`));
  itShows(19, async (): Promise<Shown> => {
    const port = `${await freePort()}`;
    return { text: await buy(`http://127.0.0.1:${port}/api/ramp`), values: { port } };
  });
  itShows(20, async () => {
    const ramp = toNodeHandler(makeHandler());
    const app = express().use((req, res) => void ramp(req, res));
    return buy(`${await serve(app)}/pay`);
  });
  itShows(24, async () =>
    buy(`${await shop(granting({ walletAddress: '0xF0', walletAddressLocked: true }))}/api/ramp`),
  );
  itShows(25, async () => buy(`${await shop(granting({}))}/api/ramp`));
  itShows(26, async () =>
    buy(`${await shop(granting({ walletAddress: '0xF0&memo=1' }))}/api/ramp`),
  );
  itShows(31, async () => read(`${await shop()}/api/ramp`, '/currencies'));
  itShows(35, async (): Promise<Shown> => {
    const app = express().use((_, res) => void res.status(429).send('Too many requests'));
    const api = `${await serve(app)}/api/ramp`;
    return { text: await buy(api), values: { api } };
  });
  itShows(36, async (): Promise<Shown> => {
    const app = express().use((_, res) => void res.status(403).send('invalid csrf token'));
    const api = `${await serve(app)}/api/ramp`;
    return { text: await buy(api), values: { api } };
  });
  itShows(39, async () => buy(`${await shop(granting({ walletAddress: '0xF0' }, 42))}/api/ramp`));
  itShows(42, async () => read(`${await shop()}/api/ramp`, '/checkouts/r1'));
  itShows(51, async () => {
    // The policy sees no cookie, so it takes the shopper for a guest.
    const policy = () => {
      throw new RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
    };
    const api = `${await shop({ policy })}/api/ramp`;
    return buy(api, { settings: { api } });
  });
});

describe('the log of the server', () => {
  itShows(23, async () => {
    const policy = () => {
      throw new TypeError("Cannot read properties of undefined (reading 'wallet')");
    };
    const log = await printed(async () => {
      await fetch(`${await shop({ policy })}/api/ramp/checkouts`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: '{"widget":"on-ramp"}',
      });
    });
    return log;
  });
});
