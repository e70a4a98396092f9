import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { installFolder, npm, root } from './install.mjs';
import { countReport } from './vitest-report.mjs';

const output = join(root, 'test', '.output');
const minutes = 60_000;

/** Runs a script with Node and returns its exit code. */
function node(args, env = {}) {
  // Without an input nothing can ask and wait for an answer.
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 20 * minutes,
    killSignal: 'SIGKILL',
  });
  return status ?? 1;
}

/** Installs a folder below `test` that has a lockfile. */
function install(folder) {
  installFolder(join(root, 'test', folder));
  return 0;
}

/** Runs a script of package.json and returns its exit code. */
export const script = (name) => npm(['run', name], { stdio: ['ignore', 'inherit', 'inherit'] });

const installed = (name, folder) => ({ name, run: () => install(folder), isCheck: false });

/** Steps that find or install what projects need. They count only when they fail. */
const installSteps = [
  { name: 'chromium', run: () => node(['scripts/browser.mjs']), isCheck: false },
  installed('react-18', 'react-18'),
  installed('next-shop', 'next'),
  ...['bundlers', 'examples', 'servers', 'types', 'workerd'].map((name) =>
    installed(`consumer-${name}`, `consumers/${name}`),
  ),
];

/** By itself Vitest leaves one of two cores alone. More than some share one database. */
export const onMoreCores = `--maxWorkers=${Math.min(availableParallelism(), 4)}`;

function vitest({ name, parts = [name], config = 'vitest.config.ts', args = [], env }) {
  const file = join(output, `${name}.json`);
  rmSync(file, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run'];
  const what = [`--config=${config}`, ...parts.map((part) => `--project=${part}`), ...args];
  const code = node([...vitest, ...what, ...reporters], env);
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

/**
 * Runs what the projects need, then the steps and the Vitest projects, in order. A step or project fails without being run when
 * another one that it `needs` has failed. The last line of the report is `N passed, N failed`.
 */
export function runChecks({ steps, projects }) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const broken = new Set();
  const lines = [];

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
      `${result.failed ? 'FAILED' : 'ok    '}  ${name.padEnd(17)} ${seconds.padStart(8)}  ${counts}`,
    );
    process.stdout.write(`${lines.at(-1)}\n`);
    if (result.failed) broken.add(name);
    for (const key of Object.keys(total)) total[key] += result[key];
  }

  mkdirSync(output, { recursive: true });
  const needed = new Set(projects.flatMap(({ needs = [] }) => needs));
  const first = installSteps.filter(({ name }) => needed.has(name));
  for (const each of [...first, ...steps]) perform(each, () => step(each));
  for (const each of projects) perform(each, () => vitest(each));
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}

/** Returns the projects that were named on the command line, or all; exits when a name is unknown. */
export function chooseProjects(projects, names) {
  const unknown = names.filter((name) => !projects.some((project) => project.name === name));
  if (unknown.length > 0) {
    const known = projects.map((project) => project.name).join(', ');
    process.stderr.write(`There is no project ${unknown.join(', ')}; there are ${known}.\n`);
    process.exit(2);
  }
  return names.length ? projects.filter(({ name }) => names.includes(name)) : projects;
}
