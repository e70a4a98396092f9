import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../support/root.js';
import { createInstalledShop, type InstalledShop } from './createInstalledShop.js';

let shop: InstalledShop;

/** Returns the first TSX example under the heading "The page", unchanged. */
async function exampleOfReadme(): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const section = readme.split(/^#+ The page\s*$/m)[1]?.split(/^## /m)[0];
  const example = section?.match(/^```tsx\n([\s\S]*?)^```/m)?.[1];
  if (!example) throw new Error("README.md has no tsx example under 'The page'.");
  return example;
}

beforeAll(async () => {
  shop = await createInstalledShop(await exampleOfReadme());
}, 300_000);

afterAll(() => shop?.remove());

test('the tarball contains only the build and the documents', () => {
  const other = shop.packed.filter((file) => !/^(dist|docs)\//.test(file));
  const documents = ['CHANGELOG.md', 'LICENSE', 'README.md', 'llms.txt'];
  const skill = 'skills/partner-ramp/SKILL.md';
  expect(other.sort()).toEqual([...documents, 'package.json', skill]);
  expect(shop.packed).toContain('docs/signing.md');
  expect(shop.packed).toContain('docs/signing-vectors.json');
  expect(shop.packed).toContain('dist/index.js');
});

test("the README's example passes the strictest type check outside the project", async () => {
  await shop.run('typescript/bin/tsc', '-p', '.');
});

test("the README's example builds outside the project", async () => {
  await shop.run('vite/bin/vite.js', 'build', '--logLevel', 'warn');
  const assets = join(shop.folder, 'dist', 'assets');
  const files = await readdir(assets);
  const scripts = files.filter((file) => file.endsWith('.js'));
  const code = await Promise.all(scripts.map((file) => readFile(join(assets, file), 'utf8')));
  expect(code.join('')).toContain('/checkouts');
  expect(files.some((file) => file.endsWith('.css'))).toBe(true);
});
