import { pickRandom, type Random, randomBetween } from './createRandom.js';
import { interpolateColors, SHEET } from './svgPath.js';

const INKS: readonly [string[], ...string[][]] = [
  ['#1c2b29', '#f4d58a', '#e6a13c', '#c9542f', '#7d2f3a', '#3b2a38'],
  ['#efe5d0', '#2b2230', '#6b2f45', '#c4523a', '#e19a3e', '#d9c38a'],
];

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Draws a seed head: each seed is rotated by the golden angle from the previous one. */
export function SeedHead({ random }: { random: Random }) {
  const [paper = '', ...inks] = pickRandom(random, INKS);
  const centre = { x: randomBetween(random, 150, 260), y: randomBetween(random, 210, 310) };
  const start = randomBetween(random, 0, 2 * Math.PI);
  const seeds = 620;
  return (
    <>
      <rect {...SHEET} fill={paper} />
      {Array.from({ length: seeds }, (_, index) => {
        const share = index / seeds;
        const angle = start + index * GOLDEN_ANGLE;
        const distance = 10.6 * Math.sqrt(index + 0.5);
        const x = centre.x + Math.cos(angle) * distance;
        const y = centre.y + Math.sin(angle) * distance;
        const size = 2.5 + 5.1 * share ** 0.7 + randomBetween(random, -0.4, 0.4);
        const ink = interpolateColors(inks, share * 1.02 + randomBetween(random, -0.09, 0.09));
        return (
          <circle
            key={`${x},${y}`}
            cx={x.toFixed(1)}
            cy={y.toFixed(1)}
            r={size.toFixed(2)}
            fill={ink}
          />
        );
      })}
    </>
  );
}
