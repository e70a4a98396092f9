import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Kysely, SqliteDialect } from 'kysely';
import { afterEach, beforeEach, describe, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.js';
import { toExpress } from '../../src/server/express.js';
import { memoryOrderStore } from '../../src/server/index.js';
import { sqlOrderStore } from '../../src/server/sql/index.js';
import { createTestHandler, origin, secretKey } from '../support/server/createTestHandler.js';
import { createTestRamp } from '../support/server/createTestRamp.js';
import vectors from '../vectors/signing.json' with { type: 'json' };
import { captureConsole } from './captureConsole.js';
import { readThrown } from './readThrown.js';
import { testMistake } from './testMistake.js';

const { apiPrivateKey: privateKey } = vectors.keys;
const unset = undefined as never;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) await close();
});

/** Loads a new copy of the package, because it reports some mistakes only once in each process. */
const load = () => {
  vi.resetModules();
  return import('../support/server/createTestRamp.js');
};

const path = '/api/ramp/checkouts';
/** Stands for a store in a database: the package does not recognize this copy as a memory store. */
const store = { ...memoryOrderStore() };

/** Reads the body of a request and keeps nothing of it, as the parser of another framework may. */
const drain: express.RequestHandler = (req, _, next) => void req.resume().on('end', () => next());

/** Serves an Express app, and requests a checkout from it as a button does. */
async function buy(app: express.Express, from = origin): Promise<Response> {
  const server = createServer(app).listen(0, '127.0.0.1');
  closers.push(() => server.close());
  await new Promise((done) => server.once('listening', done));
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    method: 'POST',
    headers: { origin: from, 'content-type': 'application/json' },
    body: '{"widget":"on-ramp","params":{}}',
  });
}

describe('a server that starts with a mistake that was silent', () => {
  testMistake(66, () => readThrown(() => createTestRamp({ deliver: unset })));
  testMistake(67, () => readThrown(() => createTestRamp({ review: unset })));
  testMistake(69, () => readThrown(() => createTestRamp({ secretKey: `"${secretKey}"` })));
  testMistake(70, () => {
    const quoted = `"${privateKey.replaceAll('\n', '\\n')}"`;
    return readThrown(() => createTestRamp({ apiPrivateKey: quoted }));
  });
  testMistake(72, () => {
    const sandbox = startSandbox();
    closers.push(async () => (await sandbox).close());
    const { baseUrl: apiUrl, partnerId, secretKey } = sandbox as unknown as Sandbox;
    return readThrown(() => createTestRamp({ apiUrl, partnerId, secretKey }));
  });
  testMistake(73, () =>
    readThrown(() => createTestRamp({ allowedOrigins: ['https://a.example,https://b.example'] })),
  );
  testMistake(75, () => readThrown(() => createTestRamp({ pollSeconds: '60' as never })));
  testMistake(77, async () => {
    const sandbox = { webhookURL: 'http://127.0.0.1:3000/api/ramp/webhook' };
    const kysely = new Kysely({ dialect: new SqliteDialect({ database: {} as never }) });
    const options = { dialec: 'sqlite' };
    return [
      await readThrown(() => startSandbox(sandbox as never)),
      await readThrown(() => sqlOrderStore(kysely, options as never)),
    ].join('\n');
  });
});

describe.each(['development', 'production'])('the log of a server in %s', (mode) => {
  beforeEach(() => void vi.stubEnv('NODE_ENV', mode));

  testMistake(71, () => {
    const ramp = createTestHandler({ store });
    return captureConsole(() => buy(express().use('/api/ramp', ramp as never)));
  });
  testMistake(74, () => {
    const ramp = toExpress(createTestHandler({ store }));
    return captureConsole(() => buy(express().use(drain).use('/api/ramp', ramp)));
  });
  testMistake(76, () => {
    const ramp = toExpress(createTestHandler({ store }));
    return captureConsole(() => buy(express().post('/api/ramp/*rest', ramp)));
  });
  testMistake(78, () => {
    const ramp = toExpress(createTestHandler({ store }));
    return captureConsole(() => buy(express().use('/api/ramp', ramp), 'http://localhost:5173'));
  });
});

describe('the log of a server in production', () => {
  testMistake(68, async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const { createTestRamp: create } = await load();
    return captureConsole(() => create());
  });
});
