// npm run check: all there is to check, which takes hours. `npm run check -- test soak` runs the named
// checks alone, and `.ci/run` those that a change must pass.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { countOutput } from './countOutput.mjs';
import { npmCommand, root } from './install.mjs';

/** Each with the npm script that runs it, quick ones first. */
const checks = {
  test: ['test'],
  long: ['run', 'test:long'],
  consumers: ['run', 'test:consumers'],
  'mutation-sample': ['run', 'mutation', '--', 'signer'],
  bench: ['run', 'bench'],
  firefox: ['run', 'test:firefox'],
  'node-22': ['run', 'test:node', '--', '22'],
  'node-24': ['run', 'test:node', '--', '24'],
  controls: ['run', 'controls'],
  soak: ['run', 'soak'],
  faults: ['run', 'faults'],
  mutation: ['run', 'mutation'],
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in checks));
if (unknown.length > 0) {
  const known = Object.keys(checks).join(', ');
  process.stderr.write(`There is no check ${unknown.join(', ')}; there are ${known}.\n`);
  process.exit(2);
}

/** Runs npm, shows what it prints, and counts what passed. The option keeps a notice from being the last line. */
async function perform(args) {
  const command = npmCommand(['--no-update-notifier', ...args]);
  const child = spawn(command.file, command.args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: command.shell,
  });
  let end = '';
  child.stdout.on('data', (chunk) => {
    process.stdout.write(chunk);
    end = (end + chunk).slice(-1000);
  });
  const [code] = await once(child, 'close');
  return countOutput(end, code ?? 1);
}

const total = { passed: 0, failed: 0 };
const lines = [];
for (const name of named.length > 0 ? named : Object.keys(checks)) {
  process.stdout.write(`\n##### ${name}\n`);
  const start = Date.now();
  const { passed, failed } = await perform(checks[name]);
  const minutes = `${((Date.now() - start) / 60_000).toFixed(1)} min`;
  lines.push(
    `${failed ? 'FAILED' : 'ok    '}  ${name.padEnd(15)} ${minutes.padStart(10)}  ${passed} passed, ${failed} failed`,
  );
  total.passed += passed;
  total.failed += failed;
}
process.stdout.write(`\n${lines.join('\n')}\n\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
