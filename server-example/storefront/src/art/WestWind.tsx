import { createTerrain, pickRandom, type Random, randomBetween } from './createRandom.js';
import { SHEET, toPath } from './svgPath.js';

const INKS: readonly [string[], ...string[][]] = [
  ['#f3ecdd', '#1d3a4f', '#2f7590', '#d4552f', '#e0a73c'],
  ['#152033', '#e8dcc2', '#e9b44c', '#6aa7a0', '#cf5a3c'],
];

const STEP = 4;
const CELL = 6;

/** Draws lines that follow one wind and never touch. */
export function WestWind({ random }: { random: Random }) {
  const [paper, ...inks] = pickRandom(random, INKS);
  const terrain = createTerrain(random, 5, 260, 620);
  const heading = randomBetween(random, -0.4, 0.4);
  const taken = new Set<string>();
  const cell = (x: number, y: number) => `${Math.floor(x / CELL)},${Math.floor(y / CELL)}`;
  const isFree = (x: number, y: number, own: ReadonlySet<string>) => {
    const inside = x > -20 && x < SHEET.width + 20 && y > -20 && y < SHEET.height + 20;
    return inside && (own.has(cell(x, y)) || !taken.has(cell(x, y)));
  };
  const lines: string[][] = inks.map(() => []);
  for (let tries = 0; tries < 2400; tries++) {
    let x = randomBetween(random, -20, SHEET.width);
    let y = randomBetween(random, -20, SHEET.height + 20);
    const reach = randomBetween(random, 14, 90);
    const line: (readonly [number, number])[] = [];
    const own = new Set<string>();
    while (line.length < reach && isFree(x, y, own)) {
      line.push([x, y]);
      own.add(cell(x, y));
      const angle = heading + terrain(x, y) * 2.1;
      x += Math.cos(angle) * STEP;
      y += Math.sin(angle) * STEP;
    }
    if (line.length < 7) continue;
    for (const name of own) taken.add(name);
    // Warm colours are rarer. They appear where the wind turns most.
    const warm = terrain(line[0]?.[0] ?? 0, (line[0]?.[1] ?? 0) + 900);
    const ink = warm > 0.42 ? 2 : warm > 0.26 ? 3 : random() < 0.68 ? 0 : 1;
    lines[ink]?.push(toPath(line));
  }
  return (
    <>
      <rect {...SHEET} fill={paper} />
      {inks.map((ink, index) => (
        <path
          key={ink}
          d={lines[index]?.join('')}
          fill="none"
          stroke={ink}
          strokeWidth={3.1}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ))}
    </>
  );
}
