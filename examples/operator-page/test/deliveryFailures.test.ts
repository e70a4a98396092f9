import { describe, expect, it } from 'vitest';
import { describeFailure } from '../src/deliveryFailures.js';

const withCode = (code: unknown, message: string) => Object.assign(new Error(message), { code });

describe('describeFailure', () => {
  it.each([
    [new TypeError('x is not a function'), 'TypeError: x is not a function'],
    [withCode('ECONNREFUSED', 'connect ECONNREFUSED'), 'ECONNREFUSED: connect ECONNREFUSED'],
    [withCode(7, 'no text'), 'Error: no text'],
    [new Error(''), 'Error'],
    ['a text', 'Unknown error'],
    [undefined, 'Unknown error'],
  ])('begins with the code or the class of %s', (error, text) => {
    expect(describeFailure(error)).toBe(text);
  });

  it.each([
    'postgres://shop:canary@db.example/shop',
    'https://api.example/orders?signature=canary',
    'Authorization: Bearer canary',
    'password=canary',
    'apiKey: canary',
    '{"secret": "canary"}',
    'no such user: canary@shop.example',
  ])('leaves out the secret of %j', (message) => {
    expect(describeFailure(new Error(message))).not.toContain('canary');
  });

  it('is one line of at most 200 characters', () => {
    expect(describeFailure(new Error('one\n  two\u0000\u202e'))).toBe('Error: one two');
    const long = describeFailure(new Error('x'.repeat(500)));
    expect([long.length, long.at(-1)]).toEqual([200, '…']);
  });
});
