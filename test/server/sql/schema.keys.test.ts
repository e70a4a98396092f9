import { describe, expect, it } from 'vitest';
import { inChunks, toKey } from '../../../src/server/sql/schema.js';

describe('toKey', () => {
  it.each([
    ['r1', 'r1'],
    ['', ''],
    ['a\0b', 'a\\u0000b'],
    ['\ud800', '\\ud800'],
    ['x'.repeat(300), 'x'.repeat(300)],
  ])('keeps a name of at most 300 characters, escaped: %j', (name, key) => {
    expect(toKey(name)).toBe(key);
  });

  it('hashes a name that is longer than 300 characters when escaped', () => {
    const keys = ['x'.repeat(301), '\0'.repeat(51), `${'x'.repeat(301)}y`].map(toKey);
    for (const key of keys) expect(key).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(new Set(keys).size).toBe(3);
  });
});

describe('inChunks', () => {
  const sizes = async (count: number) => {
    const sizes: number[] = [];
    const rows = Array.from({ length: count }, (_, i) => i);
    const results = await inChunks(rows, async (chunk) => {
      sizes.push(chunk.length);
      return chunk;
    });
    expect(results).toEqual(rows);
    return sizes;
  };

  it('calls back with at most 500 rows, one chunk after the other, and returns all results', async () => {
    expect(await sizes(1)).toEqual([1]);
    expect(await sizes(500)).toEqual([500]);
    expect(await sizes(1001)).toEqual([500, 500, 1]);
  });

  it('never calls back with an empty chunk', async () => {
    expect(await sizes(0)).toEqual([]);
    expect(await sizes(1000)).toEqual([500, 500]);
  });
});
