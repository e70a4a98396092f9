// npm run controls: removes each control against a threat or a fault in a copy of the project, and checks that a
// test fails. For each row of rows.json it replaces `from` in `file` with `to`, and one of `tests` must fail.
// `npm run controls -- 23 24` runs only the rows with these numbers.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject } from '../../scripts/copyProject.mjs';

const rows = JSON.parse(readFileSync(new URL('rows.json', import.meta.url), 'utf8'));

function failedTests(copy, { project, tests }) {
  const projects = project ? [project] : ['node', 'isolated'];
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const chosen = projects.map((name) => `--project=${name}`);
  const args = ['run', ...chosen, '--reporter=json', `--outputFile=${report}`];
  spawnSync(process.execPath, [vitest, ...args, ...tests], { cwd: copy, timeout: 300_000 });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const all = testResults.flatMap((file) => file.assertionResults);
  // If the changed code cannot be loaded, no test runs, and the control is not proven.
  if (all.length === 0) throw new Error('no test ran');
  return all.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
}

function runControl(copy, row) {
  const file = join(copy, row.file);
  const whole = readFileSync(file, 'utf8');
  if (whole.split(row.from).length !== 2)
    return `the quoted code must occur once in ${row.file}: ${row.from}`;
  writeFileSync(
    file,
    whole.replace(row.from, () => row.to),
  );
  try {
    const failed = failedTests(copy, row);
    if (failed.length === 0) return 'no test failed without the control';
    process.stdout.write(`ok      ${row.row}: ${row.control}\n        ${failed[0]}\n`);
  } catch (error) {
    return error.message;
  } finally {
    writeFileSync(file, whole);
  }
}

const wanted = process.argv.slice(2);
const copy = copyProject('controls-');
let bad = 0;
try {
  for (const row of rows) {
    if (wanted.length > 0 && !wanted.some((number) => row.row.split(' ').includes(number)))
      continue;
    const why = runControl(copy, row);
    if (!why) continue;
    bad++;
    process.stdout.write(`FAILED  ${row.row}: ${row.control}: ${why}\n`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exit(bad > 0 ? 1 : 0);
