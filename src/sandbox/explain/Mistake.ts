/** A mistake that signers make, as it occurs in one message. It never contains a value, a key or a signature. */
export interface Mistake {
  /** Stable, such as `unsigned-parameter`. */
  readonly id: string;
  /** What was wrong, as a sentence. */
  readonly what: string;
  /** What to do, as a sentence. */
  readonly fix: string;
}

/**
 * Returns a function that creates mistakes with the same fix. `clue` holds what the search needs to recognize a
 * mistake.
 */
export const withFix =
  (fix: string) =>
  <Clue extends object>(id: string, what: string, clue: Clue): Mistake & Clue => ({
    ...{ id, what, fix },
    ...clue,
  });
