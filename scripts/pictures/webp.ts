import type { Page } from 'playwright';

export interface Frame {
  readonly png: Buffer;
  /** How long the picture is shown, in milliseconds. */
  readonly ms: number;
}

/** The part of a picture that differs from the previous one, as a WebP file. */
interface Patch {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly webp: Buffer;
}

/** Encodes PNG pictures as WebP. The encoder is Chromium's, so this needs a page, which may be empty. */
export async function createWebpEncoder(page: Page) {
  await page.addScriptTag({ content: `window.encodePatch = ${encodePatch}` });

  /** Returns the part of the picture that differs from `previous`, or undefined if both are equal. */
  async function encode(png: Buffer, previous?: Buffer): Promise<Patch | undefined> {
    const sources = [png, previous].map(
      (each) => each && `data:image/png;base64,${each.toString('base64')}`,
    );
    const patch = await page.evaluate(
      ([source, before]) =>
        (window as unknown as { encodePatch: typeof encodePatch }).encodePatch(
          source ?? '',
          before,
        ),
      sources,
    );
    return patch && { ...patch, webp: Buffer.from(patch.webp, 'base64') };
  }

  return {
    async encodeStill(png: Buffer): Promise<Buffer> {
      const patch = await encode(png);
      if (!patch) throw new Error('The picture is empty.');
      return patch.webp;
    },
    /** Encodes frames of equal size. Each frame stores only what has changed. */
    async encodeAnimation(frames: readonly Frame[]): Promise<Buffer> {
      const patches: (Patch & { ms: number })[] = [];
      let previous: Buffer | undefined;
      for (const { png, ms } of frames) {
        const patch = await encode(png, previous);
        const last = patches.at(-1);
        if (patch) patches.push({ ...patch, ms });
        else if (last) last.ms += ms;
        previous = png;
      }
      return joinFrames(patches);
    },
  };
}

/**
 * Encodes the changed part of a picture, lossless or lossy, whichever is smaller. This function runs in the page. Text
 * and flat colours are often smaller without loss.
 */
async function encodePatch(source: string, before: string | undefined) {
  const draw = async (url: string) => {
    const bitmap = await createImageBitmap(await (await fetch(url)).blob());
    const canvas = document.createElement('canvas');
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    const context = canvas.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
    context.drawImage(bitmap, 0, 0);
    return { canvas, pixels: context.getImageData(0, 0, bitmap.width, bitmap.height) };
  };
  const { canvas, pixels } = await draw(source);
  const { width, height } = canvas;
  let [left, top, right, bottom] = [0, 0, width, height];
  if (before) {
    const now = new Uint32Array(pixels.data.buffer);
    const old = new Uint32Array((await draw(before)).pixels.data.buffer);
    [left, top, right, bottom] = [width, height, 0, 0];
    for (let at = 0; at < now.length; at++) {
      if (now[at] === old[at]) continue;
      const x = at % width;
      const y = (at - x) / width;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
    if (right === 0) return undefined;
    // In an animated WebP, a frame can begin only at even coordinates.
    left -= left % 2;
    top -= top % 2;
  }
  const part = document.createElement('canvas');
  part.width = right - left;
  part.height = bottom - top;
  part.getContext('2d', { alpha: false })?.drawImage(canvas, -left, -top);
  const toWebp = (quality: number) =>
    new Promise<Blob>((done) => part.toBlob((blob) => done(blob as Blob), 'image/webp', quality));
  // Chromium encodes without loss at quality 1.
  const [exact, lossy] = await Promise.all([toWebp(1), toWebp(0.86)]);
  const bytes = new Uint8Array(await (exact.size <= lossy.size ? exact : lossy).arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { x: left, y: top, width: part.width, height: part.height, webp: btoa(text) };
}

function toBytes(value: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  bytes.writeUIntLE(value, 0, count);
  return bytes;
}

/** Creates a chunk of a RIFF file. The content is padded to an even length. */
const toChunk = (name: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([
    Buffer.from(name, 'latin1'),
    toBytes(content.length, 4),
    content,
    Buffer.alloc(content.length % 2),
  ]);
};

/** Returns the chunks of a WebP file that hold its pixels: `VP8 ` or `VP8L`, and `ALPH`. */
function readPixelChunks(webp: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 12; at < webp.length; ) {
    const size = webp.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (/^(?:VP8 |VP8L|ALPH)$/.test(webp.toString('latin1', at, at + 4)))
      chunks.push(webp.subarray(at, end));
    at = end;
  }
  return chunks;
}

const ANIMATION = 0x02;
const WITHOUT_BLENDING = 0x02;

/**
 * Joins WebP pictures into an animated one that repeats forever. The container is described at
 * https://developers.google.com/speed/webp/docs/riff_container. The first picture covers the whole area.
 */
export function joinFrames(patches: readonly (Patch & { readonly ms: number })[]): Buffer {
  const [first] = patches;
  if (!first) throw new Error('An animation needs a frame.');
  const size = [toBytes(first.width - 1, 3), toBytes(first.height - 1, 3)];
  const frames = patches.map(({ x, y, width, height, ms, webp }) =>
    toChunk(
      'ANMF',
      toBytes(x / 2, 3),
      toBytes(y / 2, 3),
      toBytes(width - 1, 3),
      toBytes(height - 1, 3),
      toBytes(ms, 3),
      toBytes(WITHOUT_BLENDING, 1),
      ...readPixelChunks(webp),
    ),
  );
  return toChunk(
    'RIFF',
    Buffer.from('WEBP', 'latin1'),
    toChunk('VP8X', toBytes(ANIMATION, 4), ...size),
    toChunk('ANIM', toBytes(0, 4), toBytes(0, 2)),
    ...frames,
  );
}
