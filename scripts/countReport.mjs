/**
 * Counts the results of a Vitest run from its JSON report (undefined without a report) and exit code. A run
 * with a failed exit code never counts as passed, and a run without tests counts as failed.
 */
export function countReport(report, exitCode) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const files = report.testResults;
  const tests = files.flatMap((file) => file.assertionResults);
  const count = (...states) => tests.filter((test) => states.includes(test.status)).length;
  // A file that could not be loaded, or whose hooks failed, contains no failed test.
  const brokenFiles = files.filter(
    (file) =>
      file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const passed = count('passed');
  // Pending tests did not finish, for example because a worker crashed.
  const failed = count('failed', 'pending') + brokenFiles.length;
  const amiss = exitCode !== 0 || passed === 0;
  return {
    passed,
    failed: amiss ? Math.max(failed, 1) : failed,
    skipped: count('skipped', 'todo'),
  };
}
