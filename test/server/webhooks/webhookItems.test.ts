import { describe, expect, it } from 'vitest';
import { parseSignedBody, parseSignedQuery } from '../../../src/server/webhooks/webhookItems.js';

const parseBody = (json: string) => parseSignedBody(new TextEncoder().encode(json));

/** Returns the cause of the error that a function throws. */
function catchCause(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return (error as Error).cause;
  }
  throw new Error('Expected the function to throw.');
}

describe('parseSignedQuery', () => {
  it('drops items without a name or a value', () => {
    expect(parseSignedQuery('?a=1&=2&b=&c=3')).toEqual([
      ['a', '1'],
      ['c', '3'],
    ]);
  });

  it('names the ambiguous parameter in the cause of the error', () => {
    expect(catchCause(() => parseSignedQuery('?a=1%26b%3D2'))).toMatchObject({
      code: 'ERR_PARAMS_INVALID',
      message: expect.stringMatching(/^"a" has /),
      issues: [{ param: 'a' }],
    });
  });
});

describe('parseSignedBody', () => {
  it.each(['7', 'true', '"text"', 'null', '[]'])('rejects %s, which is not an object', (json) => {
    const cause = catchCause(() => parseBody(json));
    expect(cause).toBeInstanceOf(TypeError);
  });

  it('names the problem in the cause of the error', () => {
    expect(catchCause(() => parseBody('7'))).toMatchObject({
      message: 'The body is not a JSON object.',
    });
  });

  it('returns the scalar fields, with the digits of the JSON', () => {
    const json = '{"amount":99.50,"paid":true,"name":"x","list":[],"none":null,"":"y"}';
    expect(parseBody(json)).toEqual([
      ['amount', '99.50'],
      ['paid', 'true'],
      ['name', 'x'],
    ]);
  });
});
