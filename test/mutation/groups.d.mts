export interface MutationGroup {
  readonly name: string;
  readonly files: readonly string[];
  readonly tests: readonly string[];
  readonly threshold?: number;
  readonly postgres?: boolean;
}

export function selectGroups(wanted: readonly string[]): readonly MutationGroup[];
