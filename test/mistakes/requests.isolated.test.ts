import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, beforeEach, describe, vi } from 'vitest';
import { findFreePort } from '../../scripts/ports.mjs';
import { warnInDev } from '../../src/client/dev/warnInDev.js';
import { createHttpSigner } from '../../src/index.js';
import type { RampError } from '../../src/protocol/index.js';
import { toExpress } from '../../src/server/express.js';
import { toNodeHandler } from '../../src/server/node.js';
import { createTestHandler, origin } from '../support/server/createTestHandler.js';
import { captureConsole } from './captureConsole.js';
import { type ShownMessage, testMistake } from './testMistake.js';

const closers: (() => void)[] = [];
beforeEach(() => void vi.stubGlobal('location', new URL(`${origin}/cart`)));
afterEach(() => {
  vi.unstubAllGlobals();
  for (const close of closers.splice(0)) close();
});

/** Reads the body of a request and keeps nothing of it, as the parser of another framework may. */
const drain: express.RequestHandler = (req, _, next) => void req.resume().on('end', () => next());

async function serve(app: express.Express): Promise<string> {
  const server = createServer(app).listen(0, '127.0.0.1');
  closers.push(() => server.close());
  await new Promise((done) => server.once('listening', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const shop = (options: Parameters<typeof createTestHandler>[0] = {}) =>
  serve(express().use('/api/ramp', toExpress(createTestHandler(options))));

/** Returns the warning that OnRampButton, QuotePreview and CheckoutStatus print after this request has failed. */
const consoleOf = (request: () => Promise<unknown>, settings = {}) =>
  captureConsole(() =>
    request().then(
      () => Promise.reject(new Error('The request did not fail.')),
      (error: RampError) => warnInDev(error, settings),
    ),
  );

/** Returns the console output of a page whose button requests a checkout from `api`. */
const buy = (api: string, { params = {}, from = origin, settings = {} } = {}) =>
  consoleOf(
    () =>
      createHttpSigner({ url: api, headers: { origin: from } })(
        { widget: 'on-ramp', params },
        { signal: new AbortController().signal },
      ),
    settings,
  );

const granting = (params: object, more: object = {}) =>
  ({ policy: () => ({ params, ...more }) }) as never;

describe('a page whose request fails', () => {
  testMistake(10, async () => buy(`${await shop()}/api/ramp`, { from: 'http://localhost:5173' }));
  testMistake(11, async () => {
    const app = express().use(drain).use('/api/ramp', toExpress(createTestHandler()));
    return buy(`${await serve(app)}/api/ramp`);
  });
  testMistake(17, async (): Promise<ShownMessage> => {
    const api = `${await shop()}/api/pay`;
    return { text: await buy(api), values: { api } };
  });
  testMistake(18, async () => buy(`${await shop()}/api/ramp/checkouts`));
  testMistake(19, async (): Promise<ShownMessage> => {
    const port = `${await findFreePort()}`;
    return { text: await buy(`http://127.0.0.1:${port}/api/ramp`), values: { port } };
  });
  testMistake(20, async () => {
    const ramp = toNodeHandler(createTestHandler());
    const app = express().use((req, res) => void ramp(req, res));
    return buy(`${await serve(app)}/pay`);
  });
  testMistake(24, async () =>
    buy(`${await shop(granting({ walletAddress: '0xF0', walletAddressLocked: true }))}/api/ramp`),
  );
  testMistake(25, async () => buy(`${await shop(granting({}))}/api/ramp`));
  testMistake(26, async () =>
    buy(`${await shop(granting({ walletAddress: '0xF0&memo=1' }))}/api/ramp`),
  );
  testMistake(35, async (): Promise<ShownMessage> => {
    const app = express().use((_, res) => void res.status(429).send('Too many requests'));
    const api = `${await serve(app)}/api/ramp`;
    return { text: await buy(api), values: { api } };
  });
  testMistake(36, async (): Promise<ShownMessage> => {
    const app = express().use((_, res) => void res.status(403).send('invalid csrf token'));
    const api = `${await serve(app)}/api/ramp`;
    return { text: await buy(api), values: { api } };
  });
  testMistake(63, async (): Promise<ShownMessage> => {
    const app = express()
      .get('/login', (_, res) => void res.send('<p>Sign in'))
      .use((_, res) => res.redirect('/login'));
    const api = `${await serve(app)}/api/ramp`;
    return { text: await buy(api), values: { api } };
  });
  testMistake(39, async () =>
    buy(`${await shop({ getShopper: () => ({ id: 42 }) as never })}/api/ramp`),
  );
  testMistake(42, async () =>
    buy(`${await shop(granting({ walletAddress: '0xF0' }, { subject: 'u1' }))}/api/ramp`),
  );
  testMistake(51, async () => {
    // getShopper receives no cookie, so it finds no session.
    const getShopper = ({ request }: { request: Request }) =>
      request.headers.has('cookie') ? { id: 'u1' } : undefined;
    const api = `${await shop({ getShopper })}/api/ramp`;
    return buy(api, { settings: { api } });
  });
});

describe('the log of the server', () => {
  testMistake(23, async () => {
    const policy = () => {
      throw new TypeError("Cannot read properties of undefined (reading 'wallet')");
    };
    const log = await captureConsole(async () => {
      await fetch(`${await shop({ policy })}/api/ramp/checkouts`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: '{"widget":"on-ramp"}',
      });
    });
    return log;
  });
});
