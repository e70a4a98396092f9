import { pickRandom, type Random, randomBetween } from './createRandom.js';
import { interpolateColors, SHEET, toPath } from './svgPath.js';

const RAMPS: readonly [string[], ...string[][]] = [
  ['#efe6d2', '#d8d6ae', '#9db686', '#568a6d', '#24564e', '#173a3c'],
  ['#f1e4d3', '#e9c79d', '#d99262', '#b45a41', '#7a3437', '#4a2331'],
];

const LEVELS = 17;
const STEPS = 120;

/** Draws a hill from above: contour lines with one colour for each height. */
export function Survey({ random }: { random: Random }) {
  const ramp = pickRandom(random, RAMPS);
  const top = { x: randomBetween(random, 120, 280), y: randomBetween(random, 170, 300) };
  const drift = { x: randomBetween(random, -70, 70), y: randomBetween(random, -80, 80) };
  const waves = [2, 3, 4, 5, 7].map((turns) => ({
    turns,
    height: randomBetween(random, 0.12, 0.34) / turns ** 0.75,
    phase: randomBetween(random, 0, 2 * Math.PI),
    twist: randomBetween(random, -1.1, 1.1),
  }));
  const contour = (level: number) => {
    const share = level / LEVELS;
    const radius = 420 * (1 - share) ** 1.25 + 5;
    return Array.from({ length: STEPS }, (_, step) => {
      const angle = (step / STEPS) * 2 * Math.PI;
      const swell = waves.reduce(
        (sum, { turns, height, phase, twist }) =>
          sum + height * Math.cos(turns * angle + phase + twist * share * 2),
        1,
      );
      const x = top.x + drift.x * (1 - share) + Math.cos(angle) * radius * swell;
      const y = top.y + drift.y * (1 - share) + Math.sin(angle) * radius * swell;
      return [x, y] as const;
    });
  };
  return (
    <>
      <rect {...SHEET} fill={interpolateColors(ramp, 0)} />
      {Array.from({ length: LEVELS }, (_, index) => index + 1).map((level) => (
        <path
          key={level}
          d={toPath(contour(level), true)}
          fill={interpolateColors(ramp, level / LEVELS)}
          stroke={interpolateColors(ramp, Math.min(level / LEVELS + 0.22, 1))}
          strokeWidth={level % 5 === 0 ? 1.6 : 0.7}
        />
      ))}
    </>
  );
}
