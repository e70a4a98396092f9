import { pickRandom, type Random, randomBetween } from './createRandom.js';
import { mixColors, SHEET } from './svgPath.js';

const INKS = [
  { pond: '#1f4a58', light: '#e9e2c8', spark: '#f0b752' },
  { pond: '#e8e3d1', light: '#1f4e63', spark: '#cf4f2e' },
] as const;

/** Draws the first drops on a pond: rings that widen and fade, one of them highlighted. */
export function FirstRain({ random }: { random: Random }) {
  const { pond, light, spark } = pickRandom(random, INKS);
  const drops: { x: number; y: number; reach: number }[] = [];
  for (let tries = 0; drops.length < 9 && tries < 400; tries++) {
    const drop = {
      x: randomBetween(random, -10, SHEET.width + 10),
      y: randomBetween(random, -10, SHEET.height + 10),
      reach: randomBetween(random, 40, 190) * randomBetween(random, 0.6, 1),
    };
    const apart = (other: typeof drop) =>
      Math.hypot(drop.x - other.x, drop.y - other.y) > 0.62 * (drop.reach + other.reach);
    if (drops.every(apart)) drops.push(drop);
  }
  const brightest = Math.floor(random() * Math.min(drops.length, 4));
  return (
    <>
      <rect {...SHEET} fill={pond} />
      {drops.map(({ x, y, reach }, drop) =>
        Array.from({ length: Math.ceil(reach / 8.5) }, (_, ring) => {
          const radius = 3 + ring * 8.5;
          const fade = radius / reach;
          const ink = drop === brightest ? spark : light;
          return (
            <circle
              key={`${x},${y},${radius}`}
              cx={x}
              cy={y}
              r={radius}
              fill={ring === 0 ? ink : 'none'}
              stroke={mixColors(ink, pond, Math.min(0.12 + 0.75 * fade ** 1.4, 0.9))}
              strokeWidth={3.6 * (1 - 0.72 * fade)}
            />
          );
        }),
      )}
    </>
  );
}
