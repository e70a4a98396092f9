import type { Mistake } from './textMistakes.js';

/**
 * Tells whether a received signature is that of a text. Matching is by cryptography alone, so that a text is never
 * named that was not signed.
 */
export interface SignatureMatcher {
  /**
   * Returns the mistakes with which the text gives the signature: none for a right signature, and `undefined` if it
   * is not the signature of this text.
   *
   * @param mostMistakes - How many mistakes of key and algorithm to try. The form of the signature does not count.
   */
  readonly match: (text: string, mostMistakes: number) => readonly Mistake[] | undefined;
  /**
   * The number of mistakes that a text may have and still match: 0 if no other text can match, and 1 if the signature
   * has a mistake of its own already. A search for texts with more is in vain.
   */
  readonly mostTextMistakes: 0 | 1 | 2;
  /** The mistakes that are certain although no text matches, such as another key that opens an RSA signature. */
  readonly certain: readonly Mistake[];
  /** What else is certain about the signature, for the reader of an unknown mistake. */
  readonly notes: readonly string[];
}

/** A secret or key besides the right one. A signer may have taken it by mistake. */
export interface NamedKey {
  /** How messages name it, such as `the SecretKey of the environment`. */
  readonly name: string;
  readonly value: string;
}
