// npm run faults: database failures at random moments under load. It takes about half an hour.
// `npm run faults -- rounds` runs only the test files with this word in their names.
// FAULT_ROUNDS (200) and FAULT_RUNS (10) make it shorter.
import { spawnSync } from 'node:child_process';
import { ensureInstalled, npm, root } from './install.mjs';

ensureInstalled();
if (npm(['run', 'build']) !== 0) process.exit(1);

const words = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project=faults', ...words],
  { cwd: root, stdio: 'inherit' },
);
process.exit(status ?? 1);
