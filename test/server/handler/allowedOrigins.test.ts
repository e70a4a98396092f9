import { describe, expect, it } from 'vitest';
import type { RampHandlerOptions } from '../../../src/server/handler/options.js';
import { callHandler, createTestHandler } from '../../support/server/createTestHandler.js';

const listed = 'https://shop.example';

/** Origins that a comparison of parts, of patterns or without regard to case would take for `https://shop.example`. */
const foreign = [
  ...['', ' ', 'null', 'undefined', '*', 'shop.example', '//shop.example', 'https://', 'https:/'],
  ...['http://shop.example', 'ws://shop.example', 'ftp://shop.example', 'file://', 'about:blank'],
  ...['https://shop.example:443', 'https://shop.example:8443', 'https://shop.example:0443'],
  ...[
    'https://shop.example/',
    'https://shop.example/pay',
    'https://shop.example?',
    'https://shop.example#',
  ],
  ...['https://SHOP.example', 'HTTPS://shop.example', 'https://Shop.Example'],
  ...['https://www.shop.example', 'https://shop.example.', 'https://.shop.example'],
  ...['https://evilshop.example', 'https://shop.example.evil.example', 'https://evil.example'],
  ...['https://shop-example', 'https://shopxexample', 'https://shop.example.com'],
  ...[
    'https://shop.example@evil.example',
    'https://user@shop.example',
    'https://evil.example#shop.example',
  ],
  ...['https://evil.example/shop.example', 'https://evil.example?https://shop.example'],
  ...[' https://shop.example ,', 'https://shop.example, https://evil.example'],
  ...[
    'https://evil.example https://shop.example',
    'https://shop.example%00',
    'https://shop%2eexample',
  ],
  ...['https://xn--shp-tna.example', 'https://127.0.0.1', 'https://[::1]', 'https://localhost'],
  ...['chrome-extension://shop.example', 'android-app://shop.example', 'https://sh\u00f6p.example'],
];

const send = async (
  options: Partial<RampHandlerOptions<unknown>>,
  headers: Readonly<Record<string, string>>,
) => {
  const errors: unknown[] = [];
  const handler = createTestHandler({ onError: (error) => errors.push(error), ...options });
  return { ...(await callHandler(handler, { headers })), errors };
};

describe('allowedOrigins as a list', () => {
  it('are tried with at least forty others', () => {
    expect(new Set(foreign).size).toBeGreaterThanOrEqual(40);
  });

  it.each(foreign)('refuses the origin %j', async (origin) => {
    const { status, response } = await send({ allowedOrigins: [listed] }, { origin: `${origin}` });
    expect([status, response.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  it('accepts a listed origin whatever the browser says of the site', async () => {
    for (const site of ['same-origin', 'same-site', 'cross-site']) {
      const headers = { origin: listed, 'sec-fetch-site': site };
      const { status, response } = await send({ allowedOrigins: [listed] }, headers);
      expect([status, response.headers.get('access-control-allow-origin')]).toEqual([201, listed]);
    }
  });
});

describe('a page of the origin of the handler', () => {
  it('needs no entry in allowedOrigins if the browser says so', async () => {
    const headers = { origin: 'https://preview.example', 'sec-fetch-site': 'same-origin' };
    expect((await send({ allowedOrigins: [listed] }, headers)).status).toBe(201);
  });

  it.each(['same-site', 'cross-site', 'none', 'Same-Origin', 'same-origin, same-origin', ''])(
    'is not one of which the browser says %j',
    async (site) => {
      const headers = { origin: 'https://preview.example', 'sec-fetch-site': site };
      expect((await send({ allowedOrigins: [listed] }, headers)).status).toBe(403);
    },
  );

  it.each(['null', 'file://', ''])('is none with the origin %j', async (origin) => {
    const headers = { origin, 'sec-fetch-site': 'same-origin' };
    expect((await send({ allowedOrigins: [listed] }, headers)).status).toBe(403);
  });
});

describe('allowedOrigins as a function', () => {
  const allowedOrigins = (origin: string) =>
    origin === listed || /^https:\/\/shop-[a-z0-9]+\.preview\.example$/.test(origin);

  it('accepts the origins of preview deployments', async () => {
    const origin = 'https://shop-4f2c.preview.example';
    const { status, response } = await send({ allowedOrigins }, { origin });
    expect([status, response.headers.get('access-control-allow-origin')]).toEqual([201, origin]);
  });

  it.each([...foreign, 'https://shop-4f2c.preview.example.evil.example'])(
    'refuses %j',
    async (origin) => {
      expect((await send({ allowedOrigins }, { origin: `${origin}` })).status).toBe(403);
    },
  );

  it('is called only with origins of web pages', async () => {
    const seen: string[] = [];
    for (const origin of foreign)
      await send({ allowedOrigins: (given) => seen.push(given) < 0 }, { origin: `${origin}` });
    expect(seen.length).toBeGreaterThan(0);
    for (const origin of seen) expect(new URL(origin).origin).toBe(origin);
  });

  it.each([
    ['a promise', () => Promise.resolve(true), /returned a Promise/],
    ['nothing', () => undefined, /returned undefined: it must return true or false/],
  ])('is reported if it returns %s, and allows nothing', async (_, wrong, message) => {
    const { status, errors } = await send({ allowedOrigins: wrong as never }, { origin: listed });
    expect(status).toBe(500);
    expect(`${errors[0]}`).toMatch(message);
  });
});

describe('a refused origin', () => {
  it('is named in the response with what to do, without the list of the shop', async () => {
    const { json } = await send({ allowedOrigins: [listed] }, { origin: 'https://evil.example' });
    expect(json.error.message).toContain('The request has the Origin "https://evil.example"');
    expect(json.error.message).not.toContain(listed);
  });

  it('is named to onError with the list that it was compared with', async () => {
    const many = Array.from({ length: 7 }, (_, i) => `https://shop${i}.example`);
    const { errors } = await send({ allowedOrigins: many }, { origin: 'https://evil.example' });
    expect(`${errors[0]}`).toContain(
      'origin "https://evil.example" is refused: allowedOrigins of createRamp has https://shop0.example, ',
    );
    expect(`${errors[0]}`).toContain('https://shop4.example and 2 more');
  });

  it('is missing in words if the request has none', async () => {
    const handler = createTestHandler({ allowedOrigins: [listed] });
    const request = new Request(`${listed}/api/ramp/checkouts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"widget":"on-ramp","params":{}}',
    });
    const { error } = await (await handler(request)).json();
    expect(error.message).toContain('The request has no Origin');
  });
});
