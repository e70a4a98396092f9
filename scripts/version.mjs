// npm run version-packages: applies the changesets to package.json, the lockfile and CHANGELOG.md, whose new
// section gets the headings of Keep a Changelog.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatChangelog } from './formatChangelog.mjs';
import { npm, root } from './install.mjs';

function run(...args) {
  const code = npm(args);
  if (code !== 0) process.exit(code);
}

run('exec', '--', 'changeset', 'version');
const file = join(root, 'CHANGELOG.md');
const date = new Date().toISOString().slice(0, 10);
writeFileSync(file, formatChangelog(readFileSync(file, 'utf8'), date));
run('install', '--package-lock-only', '--ignore-scripts');
