import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../../scripts/ports.mjs';
import { listShopVariables } from '../../../src/sandbox/variables.js';
import { type ChildServer, startChild } from '../../support/shop/startChild.js';

const script = join(import.meta.dirname, 'hosts.mjs');
const CRON_SECRET = 'to-request-secret-of-32-characters-or-more';
const large = Buffer.alloc(1024 * 1024, ' ');

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ log: () => {} });
});
afterAll(() => sandbox.close());

// The hosts that create a Request with `toRequest`, and send the response themselves.
describe.each(['fastify', 'koa'])('toRequest in %s', (name) => {
  let url: string;
  let host: ChildServer;
  beforeAll(async () => {
    url = `http://127.0.0.1:${await findFreePort()}`;
    const env = { ...listShopVariables(sandbox, url), CRON_SECRET };
    host = await startChild([script, name], { url, env, isReady: () => true });
  });
  afterAll(() => host?.close());

  /** Resolves with the response and the port of the client. */
  async function post(agent: Agent, origin: string, body: Buffer | string, length = {}) {
    const headers = { origin, 'content-type': 'application/json', ...length };
    const sent = request(`${url}/api/ramp/checkouts`, { method: 'POST', headers, agent });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject).end(body);
    });
    const { localPort } = response.socket;
    await text(response);
    return { status: response.statusCode, localPort };
  }

  it.each([
    ['of a known length', 413, {}],
    ['of unknown length', 413, { 'transfer-encoding': 'chunked' }],
    ['from another site', 403, {}],
  ])(
    'leaves the connection usable after a body of 1 MB %s',
    async (_, status, length) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const origin = status === 403 ? 'https://evil.example' : url;
      const refused = await post(agent, origin, large, length);
      const next = await post(agent, url, '{"widget":"on-ramp","params":{}}');
      agent.destroy();
      expect([refused.status, next.status]).toEqual([status, 201]);
      expect(next.localPort).toBe(refused.localPort);
    },
    15_000,
  );

  it('passes TRACE to the handler, which refuses it', async () => {
    const sent = request(`${url}/api/ramp/checkouts`, { method: 'TRACE' });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject).end();
    });
    response.resume();
    expect([response.statusCode, host.logs()]).toEqual([405, '']);
  });
});
