/**
 * What a run of Vitest comes to, from its JSON report (undefined when it wrote none) and exit code.
 * A run never counts as better than its exit code, and one that ran nothing counts as failed.
 */
export function countReport(report, exitCode) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const files = report.testResults;
  const tests = files.flatMap((file) => file.assertionResults);
  const count = (...states) => tests.filter((test) => states.includes(test.status)).length;
  // A file that could not be loaded, or whose hooks failed, has no failed test to show for it.
  const brokenFiles = files.filter(
    (file) =>
      file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const passed = count('passed');
  // Pending is what never came to an end, as when a worker died.
  const failed = count('failed', 'pending') + brokenFiles.length;
  const amiss = exitCode !== 0 || passed === 0;
  return {
    passed,
    failed: amiss ? Math.max(failed, 1) : failed,
    skipped: count('skipped', 'todo'),
  };
}
