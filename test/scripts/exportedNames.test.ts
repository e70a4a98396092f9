import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Names that two modules may export, because they mean the same, each with the reason. */
const sameMeaning: Readonly<Record<string, string>> = {
  Account: "the storefront's mirror of a value that the example's server sends",
  SyncReport: "the storefront's mirror of a report that the operator API sends",
  WebhookCount: "the storefront's mirror of a row that the operator API sends",
  messages: 'each entry ./messages/* exports the texts of its language',
};

const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

const listFiles = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => join(folder, file));

/** Returns the files that declare and export each name. Overloads and merged declarations count once. */
function findExportingFiles(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of ['src', 'server-example/src', 'server-example/storefront/src'].flatMap(
    listFiles,
  )) {
    const code = readFileSync(join(root, file), 'utf8');
    for (const name of new Set([...code.matchAll(DECLARATION)].map(([, name = '']) => name)))
      found.set(name, [...(found.get(name) ?? []), file]);
  }
  return found;
}

test('no name is exported with two meanings', () => {
  const files = findExportingFiles();
  expect(files.size).toBeGreaterThan(500);
  const twice = [...files].filter(([, paths]) => paths.length > 1);
  const unexplained = twice.filter(([name]) => !Object.hasOwn(sameMeaning, name));
  expect(Object.fromEntries(unexplained)).toEqual({});
  const names = twice.map(([name]) => name);
  expect(Object.keys(sameMeaning).filter((name) => !names.includes(name))).toEqual([]);
});
