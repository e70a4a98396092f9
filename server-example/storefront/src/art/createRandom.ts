/** A generator of numbers from 0 to 1, deterministic for a token ID on every machine. */
export type Random = () => number;

/** Creates a generator with FNV-1a for the seed and mulberry32 for the numbers, in integer arithmetic only. */
export function createRandom(tokenId: string): Random {
  let state = 0x811c9dc5;
  for (const character of tokenId)
    state = Math.imul(state ^ (character.codePointAt(0) as number), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function randomBetween(random: Random, low: number, high: number): number {
  return low + random() * (high - low);
}

export function pickRandom<const Choices extends readonly [unknown, ...unknown[]]>(
  random: Random,
  choices: Choices,
): Choices[number] {
  return choices[Math.floor(random() * choices.length)] ?? choices[0];
}

/** Creates a smooth height map between -1 and 1: the sum of a few waves of random direction. */
export function createTerrain(random: Random, waves: number, shortest: number, longest: number) {
  const parts = Array.from({ length: waves }, () => {
    const angle = randomBetween(random, 0, 2 * Math.PI);
    const turns = (2 * Math.PI) / randomBetween(random, shortest, longest);
    const phase = randomBetween(random, 0, 2 * Math.PI);
    return { x: Math.cos(angle) * turns, y: Math.sin(angle) * turns, phase };
  });
  return (x: number, y: number) =>
    parts.reduce((sum, part) => sum + Math.sin(x * part.x + y * part.y + part.phase), 0) / waves;
}
