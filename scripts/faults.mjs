// npm run faults: what fails in a database, at each statement and at random moments under load. It takes
// about half an hour. `npm run faults -- rounds` runs the files of test/faults with this word alone.
// FAULT_ROUNDS (200) and FAULT_RUNS (10) make it shorter.
import { spawnSync } from 'node:child_process';
import { ensureInstalled, npm, root } from './install.mjs';

ensureInstalled();
if (npm(['run', 'build']) !== 0) process.exit(1);

const words = process.argv.slice(2);
const all = ['test/faults', 'test/server/sql/statement-faults', 'test/server/sql/kill.test'];
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project=faults',
    '--project=stores',
    '--maxWorkers=1',
    ...(words.length > 0 ? words : all),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, FAULTS: 'all' } },
);
process.exit(status ?? 1);
