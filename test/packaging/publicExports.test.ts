import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { root } from '../support/root.js';

// After a deliberate change, update publicExports.txt:
// npx vitest run --project=packaging test/packaging/publicExports -u

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The entry points of the package. `messages/de` stands for all languages, which have the same exports. */
const entries = Object.entries<{ default: string }>(manifest.exports)
  .filter(([, target]) => typeof target === 'object' && !target.default.endsWith('.css'))
  .map(([entry, target]) => {
    const module = join(root, target.default.replace('*', 'de'));
    return { entry: entry.replace('*', 'de'), types: module.replace(/js$/, 'd.ts'), module };
  });

function readDeclaredNames(declaration: string): string[] {
  const code = readFileSync(declaration, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  expect(code, `${declaration} must list each name`).not.toMatch(/export \*|export default/);
  const listed = [...code.matchAll(/\bexport (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace(/^\s*(?:type\s)?(?:.*\sas\s)?\s*/, '').trim()),
  );
  const declared = [
    ...code.matchAll(
      /\bexport (?:declare )?(?:abstract )?(?:interface|type|class|function|const|enum) (\w+)/g,
    ),
  ].map(([, name = '']) => name);
  return [...new Set([...listed, ...declared])].filter((name) => name !== '');
}

const byCodeUnit = (a: string, b: string) => (a < b ? -1 : 1);

const list = (title: string, names: readonly string[]) =>
  names.length === 0
    ? ''
    : `\n  ${title}\n${[...names]
        .sort(byCodeUnit)
        .map((name) => `    ${name}\n`)
        .join('')}`;

test('the public exports are those of publicExports.txt', async () => {
  let text = '';
  for (const { entry, types, module } of entries) {
    const values = Object.keys(await import(pathToFileURL(module).href));
    const declared = readDeclaredNames(types);
    expect(
      values.filter((name) => !declared.includes(name)),
      `${entry} declares its values`,
    ).toEqual([]);
    const typeNames = declared.filter((name) => !values.includes(name));
    text += `${text && '\n'}${entry}\n${list('values', values)}${list('types', typeNames)}`;
  }
  await expect(text).toMatchFileSnapshot('publicExports.txt');
});
