// Runs npm. `node scripts/install.mjs test/peers` installs the packages of a folder that has its own lockfile.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns the program and arguments that run npm, without a shell if possible. */
export function npmCommand(args) {
  const started = process.env.npm_execpath;
  if (started && /npm-cli\.c?js$/.test(started))
    return { file: process.execPath, args: [started, ...args], shell: false };
  // On Windows, npm.cmd cannot be spawned without a shell.
  return { file: 'npm', args, shell: process.platform === 'win32' };
}

/** Runs npm with these arguments and returns its exit code. */
export function npm(args, options = {}) {
  const command = npmCommand(args);
  const { status, error } = spawnSync(command.file, command.args, {
    cwd: root,
    stdio: 'inherit',
    shell: command.shell,
    ...options,
  });
  if (error) throw new Error(`npm could not be started: ${error.message}`);
  return status ?? 1;
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    return undefined;
  }
}

/**
 * Returns why `npm ci` is needed in this folder, or undefined if the installed packages match the lockfile. Ignores
 * optional packages.
 */
export function findInstallReason(folder = root) {
  const wanted = packagesOf(join(folder, 'package-lock.json')) ?? {};
  // npm writes this file last, so it is missing after an interrupted installation. Compare versions, not file times, so
  // that a fresh checkout with a cached node_modules does not need another installation.
  const present = packagesOf(join(folder, 'node_modules', '.package-lock.json'));
  if (!present) return 'node_modules is missing or incomplete';
  for (const [path, { version, optional, devOptional }] of Object.entries(wanted)) {
    if (!path.includes('node_modules/') || optional || devOptional) continue;
    if (!present[path]) return `${path} is missing`;
    if (present[path].version !== version) return `${path} is not at ${version}`;
  }
  return undefined;
}

/** Installs the packages of a folder that has its own lockfile, unless they already match the lockfile. */
export function installFolder(folder) {
  if (!findInstallReason(folder)) return;
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = npm(['ci', '--prefix', folder, ...flags]);
  if (code !== 0) throw new Error(`npm ci in ${folder} failed with code ${code}`);
}

/** Runs `npm ci` if the installed packages do not match the lockfile. */
export function ensureInstalled() {
  const why = findInstallReason();
  if (!why) return;
  process.stdout.write(`Installing dependencies with npm ci (${why}) …\n`);
  const code = npm(['ci', '--include=dev', '--no-audit', '--no-fund']);
  if (code !== 0) {
    process.stderr.write(`npm ci failed with code ${code}; its message is above.\n`);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installFolder(join(root, process.argv[2]));
