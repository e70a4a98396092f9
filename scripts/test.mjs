// Runs the jobs of jobs.mjs, and prints `N passed, N failed` as the last line.
//
// npm test                        the job `core`, which every change must pass
// npm test -- node browser        only these projects of vitest.config.ts, with the last build
// npm run check                   every job, one after another
// npm run check -- stores ui      only these jobs
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root } from './install.mjs';
import { checks, jobs, needs, newSeed, nightlyJobs, node } from './jobs.mjs';

const total = { passed: 0, failed: 0 };
const lines = [];
const remarks = [];

function report(name, { passed, failed }, note = `${passed} passed, ${failed} failed`) {
  total.passed += passed;
  total.failed += failed;
  lines.push(`${failed ? 'FAILED' : 'ok    '}  ${name.padEnd(24)} ${note}`);
}

/** Runs a command and prints its output when it ends, so that the outputs of parallel commands do not mix. */
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

/** Whether each check or installation of the earlier jobs passed, so that later jobs do not repeat it. */
const finished = new Map();

/** Runs the checks and installations that no earlier job ran, and records in `finished` whether each passed. */
async function prepare(checkNames, requirements) {
  const running = {};
  const check = async (name) => {
    const { command, needs = [] } = checks[name];
    await Promise.all(needs.map((need) => running[need]));
    const missing = needs.filter((need) => finished.get(need) === false);
    const passed = missing.length === 0 && (await run(name, command));
    finished.set(name, passed);
    const note = missing.length > 0 ? `not run, because it needs ${missing}` : undefined;
    report(name, { passed: Number(passed), failed: Number(!passed) }, note);
  };
  for (const name of checkNames) if (!finished.has(name)) running[name] = check(name);
  for (const name of requirements) {
    if (finished.has(name)) continue;
    const command =
      name === 'chromium' ? ['scripts/ensureBrowser.mjs'] : ['scripts/install.mjs', name];
    finished.set(name, await run(name, node(...command)));
    if (!finished.get(name)) report(name, { passed: 0, failed: 1 });
  }
  await Promise.all(Object.values(running));
}

function runVitest(projects, env) {
  const countsFile = join(root, 'test', '.output', 'counts.json');
  rmSync(countsFile, { force: true });
  const { status } = spawnSync(
    process.execPath,
    [
      ...['node_modules/vitest/vitest.mjs', 'run', '--silent=passed-only'],
      ...['--reporter=default', '--reporter=./scripts/countReporter.mjs'],
      ...projects.map((project) => `--project=${project}`),
    ],
    {
      cwd: root,
      env: { ...process.env, ...env, COUNTS_FILE: countsFile },
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

/** Runs a command and prints its output as it arrives, because the command may take hours. It counts as one check. */
function runCommand(job, { file, args, shell }) {
  const { status } = spawnSync(file, args, {
    cwd: root,
    shell,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const passed = Number(status === 0);
  report(`${job}: ${args.join(' ')}`, { passed, failed: 1 - passed });
}

async function runJob(name, { checks: checkNames = [], projects = [], commands = [], env = {} }) {
  const start = Date.now();
  const requirements = projects.flatMap((project) => needs[project]);
  await prepare(checkNames, new Set(requirements.filter((need) => !(need in checks))));
  const missing = (project) => needs[project].filter((need) => finished.get(need) === false);
  const ready = projects.filter((project) => missing(project).length === 0);
  if (ready.length > 0) runVitest(ready, env);
  for (const project of projects.filter((project) => !ready.includes(project)))
    report(project, { passed: 0, failed: 1 }, `not run, because it needs ${missing(project)}`);
  for (const command of commands) runCommand(name, command);
  lines.push(`        ${name} took ${((Date.now() - start) / 60_000).toFixed(1)} min`);
}

const allJobs = { ...jobs, ...nightlyJobs };
const inJobs = new Set(Object.values(allJobs).flatMap(({ projects = [] }) => projects));
const forgotten = Object.keys(needs).filter((name) => !inJobs.has(name));
if (forgotten.length > 0) throw new Error(`No job runs ${forgotten}.`);

/**
 * Returns the jobs to run. The arguments are `--jobs` and job names, or project names, or nothing for the job `core`.
 */
function chooseJobs([first, ...rest]) {
  if (first === undefined) return { core: jobs.core };
  if (first !== '--jobs') {
    checkNames('project', [first, ...rest], Object.keys(needs));
    return { projects: { projects: [first, ...rest] } };
  }
  checkNames('job', rest, [...Object.keys(allJobs), 'nightly']);
  if (rest.length === 0) return allJobs;
  return Object.assign(
    {},
    ...rest.map((name) => (name === 'nightly' ? nightlyJobs : { [name]: allJobs[name] })),
  );
}

function checkNames(kind, names, known) {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  process.stderr.write(`Unknown ${kind} ${unknown}. Use ${known.join(', ')}.\n`);
  process.exit(2);
}

const chosen = chooseJobs(process.argv.slice(2));
ensureInstalled();
for (const [name, job] of Object.entries(chosen)) await runJob(name, job);
// Print the failures near the last line, so that a log that was cut at the beginning still names them.
if (remarks.length > 0) process.stdout.write(`\n${remarks.join('\n')}\n`);
process.stdout.write(`\n${lines.join('\n')}\n`);
if (total.failed > 0 && Object.keys(chosen).some((name) => name in nightlyJobs))
  process.stdout.write(
    `\nTo repeat the random cases: CASES=all TEST_SEED=${newSeed} npm test -- PROJECT\n`,
  );
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
