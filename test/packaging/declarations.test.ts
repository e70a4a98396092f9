import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/root.js';

/** Returns the packages from which a declaration file, or a file that it imports, imports types. */
function packagesOf(entry: string): string[] {
  const files = new Set([join(root, 'dist', entry)]);
  const packages = new Set<string>();
  for (const file of files)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g,
    )) {
      if (!name.startsWith('.')) packages.add(name);
      else {
        const declaration = normalize(join(dirname(file), name)).replace(/\.js$/, '.d.ts');
        expect(existsSync(declaration), `${declaration}, imported by ${file}`).toBe(true);
        files.add(declaration);
      }
    }
  return [...packages].sort();
}

test.each([
  ['index.d.ts', ['react']],
  ['element/index.d.ts', []],
  ['quotes.d.ts', []],
  ['protocol/index.d.ts', []],
  ['server/index.d.ts', ['node:crypto']],
  ['server/express.d.ts', ['express', 'node:crypto', 'node:http', 'node:http2']],
  ['server/node.d.ts', ['node:crypto', 'node:http', 'node:http2']],
  ['server/sql/index.d.ts', ['kysely']],
  ['sandbox/index.d.ts', []],
  ['testing/index.d.ts', ['node:crypto']],
  ['testing/playwright.d.ts', ['@playwright/test']],
  ['messages/de.d.ts', []],
])('the public types of %s need only the types of %j', (entry, packages) => {
  expect(packagesOf(entry)).toEqual(packages);
});
