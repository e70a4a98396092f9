import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildRequestPayload } from '../../../src/protocol/index.js';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.js';
import { signRsaSha256 } from '../../../src/server/index.js';
import {
  type ApiResponse,
  apiPath,
  createApiClient,
  type Headers,
} from '../../support/sandbox/createApiClient.js';

let clock = 1_986_217_096_000;
let sandbox: Sandbox;
let api: ReturnType<typeof createApiClient>;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => clock });
  api = createApiClient(sandbox, () => clock);
});
afterAll(() => sandbox.close());

const path = apiPath('price', {
  fiatCurrency: 'USD',
  currencyAmount: '100.00',
  cryptoCurrencyCode: 'USDT_ERC20',
});
const names = [
  'Content-Type',
  'X-Fp-Version',
  'X-Fp-Timestamp',
  'X-Fp-Nonce',
  'X-Fp-Partner-Id',
  'X-Fp-Signature',
];
const flat = (headers: Headers) => Object.entries(headers).flat();
/** Signs the headers after the change, so that the signature is valid, and only the change can be refused. */
const sendSigned = (change: Headers) => api.send(path, { headers: flat(api.signed(path, change)) });
const expectRefused = ({ status, json }: ApiResponse) => {
  expect(status).toBe(200);
  expect(json).toEqual({
    code: '10003',
    msg: expect.stringMatching(/^Signature error: ./),
    data: null,
  });
};

describe('A request of the partner API', () => {
  it('succeeds when it is signed as section 5.1 of the service interface defines', async () => {
    const { status, type, json } = await api.call(path);
    expect([status, type]).toEqual([200, 'application/json; charset=utf-8']);
    expect(json).toMatchObject({ code: '10000', msg: 'success' });
  });

  it('succeeds again with the same nonce', async () => {
    const headers = flat(api.signed(path));
    for (const _ of [1, 2]) expect((await api.send(path, { headers })).json.code).toBe('10000');
  });

  it('succeeds with parameters and headers in any order, and header names in any case', async () => {
    const other = apiPath('price', {
      cryptoCurrencyCode: 'USDT_ERC20',
      currencyAmount: '100.00',
      fiatCurrency: 'USD',
    });
    const headers = Object.entries(api.signed(path))
      .reverse()
      .flatMap(([name, value]) => [name.toLowerCase(), value]);
    expect((await api.send(other, { headers })).json.code).toBe('10000');
  });

  it('is verified over decoded values, without empty ones', async () => {
    const [, query] = path.split('?');
    const encoded = path.replace('USDT_ERC20', '%55SDT%5FERC20');
    expect((await api.call(path, { path: encoded })).json.code).toBe('10000');
    expect((await api.call(path, { path: `${path}&buyType=&` })).json.code).toBe('10000');
    expect((await api.call(`/open/api/onramp/price?payment=&${query}`)).json.code).toBe('10000');
  });

  it('succeeds with a charset in its Content-Type', async () => {
    const { json } = await sendSigned({ 'Content-Type': 'application/json; charset=UTF-8' });
    expect(json.code).toBe('10000');
  });

  it.each(names)('is refused without %s', async (name) => {
    const { [name]: _, ...rest } = api.signed(path);
    const response = await api.send(path, { headers: flat(rest) });
    expectRefused(response);
    expect(response.json.msg).toContain(name);
  });

  it.each(names)('is refused with %s twice', async (name) => {
    const headers = api.signed(path);
    const twice = [...flat(headers), name, headers[name] ?? ''];
    expectRefused(await api.send(path, { headers: twice }));
  });

  it.each(names.slice(1))('is refused when %s differs from the signed one', async (name) => {
    const headers = api.signed(path);
    const value = headers[name] ?? '';
    const last = value.endsWith('1') ? '2' : '1';
    expectRefused(
      await api.send(path, { headers: flat({ ...headers, [name]: value.slice(0, -1) + last }) }),
    );
  });

  it.each(['7', '48291', '4829155', '4829106123'])('is accepted with nonce %s', async (nonce) => {
    const { json } = await sendSigned({ 'X-Fp-Nonce': nonce });
    expect(json.code).toBe('10000');
  });

  it.each([
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'application/jsonp'],
    ['X-Fp-Version', 'v2.0'],
    ['X-Fp-Version', '1.0'],
    ['X-Fp-Timestamp', '1986217096000'],
    ['X-Fp-Timestamp', '198621709'],
    ['X-Fp-Timestamp', 'now'],
    ['X-Fp-Nonce', '48291061234'],
    ['X-Fp-Nonce', '-1'],
    ['X-Fp-Nonce', '48291a'],
    ['X-Fp-Partner-Id', 'unknown'],
    ['X-Fp-More', '1'],
  ])('is refused with %s: %s, although it is signed', async (name, value) => {
    expectRefused(await sendSigned({ [name]: value }));
  });

  it.each([
    ['url-safe', (s: string) => s.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')],
    ['unpadded', (s: string) => s.replace(/=+$/, '')],
    // The last letter of a signature encodes only two bits. So the next letter of the base64 alphabet decodes to the
    // same bytes.
    [
      'in another spelling',
      (s: string) =>
        s.replace(/.==$/, ([last = '']) => `${{ A: 'B', Q: 'R', g: 'h', w: 'x' }[last]}==`),
    ],
    ['hexadecimal', (s: string) => Buffer.from(s, 'base64').toString('hex')],
    ['empty', () => ''],
  ])('is refused when its signature is %s', async (_, change) => {
    const headers = api.signed(path);
    const signature = change(headers['X-Fp-Signature'] ?? '');
    expectRefused(
      await api.send(path, { headers: flat({ ...headers, 'X-Fp-Signature': signature }) }),
    );
  });

  it('is refused when another key signed it', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { 'X-Fp-Signature': _, ...headers } = api.signed(path);
    const text = buildRequestPayload({ method: 'GET', url: sandbox.baseUrl + path, headers });
    const signature = signRsaSha256(text, privateKey);
    expectRefused(
      await api.send(path, { headers: flat({ ...headers, 'X-Fp-Signature': signature }) }),
    );
  });

  it.each([
    [300, '10000'],
    [301, '10003'],
    [-300, '10000'],
    [-301, '10003'],
  ])('that is %i seconds old returns code %s', async (age, code) => {
    const timestamp = String(Math.floor(clock / 1000) - age);
    const { json } = await sendSigned({ 'X-Fp-Timestamp': timestamp });
    expect(json.code).toBe(code);
    if (code === '10003') expect(json.msg).toContain('301 seconds');
  });

  it('is refused when it was signed for another host', async () => {
    const { port } = new URL(sandbox.baseUrl);
    const headers = flat(api.signed(path));
    for (const host of [`localhost:${port}`, '127.0.0.1', 'api.example'])
      expectRefused(await api.send(path, { headers: ['Host', host, ...headers] }));
    const url = `http://localhost:${port}${path}`;
    const { 'X-Fp-Signature': _, ...unsigned } = api.signed(path);
    const text = buildRequestPayload({ method: 'GET', url, headers: unsigned });
    const signature = signRsaSha256(text, sandbox.apiPrivateKey);
    expectRefused(
      await api.send(path, {
        headers: ['Host', `localhost:${port}`, ...flat(unsigned), 'X-Fp-Signature', signature],
      }),
    );
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])(
    'is refused when it is sent as %s',
    async (method) => {
      const headers = flat(api.signed(path));
      expectRefused(await api.send(path, { method, headers }));
    },
  );

  it('is refused when any character of its path or query is changed', async () => {
    const headers = flat(api.signed(path));
    const prefix = '/open/api/'.length;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: prefix, max: path.length - 1 }),
        fc.constantFrom(...'aZ09_.-~'),
        async (at, character) => {
          fc.pre(path[at] !== character && path[at] !== '?');
          const changed = path.slice(0, at) + character + path.slice(at + 1);
          // Skip paths with a `.` or `..` segment, which the HTTP client would remove.
          fc.pre(new URL(changed, sandbox.baseUrl).pathname === changed.split('?')[0]);
          expectRefused(await api.send(changed, { headers }));
        },
      ),
      { numRuns: 300 },
    );
  }, 60_000);

  it.each(['&payment=PIX', '&x=1', '&__proto__=1'])(
    'is refused when %s is added after signing',
    async (more) => {
      expectRefused(await api.call(path, { path: path + more }));
    },
  );
});

