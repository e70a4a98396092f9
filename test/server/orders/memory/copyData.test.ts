import { describe, expect, it } from 'vitest';
import { copyData } from '../../../../src/server/orders/memory/memoryCheckouts.js';

describe('copyData', () => {
  it.each([
    ['nested data', { a: [1, { b: null, c: undefined }], d: 'text', e: false }],
    ['a date and a map', { at: new Date(5), by: new Map([['a', { b: 1 }]]) }],
    ['a property named __proto__', JSON.parse('{"__proto__":{"isAdmin":true},"a":1}')],
  ])('copies %s as structuredClone does', (_, data) => {
    const copy = copyData(data);
    expect(copy).toStrictEqual(structuredClone(data));
    expect(copy).not.toBe(data);
    expect(({} as { isAdmin?: true }).isAdmin).toBeUndefined();
  });

  it('shares nothing with the original', () => {
    const data = { list: [{ name: 'a' }] };
    const copy = copyData(data);
    (data.list[0] as { name: string }).name = 'b';
    expect(copy).toEqual({ list: [{ name: 'a' }] });
  });

  it('refuses a function', () => {
    expect(() => copyData({ call: () => {} })).toThrow(/could not be cloned/);
  });
});
