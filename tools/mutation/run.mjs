// Changes the code in a copy of the project, one mutant at a time, and checks that a test fails. Prints the scores of
// all files, and fails if a score is below the threshold of its group in groups.json.
// To run only some groups and files, name them: `node tools/mutation/run.mjs signer src/server/sql/store/orders.ts`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join, relative } from 'node:path';
import { installFolder, root } from '../../scripts/install.mjs';
import { formatScores, scoreFile } from './scores.mjs';

const folder = join(root, 'tools', 'mutation');
const cache = join(root, 'node_modules', '.cache', 'mutation');
const rows = JSON.parse(readFileSync(join(folder, 'groups.json'), 'utf8'));
const equivalents = JSON.parse(readFileSync(join(folder, 'equivalent.json'), 'utf8'));

const EVERY = '/**/*.ts';

// Expands `folder/**/*.ts` to all TypeScript files below the folder. Any other `path` must be the path of a file.
function expand(path) {
  if (path.endsWith(EVERY)) {
    const folder = path.slice(0, -EVERY.length);
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => extname(name) === '.ts')
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .sort();
  }
  if (existsSync(join(root, path))) return [path];
  throw new Error(`groups.json names ${path}, which does not exist.`);
}

/**
 * Returns the groups to run, each with its files. If several groups name a file, only the first one keeps it.
 *
 * @param {readonly string[]} wanted - Names of groups and paths of files. If empty, all groups run.
 */
function selectGroups(wanted) {
  const taken = new Set();
  const groups = rows.map((row) => {
    const files = row.files.flatMap(expand).filter((file) => !taken.has(file));
    for (const file of files) taken.add(file);
    return { ...row, files };
  });
  const names = new Set(groups.map(({ name }) => name));
  const unknown = wanted.filter((item) => !names.has(item) && !taken.has(item));
  if (unknown.length > 0) throw new Error(`No group and no file: ${unknown.join(', ')}.`);
  return groups
    .map((group) =>
      wanted.length === 0 || wanted.includes(group.name)
        ? group
        : { ...group, files: group.files.filter((file) => wanted.includes(file)) },
    )
    .filter(({ files }) => files.length > 0);
}

/** What the copy leaves out: the history, the output of builds and tests, and node_modules, which it links to. */
const LEFT_OUT = ['.git', 'node_modules', '.output', 'storybook-static', '.next', 'dist'];

function copyProject() {
  const copy = mkdtempSync(join(tmpdir(), 'mutation-'));
  cpSync(root, copy, {
    recursive: true,
    filter: (source) => relative(root, source) === '' || !LEFT_OUT.includes(basename(source)),
  });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Starts one PostgreSQL server for all Stryker workers. It stops when `stop` is called. */
async function startPostgres() {
  const script = join(root, 'scripts', 'postgres.mjs');
  const server = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url] = await once(server.stdout, 'data');
  return { url: `${url}`.trim(), stop: () => server.stdin.end() };
}

/** Runs Stryker on the files of one group. Returns the report of Stryker, or undefined if Stryker failed. */
function runStryker(copy, { name, files, tests }, env) {
  const key = name.replaceAll(' ', '-');
  const reportFile = join(cache, `${key}.json`);
  rmSync(reportFile, { force: true });
  const config = {
    mutate: files,
    inPlace: true,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // Name a file that does not exist, so that Stryker does not load TypeScript. Version 7 lacks the API that Stryker
    // uses.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    incremental: true,
    incrementalFile: join(cache, `${key}.incremental.json`),
    concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 2),
    timeoutMS: 4000,
    dryRunTimeoutMinutes: 10,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: reportFile },
    tempDirName: join(copy, '.stryker'),
    allowConsoleColors: false,
  };
  const configFile = join(copy, `${key}.stryker.json`);
  writeFileSync(configFile, JSON.stringify(config));
  const bin = join(folder, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
  const { status } = spawnSync(process.execPath, [bin, 'run', configFile], {
    cwd: copy,
    stdio: 'inherit',
    env: { ...process.env, ...env, MUTATION_TESTS: JSON.stringify(tests) },
  });
  if (status !== 0) return undefined;
  return JSON.parse(readFileSync(reportFile, 'utf8'));
}

const groups = selectGroups(process.argv.slice(2));
installFolder(folder);
mkdirSync(cache, { recursive: true });
const copy = copyProject();
const needsPostgres = groups.some(({ postgres }) => postgres) && !process.env.DATABASE_URL;
const server = needsPostgres ? await startPostgres() : undefined;
const scores = [];
const failures = [];
try {
  for (const group of groups) {
    const postgres = { MUTATION_POSTGRES: '1', ...(server && { DATABASE_URL: server.url }) };
    const report = runStryker(copy, group, group.postgres ? postgres : {});
    if (!report) failures.push(`${group.name}: Stryker did not finish; see above.`);
    for (const [file, result] of Object.entries(report?.files ?? {}))
      if (group.files.includes(file)) scores.push(scoreFile(file, result, group, equivalents));
  }
} finally {
  server?.stop();
  rmSync(copy, { recursive: true, force: true });
}
const { text, problems } = formatScores(scores);
process.stdout.write(`\n${text}\n`);
problems.push(...failures);
for (const problem of problems) process.stdout.write(`FAILED  ${problem}\n`);
process.exit(problems.length > 0 ? 1 : 0);
