import fc from 'fast-check';
import { expect } from 'vitest';
import type { SignatureExplanation } from '../../../src/sandbox/explain/explainSignature.js';
import { runsAllCases } from '../../support/server/sampleCases.js';

/** The number of random messages: of one kind, of 10,000 of all three kinds. */
export const countRuns = (all: number) => (runsAllCases ? all : 25);

export const word = fc.stringMatching(/^[A-Za-z0-9._-]{1,24}$/);
/** One message in ten is large, because a large one has more texts with two mistakes. */
export const isLarge = fc.nat(9).map((digit) => digit === 0);

/** A change of some characters of a text, such as a typing error. */
export const edit = fc
  .record({
    kind: fc.constantFrom('insert', 'delete', 'replace', 'swap', 'repeat'),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    length: fc.integer({ min: 1, max: 8 }),
    other: word,
  })
  .map(({ kind, at, length, other }) => (text: string) => {
    const start = Math.floor(at * text.length);
    const [before, piece] = [text.slice(0, start), text.slice(start, start + length)];
    const after = text.slice(start + length);
    const changed = {
      insert: other + piece,
      delete: '',
      replace: other,
      swap: [...piece].reverse().join(''),
      repeat: piece + piece,
    }[kind];
    return before + changed + after;
  });

/** Asserts that nothing is named. */
export function expectUnknown(result: SignatureExplanation) {
  expect(result).toMatchObject({ isRight: false, mistakes: [] });
}

/** Asserts that mistakes are named only if they lead to exactly the text that was signed, as an edit may by chance. */
export function expectUnknownOrExact(result: SignatureExplanation, text: string) {
  if (text === result.expected.text) expect(result.isRight).toBe(true);
  else if (result.mistakes.length > 0) expect(result.signed?.text).toBe(text);
  else expectUnknown(result);
}
