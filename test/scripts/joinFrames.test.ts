import { describe, expect, it } from 'vitest';
import { joinFrames } from '../../scripts/pictures/webp.js';

/** A white picture of one pixel. */
const pixel = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=', 'base64');

const patch = { x: 0, y: 0, width: 1, height: 1, webp: pixel };

/** Returns the name and the content of each chunk. */
function readChunks(file: Buffer, start: number): [string, Buffer][] {
  const chunks: [string, Buffer][] = [];
  for (let at = start; at < file.length; ) {
    const size = file.readUInt32LE(at + 4);
    chunks.push([file.toString('latin1', at, at + 4), file.subarray(at + 8, at + 8 + size)]);
    at += 8 + size + (size % 2);
  }
  return chunks;
}

describe('joinFrames', () => {
  const file = joinFrames([
    { ...patch, width: 960, height: 820, ms: 1400 },
    { ...patch, x: 10, y: 4, width: 31, height: 20, ms: 220 },
  ]);
  const chunks = readChunks(file, 12);

  it('returns a WebP file whose header has its length', () => {
    expect(file.toString('latin1', 0, 4)).toBe('RIFF');
    expect(file.readUInt32LE(4)).toBe(file.length - 8);
    expect(file.toString('latin1', 8, 12)).toBe('WEBP');
    expect(chunks.map(([name]) => name)).toEqual(['VP8X', 'ANIM', 'ANMF', 'ANMF']);
  });

  it('takes the size of the canvas from the first frame, and repeats forever', () => {
    const [[, header], [, animation]] = chunks as [[string, Buffer], [string, Buffer]];
    expect(header.readUInt8(0)).toBe(2);
    expect([header.readUIntLE(4, 3), header.readUIntLE(7, 3)]).toEqual([959, 819]);
    expect(animation.readUInt16LE(4)).toBe(0);
  });

  it('places each frame, and shows it for its time', () => {
    const frame = chunks[3]?.[1] as Buffer;
    const numbers = [0, 3, 6, 9, 12].map((at) => frame.readUIntLE(at, 3));
    expect(numbers).toEqual([5, 2, 30, 19, 220]);
    expect(frame.subarray(16).equals(pixel.subarray(12))).toBe(true);
  });
});
