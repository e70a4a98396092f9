import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { countReport } from './countReport.mjs';
import { npmCommand, root } from './install.mjs';

const output = join(root, 'test', '.output');
const minutes = 60_000;
/** One more process than cores, because processes also wait for the disk and the network. */
const concurrency = Math.min(availableParallelism() + 1, 4);

/** The options of each process. */
const limits = { cwd: root, timeout: 20 * minutes, killSignal: 'SIGKILL' };

/** Runs a command without an input, and resolves with its exit code and its output. */
async function capture({ file, args, shell }) {
  const child = spawn(file, args, { ...limits, shell, stdio: ['ignore', 'pipe', 'pipe'] });
  const streams = [child.stdout, child.stderr];
  let printed = '';
  for (const stream of streams)
    stream.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk;
    });
  // After a timeout, a process that npm started may keep the streams open.
  child.once('exit', (_, signal) => {
    if (signal) for (const stream of streams) stream.destroy();
  });
  try {
    const [code] = await once(child, 'close');
    return { code: code ?? 1, printed };
  } catch (error) {
    return { code: 1, printed: `${printed}${error.message}\n` };
  }
}

/** Runs a module of this repository with Node. */
export const runModule = (...args) => capture({ file: process.execPath, args, shell: false });

/** Runs a script of package.json. */
export const runScript = (name) => capture(npmCommand(['run', name]));

const installed = (name, folder) => ({
  name,
  run: () => runModule('scripts/installFolder.mjs', folder),
  isCheck: false,
});

/** Steps that find or install the requirements of projects. They count only when they fail. */
const installSteps = [
  { name: 'chromium', run: () => runModule('scripts/ensureBrowser.mjs'), isCheck: false },
  installed('react-18', 'test/react-18'),
  installed('next-shop', 'test/next'),
  ...['bundlers', 'examples', 'jest-29', 'jest-30', 'servers', 'types', 'vitest', 'workerd'].map(
    (name) => installed(`consumer-${name}`, `test/consumers/${name}`),
  ),
];

/** By default, Vitest leaves one of two cores idle. */
export const maxWorkersFlag = `--maxWorkers=${concurrency}`;

function runVitest({ name, parts = [name], config = 'vitest.config.ts', args = [], env }) {
  const file = join(output, `${name}.json`);
  rmSync(file, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const command = ['node_modules/vitest/vitest.mjs', 'run'];
  const options = [`--config=${config}`, ...parts.map((part) => `--project=${part}`), ...args];
  const { status } = spawnSync(process.execPath, [...command, ...options, ...reporters], {
    ...limits,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return countReport(readReport(file), status ?? 1);
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const failure = { passed: 0, failed: 1, skipped: 0 };

async function runStep({ name, run, isCheck = true }) {
  const { code, printed } = await run();
  process.stdout.write(`=== ${name}\n${printed}`);
  return code === 0 ? { passed: isCheck ? 1 : 0, failed: 0, skipped: 0 } : failure;
}

/** Limits concurrency: the returned function runs at most `size` functions at a time, in FIFO order. */
function createQueue(size) {
  const waiting = [];
  let free = size;
  return async (work) => {
    if (free === 0) await new Promise((start) => waiting.push(start));
    else free--;
    try {
      return await work();
    } finally {
      const start = waiting.shift();
      if (start) start();
      else free++;
    }
  };
}

/**
 * Runs the installations and the steps concurrently, then the Vitest projects one by one. A step or
 * project is not run and fails if a step that it `needs` has failed. The last line of the report is
 * `N passed, N failed`.
 */
export async function runChecks({ steps, projects }) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const lines = [];

  async function perform({ name }, missing, work) {
    const start = Date.now();
    const result = missing.length > 0 ? failure : await work();
    const skipped = result.skipped ? `, ${result.skipped} skipped` : '';
    const seconds = `${((Date.now() - start) / 1000).toFixed(1)} s`;
    const counts = missing.length
      ? `not run, because it needs ${missing.join(' and ')}`
      : `${result.passed} passed, ${result.failed} failed${skipped}`;
    lines.push(
      `${result.failed ? 'FAILED' : 'ok    '}  ${name.padEnd(17)} ${seconds.padStart(8)}  ${counts}`,
    );
    process.stdout.write(`${lines.at(-1)}\n\n`);
    for (const key of Object.keys(total)) total[key] += result[key];
    return result.failed === 0;
  }

  mkdirSync(output, { recursive: true });
  const needed = new Set(projects.flatMap(({ needs = [] }) => needs));
  const first = [...installSteps.filter(({ name }) => needed.has(name)), ...steps];
  if (first.length > 0)
    process.stdout.write(`Running ${first.map(({ name }) => name).join(', ')} …\n\n`);
  const enqueue = createQueue(concurrency);
  /** Whether each step passed, by its name. */
  const endings = new Map();
  const missingFor = async ({ needs = [] }) => {
    const passed = await Promise.all(needs.map((name) => endings.get(name) ?? true));
    return needs.filter((_, i) => !passed[i]);
  };
  for (const each of first) {
    const ready = missingFor(each);
    endings.set(
      each.name,
      ready.then((missing) => enqueue(() => perform(each, missing, () => runStep(each)))),
    );
  }
  await Promise.all(endings.values());
  for (const each of projects) {
    process.stdout.write(`=== ${each.name}\n`);
    await perform(each, await missingFor(each), () => runVitest(each));
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}

/** Returns the projects of the command line, or all projects. Exits if a name is unknown. */
export function chooseProjects(projects, names) {
  const unknown = names.filter((name) => !projects.some((project) => project.name === name));
  if (unknown.length > 0) {
    const known = projects.map((project) => project.name).join(', ');
    process.stderr.write(`Unknown project ${unknown.join(', ')}. Use ${known}.\n`);
    process.exit(2);
  }
  return names.length ? projects.filter(({ name }) => names.includes(name)) : projects;
}
