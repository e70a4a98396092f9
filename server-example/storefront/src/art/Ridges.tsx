import { createTerrain, pickRandom, type Random, randomBetween } from './createRandom.js';
import { interpolateColors, toPath } from './svgPath.js';

const INKS = [
  {
    sky: ['#f6dfc0', '#f2b98b'],
    sun: '#d9512c',
    land: ['#e79a72', '#a25a6a', '#513f66', '#1d2440'],
  },
  {
    sky: ['#e7ebdd', '#cfdcd0'],
    sun: '#f0b23f',
    land: ['#a9c2b4', '#5d8f8b', '#28596a', '#10293f'],
  },
] as const;

interface RidgesProps {
  readonly random: Random;
  readonly width?: number;
  readonly height?: number;
}

/** Draws ridges that become paler with the distance, and a low sun. */
export function Ridges({ random, width = 400, height = 500 }: RidgesProps) {
  const { sky, sun, land } = pickRandom(random, INKS);
  const ridges = 8;
  const sunX = width * randomBetween(random, 0.28, 0.72);
  const radius = height * randomBetween(random, 0.11, 0.14);
  return (
    <>
      {Array.from({ length: 6 }, (_, band) => band / 6).map((share) => (
        <rect
          key={share}
          width={width}
          height={height}
          y={height * share * 0.55}
          fill={interpolateColors(sky, share)}
        />
      ))}
      <circle cx={sunX} cy={height * randomBetween(random, 0.3, 0.36)} r={radius} fill={sun} />
      {Array.from({ length: ridges }, (_, index) => index / (ridges - 1)).map((share) => {
        const rise = createTerrain(random, 3, 150 + 120 * share, 420 + 200 * share);
        const crag = createTerrain(random, 4, 24, 70);
        const base = height * (0.42 + 0.47 * share ** 1.1);
        const relief = height * (0.075 + 0.035 * share);
        const line = Array.from({ length: Math.ceil(width / 4) + 1 }, (_, step) => {
          const x = step * 4;
          return [x, base - relief * rise(x, 0) - height * 0.016 * crag(x, 0)] as const;
        });
        const shape = [...line, [width, height] as const, [0, height] as const];
        return <path key={share} d={toPath(shape, true)} fill={interpolateColors(land, share)} />;
      })}
    </>
  );
}
