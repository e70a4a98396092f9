/**
 * Counts the checks of a command from the end of its output and its exit code. A command whose last line
 * is not `N passed, N failed` counts as one check. A failed command never counts as passed.
 */
export function countOutput(output, exitCode) {
  const match = /(?:^|\n)(\d+) passed, (\d+) failed\s*$/.exec(output);
  const passed = match ? Number(match[1]) : exitCode === 0 ? 1 : 0;
  const failed = match ? Number(match[2]) : 0;
  return { passed, failed: exitCode === 0 ? failed : Math.max(failed, 1) };
}
