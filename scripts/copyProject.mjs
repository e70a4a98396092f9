import { cpSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { root } from './install.mjs';

const LEFT_OUT = ['.git', 'node_modules', '.output', 'storybook-static', '.next'];

/**
 * Copies the project to a temporary folder, without the git history and the output of tests. `node_modules` becomes a
 * link to the installed packages.
 *
 * @param prefix - The prefix of the folder's name.
 * @param leftOut - The names of further folders to omit.
 * @returns The path of the copy.
 */
export function copyProject(prefix, leftOut = []) {
  const names = new Set([...LEFT_OUT, ...leftOut]);
  const copy = mkdtempSync(join(tmpdir(), prefix));
  cpSync(root, copy, {
    recursive: true,
    filter: (source) => relative(root, source) === '' || !names.has(basename(source)),
  });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
