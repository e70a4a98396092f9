export type UnclearPhrase = readonly [phrase: RegExp, instead: string];

export const unclearPhrases: readonly UnclearPhrase[];