describe('An unknown operation of the partner API', () => {
  it.each([
    ['GET', '/open/api/onramp/prices'],
    ['GET', '/open/api'],
    ['GET', '/open/api/onramp/currency/'],
    ['POST', '/open/api/onramp/currency'],
  ])('returns code 10404 if the request is signed: %s %s', async (method, unknown) => {
    const headers = flat(api.signed(unknown, {}, method));
    const { status, json } = await api.send(unknown, { method, headers });
    expect([status, json.code, json.data]).toEqual([200, '10404', null]);
    expectRefused(await api.send(unknown, { method }));
  });
});

describe('The message of a refused API request', () => {
  it('contains the text to sign, and neither a key nor the expected signature', async () => {
    clock += 1000;
    const sent = api.signed(path);
    const { 'X-Fp-Signature': _, ...headers } = api.signed(path, { 'X-Fp-Nonce': '999999' });
    const { json } = await api.send(path, {
      headers: flat({ ...headers, 'X-Fp-Signature': sent['X-Fp-Signature'] ?? '' }),
    });
    expect(json.msg).toContain(
      buildRequestPayload({ method: 'GET', url: sandbox.baseUrl + path, headers }),
    );
    const expected = api.signed(path, { 'X-Fp-Nonce': '999999' })['X-Fp-Signature'] ?? '';
    for (const text of api.responseTexts) {
      expect(text).not.toContain(expected);
      expect(text).not.toContain('PRIVATE KEY');
    }
  });
});
