// npm test: every check in order. `npm test -- node browser` runs the named Vitest projects alone.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, installFolder, npm, root } from './install.mjs';
import { countReport } from './vitest-report.mjs';

const output = join(root, 'test', '.output');
const minutes = 60_000;

/** Steps that are no check of their own count only when they fail. */
const steps = [
  { name: 'chromium', run: () => node(['scripts/browser.mjs']), isCheck: false },
  { name: 'react-18', run: () => install('react-18'), isCheck: false },
  { name: 'next-shop', run: () => install('next'), isCheck: false },
  { name: 'servers-of-partners', run: () => install('consumers/servers'), isCheck: false },
  { name: 'lint', run: () => script('lint') },
  { name: 'build', run: () => script('build') },
  { name: 'types', run: () => script('typecheck') },
  { name: 'knip', run: () => script('knip') },
  { name: 'example', run: () => script('build:example'), needs: ['build'] },
  { name: 'storybook-build', run: () => script('build-storybook') },
];

/** By itself Vitest leaves one of two cores alone. More than some share one database. */
const onMoreCores = { args: [`--maxWorkers=${Math.min(availableParallelism(), 4)}`] };

/** One run each: on a small machine a browser and a build at once make each other's tests late. */
const projects = [
  { name: 'node', parts: ['node', 'mocked'], needs: ['build'], ...onMoreCores },
  { name: 'stores', needs: ['build'], ...onMoreCores },
  { name: 'browser', needs: ['chromium'] },
  { name: 'react18', needs: ['chromium', 'react-18'] },
  { name: 'storybook', needs: ['chromium'], config: '.storybook/vitest.config.ts' },
  { name: 'packaging', needs: ['build'] },
  { name: 'e2e', needs: ['chromium', 'react-18', 'build', 'example', 'storybook-build'] },
  { name: 'servers', needs: ['servers-of-partners', 'build'] },
  { name: 'next', needs: ['chromium', 'next-shop', 'build'] },
];

const total = { passed: 0, failed: 0, skipped: 0 };
const broken = new Set();
const lines = [];

function node(args) {
  // Without an input nothing can ask and wait for an answer.
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 20 * minutes,
    killSignal: 'SIGKILL',
  });
  return status ?? 1;
}

function install(folder) {
  installFolder(join(root, 'test', folder));
  return 0;
}

const script = (name) => npm(['run', name], { stdio: ['ignore', 'inherit', 'inherit'] });

function vitest({ name, parts = [name], config = 'vitest.config.ts', args = [] }) {
  const file = join(output, `${name}.json`);
  rmSync(file, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run'];
  const what = [`--config=${config}`, ...parts.map((part) => `--project=${part}`), ...args];
  const code = node([...vitest, ...what, ...reporters]);
  return countReport(readReport(file), code);
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function step({ run, isCheck = true }) {
  const code = run();
  if (code !== 0) return { passed: 0, failed: 1, skipped: 0 };
  return { passed: isCheck ? 1 : 0, failed: 0, skipped: 0 };
}

/** Does one part, unless something it needs has failed, which fails it too. */
function perform({ name, needs = [] }, work) {
  const missing = needs.filter((need) => broken.has(need));
  const start = Date.now();
  let result = { passed: 0, failed: 1, skipped: 0 };
  process.stdout.write(`\n=== ${name}\n`);
  if (missing.length === 0) result = work();
  const skipped = result.skipped ? `, ${result.skipped} skipped` : '';
  const seconds = `${((Date.now() - start) / 1000).toFixed(1)} s`;
  const counts = missing.length
    ? `not run, as it needs ${missing.join(' and ')}`
    : `${result.passed} passed, ${result.failed} failed${skipped}`;
  lines.push(
    `${result.failed ? 'FAILED' : 'ok    '}  ${name.padEnd(15)} ${seconds.padStart(8)}  ${counts}`,
  );
  process.stdout.write(`${lines.at(-1)}\n`);
  if (result.failed) broken.add(name);
  for (const key of Object.keys(total)) total[key] += result[key];
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !projects.some((project) => project.name === name));
if (unknown.length > 0) {
  const known = projects.map((project) => project.name).join(', ');
  process.stderr.write(`There is no project ${unknown.join(', ')}; there are ${known}.\n`);
  process.exit(2);
}

ensureInstalled();
mkdirSync(output, { recursive: true });

const chosen = names.length ? projects.filter(({ name }) => names.includes(name)) : projects;
const needed = new Set(chosen.flatMap(({ needs = [] }) => needs));
// Named projects are for development: they run against what was built last.
const first = names.length
  ? steps.filter(({ name, isCheck }) => isCheck === false && needed.has(name))
  : steps;

for (const each of first) perform(each, () => step(each));
for (const each of chosen) perform(each, () => vitest(each));

process.stdout.write(`\n${lines.join('\n')}\n\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
