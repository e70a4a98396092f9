import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createNftArt } from '../../../../src/sandbox/widget/nft/NftPicture.js';

it('createNftArt is deterministic, and returns only colours and numbers', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const art = createNftArt(name);
      expect(createNftArt(name)).toEqual(art);
      expect(art.sun.cx + art.sun.r).toBeLessThan(96);
      expect(art.ridges).toHaveLength(4);
      for (const { d, fill } of [...art.ridges, { d: 'M0 0Q0 0 48 0T96 0V96H0Z', fill: art.sky }]) {
        expect(d).toMatch(/^M0 \d+Q\d+ \d+ 48 \d+T96 \d+V96H0Z$/);
        expect(fill).toMatch(/^hsl\((?:[12]?\d?\d|3[0-5]\d) \d\d% \d\d%\)$/);
      }
    }),
  );
});

it('createNftArt draws different pictures for neighbouring tokens', () => {
  const drawn = Array.from({ length: 200 }, (_, id) =>
    JSON.stringify(createNftArt(`polygon 0x30 ${id}`)),
  );
  expect(new Set(drawn).size).toBe(200);
});
