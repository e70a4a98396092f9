import { memo } from 'react';
import { createRandom } from './createRandom.js';
import type { PrintDrawing } from './drawings.js';
import { SHEET } from './svgPath.js';

interface PrintArtProps {
  readonly drawing: PrintDrawing;
  /** `undefined` until the listings are loaded. */
  readonly title: string | undefined;
}

/** Draws a print. It is memoised, because some prints have thousands of strokes and none ever changes. */
export const PrintArt = memo(function PrintArt({ drawing, title }: PrintArtProps) {
  const { number, Art, size = SHEET } = drawing;
  return (
    <svg className="art" viewBox={`0 0 ${size.width} ${size.height}`} role="img">
      <title>{title ?? `Print no. ${number}`}</title>
      <Art random={createRandom(number)} {...size} />
    </svg>
  );
});
