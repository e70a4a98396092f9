import { createHmac } from 'node:crypto';

/** Names what a value is for, such as `'order', 7`. The same subject always gets the same value. */
type Subject = readonly (string | number)[];

/** The values that a service chooses at random. A sandbox derives them from its seed, so that they can be repeated. */
export interface DerivedValues {
  /** Returns `bytes` bytes, at most 32, in hexadecimal. */
  hex(bytes: number, ...subject: Subject): string;
  /** Returns a whole number with this many decimal digits, at most ten. */
  digits(count: number, ...subject: Subject): number;
  /** Returns a number from 0, included, to 1, excluded. */
  fraction(...subject: Subject): number;
}

/**
 * Derives values from a seed. The same seed repeats them. Someone who does not know the seed cannot predict one value
 * from others, so a random seed is as good as random values.
 */
export function createDerivedValues(seed: string): DerivedValues {
  const digest = (subject: Subject) =>
    createHmac('sha256', seed).update(JSON.stringify(subject)).digest();
  const fraction = (...subject: Subject) => digest(subject).readUIntBE(0, 6) / 2 ** 48;
  return {
    hex: (bytes, ...subject) => digest(subject).subarray(0, bytes).toString('hex'),
    digits(count, ...subject) {
      const least = 10 ** (count - 1);
      return least + Math.floor(fraction(...subject) * 9 * least);
    },
    fraction,
  };
}
