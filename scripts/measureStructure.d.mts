export interface StructureLimits {
  arrows: Readonly<Record<string, number>>;
  files: { below: readonly string[]; most: number };
  functionLines: { below: readonly string[]; most: number };
  fileLines: { below: readonly string[]; most: number };
}

export const structureLimits: StructureLimits;

export function measureStructure(
  root: string,
  limits?: StructureLimits,
): { arrows: Record<string, Map<string, string[]>>; excesses: string[] };
