import { useMemo } from 'react';
import type { NftPageData } from '../../checkout/pageData.js';

/**
 * Draws a decorative picture that is derived from the contract and the token, because the service returns no pictures
 * of NFTs.
 */
export function NftPicture({ nft }: { nft: NftPageData['nft'] }) {
  // Ignore the case of the address: it is only a checksum.
  const name = `${nft.nftNetwork} ${nft.contractAddress.toLowerCase()} ${nft.tokenId ?? ''}`;
  const { sky, sun, sunFill, ridges } = useMemo(() => createNftArt(name), [name]);
  return (
    <svg className="nft-picture" viewBox="0 0 96 96" aria-hidden="true">
      <rect width="96" height="96" fill={sky} />
      <circle {...sun} fill={sunFill} />
      {ridges.map(({ d, fill }) => (
        <path key={d} d={d} fill={fill} />
      ))}
    </svg>
  );
}

/** A landscape for a view box of 96 by 96: colours and SVG shapes. */
interface NftArt {
  readonly sky: string;
  readonly sun: { readonly cx: number; readonly cy: number; readonly r: number };
  readonly sunFill: string;
  /** From the furthest to the nearest. */
  readonly ridges: readonly { readonly d: string; readonly fill: string }[];
}

const RIDGES = 4;

/** Creates the picture of an NFT. The same name always gives the same picture. */
export function createNftArt(name: string): NftArt {
  const random = createSeededRandom(name);
  const from = (least: number, most: number) => Math.round(least + random() * (most - least));
  const hue = from(0, 359);
  const turn = from(0, 1) ? 1 : -1;
  return {
    sky: formatHsl(hue, 62, 86),
    sun: { cx: from(20, 76), cy: from(20, 40), r: from(9, 17) },
    sunFill: formatHsl(hue + turn * from(130, 190), 78, 64),
    ridges: Array.from({ length: RIDGES }, (_, at) => {
      const y = 42 + at * 14;
      const [left, middle, right] = [from(-10, 8), from(-14, 14), from(-10, 8)];
      return {
        d: `M0 ${y + left}Q${from(14, 34)} ${y + middle} 48 ${y}T96 ${y + right}V96H0Z`,
        fill: formatHsl(hue + turn * at * 14, 48, 70 - at * 14),
      };
    }),
  };
}

const formatHsl = (hue: number, saturation: number, lightness: number): string =>
  `hsl(${(hue + 360) % 360} ${saturation}% ${lightness}%)`;

/**
 * Creates a random number generator that is seeded by a text (FNV-1a, then mulberry32). It returns numbers from 0 to
 * 1.
 */
function createSeededRandom(text: string): () => number {
  let state = 0x811c9dc5;
  for (const letter of text) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
