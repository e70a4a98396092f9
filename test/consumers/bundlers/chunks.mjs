import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the entry and all files that it imports statically, directly or indirectly. */
export function initialFiles(entry, importsOf) {
  const found = new Set([entry]);
  for (const file of found) for (const name of importsOf(file)) found.add(name);
  return [...found];
}

/** Converts the `output` of a Rollup or Rolldown build to what `page` returns, see `bundlers` in bundlers.mjs. */
export function toBundle(output) {
  const chunks = new Map(
    output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry);
  const importsOf = (name) => chunks.get(name).imports.filter((file) => chunks.has(file));
  return {
    files: [...chunks.values()].map(({ fileName, code }) => ({ name: fileName, code })),
    initial: initialFiles(entry.fileName, importsOf),
  };
}

export const readFiles = (folder, names) =>
  Promise.all(
    names.map(async (name) => ({ name, code: await readFile(join(folder, name), 'utf8') })),
  );
