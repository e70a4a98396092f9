interface Report {
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

export function countReport(
  report: Report | undefined,
  exitCode: number,
): { passed: number; failed: number; skipped: number };
