import type { UnclearPhrase } from './plainEnglish.mjs';

type Kind = 'comment' | 'text' | 'prose';

export function readPassages(
  file: string,
  source: string,
): { readonly kind: Kind; readonly start: number; readonly text: string }[];

export function findUnclearPhrases(
  file: string,
  source: string,
  phrases?: readonly UnclearPhrase[],
): {
  readonly line: number;
  readonly kind: Kind;
  readonly phrase: string;
  readonly instead: string;
}[];

export function countCommentLines(file: string, source: string): number;
