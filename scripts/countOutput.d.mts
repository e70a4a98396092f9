export function countOutput(
  output: string,
  exitCode: number,
): { readonly passed: number; readonly failed: number };
