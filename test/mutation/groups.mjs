import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { root } from '../../scripts/install.mjs';

const rows = JSON.parse(readFileSync(new URL('groups.json', import.meta.url), 'utf8'));

const EVERY = '/**/*.ts';

// Expands `folder/**/*.ts`. Any other path must exist.
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
 * Returns the groups to run. A file that several groups name is only in the first of them.
 *
 * @param {readonly string[]} wanted - Names of groups and paths of files. If empty, returns all groups.
 */
export function selectGroups(wanted) {
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
