/** A seeded source of random numbers. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns an integer from `least` to `most`, both inclusive. */
  int(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Returns a number between two limits. Each order of magnitude is equally likely. */
  log(least: number, most: number): number;
  /** Returns one of the values. The first item of each pair is its weight. */
  weighted<T>(pairs: readonly (readonly [weight: number, value: T])[]): T;
  bytes(size: number): Buffer;
}

/**
 * Creates the random numbers of one stream, derived from the seed. Each part of the world has its own stream, so that
 * switching off one fault does not change the random numbers of the other parts.
 */
export function createRandom(seed: string, stream: string): Random {
  // The generator is sfc32, by Chris Doty-Humphrey.
  let a = hash(`a${seed}/${stream}`);
  let b = hash(`b${stream}\\${seed}`);
  let c = hash(`c${seed}|${stream}`);
  let counter = 1;
  const next = () => {
    const result = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + result) | 0;
    return (result >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 12; round++) next();
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
    log: (least, most) => least * (most / least) ** next(),
    weighted<T>(pairs: readonly (readonly [number, T])[]) {
      let rest = next() * pairs.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of pairs) {
        rest -= weight;
        if (rest < 0) return value;
      }
      return (pairs.at(-1) as readonly [number, T])[1];
    },
    bytes: (size) => Buffer.from(Array.from({ length: size }, () => int(0, 255))),
  };
}

/** Returns the 32-bit FNV-1a hash of a text. */
function hash(text: string): number {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return value >>> 0;
}
