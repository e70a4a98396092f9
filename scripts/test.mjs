// npm test, npm run test:long and npm run test:consumers: run the checks of a suite, then its Vitest projects, and
// print `N passed, N failed` as the last line. `npm test -- node browser` runs only the named projects, with the last
// build.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, npmCommand, root } from './install.mjs';

const node = (...args) => ({ file: process.execPath, args, shell: false });
const script = (name) => npmCommand(['run', name]);

/** The checks. Each counts as one, passed or failed, and runs after the checks in its `needs`. */
const checks = {
  lint: { command: script('lint') },
  build: { command: script('build') },
  example: { command: script('build:example'), needs: ['build'] },
  types: { command: script('typecheck'), needs: ['build'] },
  knip: { command: script('knip'), needs: ['build'] },
  'api-reference': { command: node('scripts/reference/write.mjs', '--check'), needs: ['build'] },
  'storybook-build': { command: script('build-storybook') },
};

/** What each Vitest project needs: checks, the browser `chromium`, and folders whose packages must be installed. */
const needs = {
  node: ['build'],
  isolated: ['build'],
  stores: ['build'],
  simulation: [],
  browser: ['chromium'],
  react18: ['chromium', 'test/react-18'],
  storybook: ['chromium'],
  packaging: ['build', 'chromium'],
  sizes: ['build', 'test/consumers/bundlers'],
  examples: ['build', 'chromium', 'test/consumers/examples'],
  e2e: ['build', 'example', 'chromium'],

  'contract-long': ['build'],
  'explain-long': [],
  'stores-long': ['build'],
  'simulation-long': [],
  'react18-long': ['chromium', 'test/react-18'],
  'e2e-long': ['build', 'example', 'storybook-build', 'chromium', 'test/react-18'],

  consumers: [
    'build',
    'chromium',
    ...['bundlers', 'types', 'jest-29', 'jest-30', 'vitest', 'playwright', 'openapi'].map(
      (name) => `test/consumers/${name}`,
    ),
  ],
  servers: ['build', 'test/consumers/servers', 'test/consumers/frameworks'],
  runtimes: ['build', 'test/consumers/runtimes'],
  'examples-long': [
    ...['build', 'chromium', 'test/next'],
    ...['test/consumers/examples', 'test/consumers/frameworks'],
  ],
  ownership: ['build', 'chromium', 'test/consumers/ownership'],
  next: ['build', 'chromium', 'test/next'],
};

const suites = {
  all: {
    checks: ['lint', 'build', 'example', 'types', 'knip', 'api-reference'],
    projects: [
      ...['node', 'isolated', 'stores', 'simulation', 'browser', 'react18', 'storybook'],
      ...['packaging', 'sizes', 'examples', 'e2e'],
    ],
  },
  long: {
    checks: ['build', 'example', 'storybook-build'],
    projects: [
      ...['contract-long', 'explain-long', 'stores-long', 'simulation-long', 'react18-long'],
      'e2e-long',
    ],
  },
  consumers: {
    checks: ['build'],
    projects: ['sizes', 'consumers', 'servers', 'runtimes', 'examples-long', 'ownership', 'next'],
  },
};

const total = { passed: 0, failed: 0 };
const lines = [];
const remarks = [];

function report(name, { passed, failed }, note = `${passed} passed, ${failed} failed`) {
  total.passed += passed;
  total.failed += failed;
  lines.push(`${failed ? 'FAILED' : 'ok    '}  ${name.padEnd(24)} ${note}`);
}

/** Runs a command. Its output is printed when it ends, so that the outputs of several commands do not mix. */
async function run(name, { file, args, shell }) {
  const start = Date.now();
  const child = spawn(file, args, { cwd: root, shell, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => output.push(chunk));
  const [code] = await once(child, 'close');
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  process.stdout.write(`=== ${name}: ${code === 0 ? 'ok' : 'FAILED'} after ${seconds} s\n`);
  process.stdout.write(Buffer.concat(output));
  return code === 0;
}

/** Runs the checks and the installations. Resolves with the names of the checks and installations that failed. */
async function prepare(checkNames, requirements) {
  const failed = new Set();
  const running = {};
  const check = async (name) => {
    const { command, needs = [] } = checks[name];
    await Promise.all(needs.map((need) => running[need]));
    const missing = needs.filter((need) => failed.has(need));
    const passed = missing.length === 0 && (await run(name, command));
    if (!passed) failed.add(name);
    const note = missing.length > 0 ? `not run, because it needs ${missing}` : undefined;
    report(name, { passed: Number(passed), failed: Number(!passed) }, note);
  };
  for (const name of checkNames) running[name] = check(name);
  for (const name of requirements) {
    const isBrowser = name === 'chromium';
    const command = isBrowser ? ['scripts/ensureBrowser.mjs'] : ['scripts/install.mjs', name];
    if (await run(name, node(...command))) continue;
    failed.add(name);
    report(name, { passed: 0, failed: 1 });
  }
  await Promise.all(Object.values(running));
  return failed;
}

function runVitest(projects) {
  const countsFile = join(root, 'test', '.output', 'counts.json');
  rmSync(countsFile, { force: true });
  const { status } = spawnSync(
    process.execPath,
    [
      ...['node_modules/vitest/vitest.mjs', 'run'],
      ...['--reporter=default', '--reporter=./scripts/countReporter.mjs'],
      ...projects.map((project) => `--project=${project}`),
    ],
    {
      cwd: root,
      env: { ...process.env, COUNTS_FILE: countsFile },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const failedBefore = total.failed;
  let counts = {};
  try {
    const results = JSON.parse(readFileSync(countsFile, 'utf8'));
    counts = results.counts;
    remarks.push(...results.remarks);
  } catch {
    // Vitest crashed, so no project counts as passed.
  }
  for (const project of projects) {
    const { passed, failed } = counts[project] ?? { passed: 0, failed: 0 };
    report(project, { passed, failed: passed === 0 ? Math.max(failed, 1) : failed });
  }
  // Vitest failed although no test did, for example because of an error outside any test.
  if (status !== 0 && total.failed === failedBefore) report('vitest', { passed: 0, failed: 1 });
}

const inSuites = new Set(Object.values(suites).flatMap((suite) => suite.projects));
const forgotten = Object.keys(needs).filter((name) => !inSuites.has(name));
if (forgotten.length > 0) throw new Error(`No suite runs ${forgotten}.`);

const [suite, ...names] = process.argv.slice(2);
const projects = names.length > 0 ? names : suites[suite].projects;
const unknown = projects.filter((name) => !(name in needs));
if (unknown.length > 0) {
  process.stderr.write(`Unknown project ${unknown}. Use ${Object.keys(needs).join(', ')}.\n`);
  process.exit(2);
}

ensureInstalled();
const checkNames = names.length > 0 ? [] : suites[suite].checks;
const requirements = projects.flatMap((name) => needs[name]).filter((name) => !(name in checks));
const failed = await prepare(checkNames, new Set(requirements));
const missing = (project) => needs[project].filter((name) => failed.has(name));
const ready = projects.filter((project) => missing(project).length === 0);
if (ready.length > 0) runVitest(ready);
for (const project of projects.filter((name) => !ready.includes(name)))
  report(project, { passed: 0, failed: 1 }, `not run, because it needs ${missing(project)}`);
// Print the failures near the last line, so that a log that was cut at the beginning still names them.
if (remarks.length > 0) process.stdout.write(`\n${remarks.join('\n')}\n`);
process.stdout.write(`\n${lines.join('\n')}\n\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
