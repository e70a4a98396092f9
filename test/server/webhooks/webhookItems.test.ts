import { describe, expect, it } from 'vitest';
import { parseSignedBody } from '../../../src/server/webhooks/signedBody.js';
import { parseSignedHeaders, parseSignedQuery } from '../../../src/server/webhooks/webhookItems.js';

const parseBody = (json: string) => parseSignedBody(new TextEncoder().encode(json));

/** Returns the cause of the error that `call` throws. Throws if `call` throws nothing. */
function catchCause(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return (error as Error).cause;
  }
  throw new Error('Expected the function to throw.');
}

describe('parseSignedHeaders', () => {
  it.each([
    [{ 'X-Fp-Nonce': ['1', '2'] }, 'header-repeated', '"x-fp-nonce" appears twice.'],
    [{ 'X-Fp-Nonce': '1', 'x-fp-nonce': '1' }, 'header-repeated', '"x-fp-nonce" appears twice.'],
    [{ 'X-Fp-Event': 'paid,done' }, 'header-repeated', '"x-fp-event" has a comma,'],
    [{ 'X-Fp-B_C': '1' }, 'header-malformed', '"x-fp-b_c" has a name with other'],
    [{ 'X-Fp-Event': 'a\tb' }, 'header-malformed', '"x-fp-event" has white space,'],
    [{ 'X-Fp-Event': 'a=b' }, 'header-malformed', '"x-fp-event" has white space, "&", "="'],
    [{ 'X-Fp-Event': 'é' }, 'header-malformed', 'a character outside ASCII in its value.'],
  ])('refuses %j as %s, and names the cause', (headers, reason, words) => {
    expect(() => parseSignedHeaders(headers)).toThrow(
      expect.objectContaining({ reason, message: expect.stringContaining(words) }),
    );
  });
});

describe('names outside ASCII', () => {
  it.each(['é', '\u{1f600}', '\uffff'])('are refused in the query and the body: %s', (name) => {
    const issues = [{ param: name, message: expect.stringContaining('outside ASCII') }];
    const query = `?a=1&${encodeURIComponent(name)}=2`;
    expect(catchCause(() => parseSignedQuery(query))).toMatchObject({ issues });
    expect(catchCause(() => parseBody(JSON.stringify({ [name]: 1 })))).toMatchObject({ issues });
    // An item with an empty value is not signed, so its name may have any characters.
    expect(parseSignedQuery(`?a=1&${encodeURIComponent(name)}=`)).toEqual([['a', '1']]);
  });
});

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
