export interface MutantResult {
  readonly status: string;
  readonly replacement?: string;
  readonly location: {
    readonly start: { readonly line: number; readonly column: number };
    readonly end: { readonly line: number; readonly column: number };
  };
}

export interface FileScore {
  readonly total: number;
  readonly score: number;
  readonly survivors: readonly { readonly original: string }[];
  readonly problems: readonly string[];
}

export function scoreFile(
  file: string,
  result: { readonly source: string; readonly mutants: readonly MutantResult[] },
  group: { readonly name: string; readonly threshold?: number },
  equivalents: readonly {
    readonly file: string;
    readonly original: string;
    readonly replacement: string;
    readonly reason: string;
  }[],
): FileScore;

export function formatScores(scores: readonly FileScore[]): {
  readonly text: string;
  readonly problems: readonly string[];
};
