import { describe, expect, it } from 'vitest';
import { createOpenApi } from '../../src/contract/createOpenApi.js';
import { createContract, type Exchange } from './createContract.js';

const contract = createContract(createOpenApi('1.2.3'));

const state = {
  reference: 'r1',
  widget: 'on-ramp',
  progress: 'waiting',
  orders: [],
  pollAfterSeconds: 3,
};
const json = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' };

const read = ({
  body = state,
  headers = {},
  ...rest
}: Partial<Omit<Exchange, 'headers'>> & {
  body?: unknown;
  headers?: Record<string, string>;
} = {}) =>
  contract.findDrift({
    method: 'GET',
    path: '/checkouts/r1',
    status: 200,
    text: JSON.stringify(body),
    ...rest,
    headers: new Headers({ ...json, etag: '"q1Jz8sUjXo2dR4TkWb7n9A"', ...headers }),
  });

const error = (code: string) => ({ error: { code, message: 'x' } });

describe('createContract', () => {
  it('accepts a documented response', () => {
    expect(read()).toEqual([]);
    expect(contract.seen).toContain('GET /checkouts/{reference} 200');
    expect(contract.documented).toContain('GET /checkouts/{reference} 200');
  });

  it.each([
    ['a field', { body: { ...state, wallet: '0x1' } }, /wallet/],
    [
      'a field of an order',
      { body: { ...state, orders: [{ state: 'settled', fee: '1' }] } },
      /fee/,
    ],
    ['a value', { body: { ...state, progress: 'lost' } }, /progress/],
    ['a status', { status: 418, body: error('ERR_REQUEST') }, /status/],
    ['an error code', { status: 404, body: error('ERR_INTERNAL') }, /code/],
    [
      'a field of an error',
      { status: 404, body: { ...error('ERR_CHECKOUT_NOT_FOUND'), trace: 'x' } },
      /trace/,
    ],
    ['a header', { headers: { 'x-powered-by': 'x' } }, /x-powered-by/],
    ['a method', { method: 'DELETE' }, /405/],
    ['a route', { path: '/health' }, /404/],
    ['a body', { status: 304 }, /no body/],
  ])('finds %s that the document lacks', (_, change, expected) => {
    expect(read(change).join('\n')).toMatch(expected);
  });

  it.each([
    ['a field', { body: { ...state, orders: undefined } }, /orders/],
    ['a header', { status: 405, body: error('ERR_METHOD_NOT_ALLOWED') }, /Allow is missing/],
    [
      'a header of one error',
      { status: 503, body: error('ERR_TIMEOUT') },
      /Retry-After is missing/,
    ],
    ['the content type', { headers: { 'content-type': 'text/html' } }, /content type/],
  ])('finds that a response lacks %s of the document', (_, change, expected) => {
    expect(read(change).join('\n')).toMatch(expected);
  });
});
