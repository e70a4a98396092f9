import { memo } from 'react';
import { createRandom } from './art/createRandom.js';
import { SHEET } from './art/drawing.js';
import type { Print } from './prints.js';

/** Draws a print. Memoised: some hold thousands of strokes, and none ever changes. */
export const PrintArt = memo(function PrintArt({ print }: { print: Print }) {
  const { tokenId, title, Art, size = SHEET } = print;
  return (
    <svg className="art" viewBox={`0 0 ${size.width} ${size.height}`} role="img">
      <title>{title}</title>
      <Art random={createRandom(tokenId)} {...size} />
    </svg>
  );
});
