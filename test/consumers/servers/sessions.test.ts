import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../../scripts/ports.mjs';
import { listShopVariables } from '../../../src/sandbox/variables.js';
import { type ChildServer, startChild } from '../../support/shop/startChild.js';

const script = join(import.meta.dirname, 'hosts.mjs');
const CRON_SECRET = 'sessions-secret-of-32-characters-or-more';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ log: () => {} });
});
afterAll(() => sandbox.close());

/** Returns the cookies of a response as a browser sends them back. */
const readCookies = ({ headers }: Response) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

const readNames = (cookies: string) => cookies.replace(/=[^;]*/g, '');

// The hosts whose session middleware renews a cookie in each response: hosts.mjs mounts it.
describe.each([
  ['express4', 'connect.sid'],
  ['express5', 'connect.sid'],
  ['node:http', 'connect.sid'],
  ['fastify', 'sessionId'],
  ['koa', 'koa.sess; koa.sess.sig'],
  ['hono', 'session'],
  ['nest', 'connect.sid'],
  ['nest-controller', 'connect.sid'],
  ['lambda-serverless-http', 'connect.sid'],
  ['lambda-serverless-express', 'connect.sid'],
  ['lambda-hono', 'session'],
  ['cloud-functions', 'connect.sid'],
])('a session in %s', (name, names) => {
  let url: string;
  let host: ChildServer;
  let cookie = '';

  beforeAll(async () => {
    url = `http://127.0.0.1:${await findFreePort()}`;
    const env = { ...listShopVariables(sandbox, url), CRON_SECRET, ROLLING_SESSION: '1' };
    host = await startChild([script, name], { url, env, isReady: () => true });
    cookie = readCookies(await send('/checkouts', { method: 'POST', body: proposal }));
  });
  afterAll(() => host?.close());

  const proposal = '{"widget":"on-ramp","params":{}}';
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/api/ramp${path}`, {
      ...init,
      headers: { origin: url, 'content-type': 'application/json', cookie, ...init.headers },
    });
  /** Expects the renewed cookie beside the headers that the handler sets in every response. */
  function expectSession(response: Response, status: number) {
    expect(response.status).toBe(status);
    expect(readNames(readCookies(response))).toBe(names);
    const own = ['cache-control', 'x-content-type-options', 'vary'].map((each) =>
      response.headers.get(each),
    );
    expect(own).toEqual(['no-store', 'nosniff', expect.stringMatching(/origin/i)]);
  }

  it('begins with the first response', () => {
    expect(readNames(cookie)).toBe(names);
  });

  it('is renewed by POST /checkouts', async () => {
    const response = await send('/checkouts', { method: 'POST', body: proposal });
    expectSession(response, 201);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toHaveProperty('reference');
  });

  it('is renewed by responses without a body: 204 and 304', async () => {
    const { reference } = await (
      await send('/checkouts', { method: 'POST', body: proposal })
    ).json();
    const opened = await send(`/checkouts/${reference}/opened`, { method: 'POST' });
    expectSession(opened, 204);
    expect(opened.headers.has('content-type')).toBe(false);
    const etag = `${(await send(`/checkouts/${reference}`)).headers.get('etag')}`;
    const known = await send(`/checkouts/${reference}`, { headers: { 'if-none-match': etag } });
    expectSession(known, 304);
    expect(known.headers.get('etag')).toBe(etag);
  });

  it('is renewed by an error of the handler', async () => {
    expectSession(await send('/checkouts', { method: 'POST', body: '{}' }), 400);
  });

  it('causes no error such as ERR_HTTP_HEADERS_SENT', () => {
    expect(host.logs()).toBe('');
  });
});
