import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installFolder, npm, root } from './install.mjs';
import { countReport } from './vitest-report.mjs';

const output = join(root, 'test', '.output');
const minutes = 60_000;

/** Runs a script with Node and returns its exit code. */
export function node(args, env = {}) {
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
export function install(folder) {
  installFolder(join(root, 'test', folder));
  return 0;
}

/** Runs a script of package.json and returns its exit code. */
export const script = (name) => npm(['run', name], { stdio: ['ignore', 'inherit', 'inherit'] });

/** Steps that install what a project of consumers needs. They count only when they fail. */
export const consumerSteps = ['bundlers', 'servers', 'types', 'examples'].map((name) => ({
  name: `consumer-${name}`,
  run: () => install(`consumers/${name}`),
  isCheck: false,
}));

/** Steps that find or install what several projects need. They count only when they fail. */
export const sharedSteps = [
  { name: 'chromium', run: () => node(['scripts/browser.mjs']), isCheck: false },
  { name: 'next-shop', run: () => install('next'), isCheck: false },
];

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
 * Runs all steps, then all Vitest projects, in order. A step or project fails without being run when
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
  for (const each of steps) perform(each, () => step(each));
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
