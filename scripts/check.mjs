// npm run check: runs all checks, which takes hours. `npm run check -- test soak` runs only the named checks.
// `.ci/run` runs `npm test`, which every change must pass; the workflow `nightly` runs others of these checks.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { npmCommand, root } from './install.mjs';

/** The arguments for npm by check. Fast checks come first. */
const checks = {
  test: ['test'],
  long: ['run', 'test:long'],
  consumers: ['run', 'test:consumers'],
  'random-cases': ['test'],
  'mutation-sample': ['run', 'mutation', '--', 'signer'],
  bench: ['run', 'bench'],
  firefox: ['run', 'test:firefox'],
  webkit: ['run', 'test:webkit'],
  'node-22': ['exec', '--yes', '--package=node@22', '--', 'node', 'scripts/test.mjs', 'all'],
  'node-24': ['exec', '--yes', '--package=node@24', '--', 'node', 'scripts/test.mjs', 'all'],
  'simulate-defects': ['run', 'simulate:defects'],
  soak: ['run', 'soak'],
  faults: ['run', 'faults'],
  mutation: ['run', 'mutation'],
};

/** The seed of the check `random-cases`. The other checks have a fixed one. */
const newSeed = `${Date.now() % 1_000_000_000}`;

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in checks));
if (unknown.length > 0) {
  const known = Object.keys(checks).join(', ');
  process.stderr.write(`Unknown check ${unknown.join(', ')}. Use ${known}.\n`);
  process.exit(2);
}

/**
 * Runs npm, prints its output, and returns the counts in the last line `N passed, N failed`. A command without such a
 * line counts as one check. A failed command has at least one failure. `failures` are the lines near the end that name
 * them. `--no-update-notifier` keeps npm from printing a notice after the last line.
 */
async function perform(name) {
  const args = checks[name];
  const command = npmCommand(['--no-update-notifier', ...args]);
  const child = spawn(command.file, command.args, {
    cwd: root,
    env: name === 'random-cases' ? { ...process.env, TEST_SEED: newSeed } : process.env,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: command.shell,
  });
  let end = '';
  child.stdout.on('data', (chunk) => {
    process.stdout.write(chunk);
    end = (end + chunk).slice(-5000);
  });
  const [code] = await once(child, 'close');
  const lastLine = end.trimEnd().split('\n').at(-1);
  const counts = /^(\d+) passed, (\d+) failed$/.exec(lastLine);
  const passed = counts ? Number(counts[1]) : Number(code === 0);
  const failed = counts ? Number(counts[2]) : 0;
  const failures = end.match(/^(FAILED |Failed: ).*(\n {2}.*)*/gm) ?? [];
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1), failures };
}

const total = { passed: 0, failed: 0 };
const lines = [];
for (const name of named.length > 0 ? named : Object.keys(checks)) {
  const seed = name === 'random-cases' ? ` with TEST_SEED=${newSeed}` : '';
  process.stdout.write(`\n##### ${name}${seed}\n`);
  const start = Date.now();
  const { passed, failed, failures } = await perform(name);
  const minutes = `${((Date.now() - start) / 60_000).toFixed(1)} min`;
  lines.push(
    `${failed ? 'FAILED' : 'ok    '}  ${name.padEnd(15)} ${minutes.padStart(10)}  ${passed} passed, ${failed} failed`,
  );
  // Name the failures here too, because a log of several checks may be cut at the beginning.
  if (failed > 0) lines.push(...failures.map((failure) => failure.replace(/^/gm, '        ')));
  total.passed += passed;
  total.failed += failed;
}
process.stdout.write(`\n${lines.join('\n')}\n\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
