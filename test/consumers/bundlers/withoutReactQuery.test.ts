import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buttonPage, quotePage, statusPage } from '../../support/packaging/bundlePage.js';
import { root } from '../../support/root.js';
import { bundlerNames } from './buildPage.js';
import { bundlers } from './bundlers.mjs';

const packed = fileURLToPath(new URL('node_modules/@partner-ramp/react/', import.meta.url));

/** A folder outside this repository. In the repository, the shop's imports of react-query would resolve. */
let shop: string;

beforeAll(async () => {
  shop = await mkdtemp(join(tmpdir(), 'ramp-shop-'));
  const modules = join(shop, 'node_modules');
  await mkdir(join(modules, '@partner-ramp'), { recursive: true });
  await cp(packed, join(modules, '@partner-ramp/react'), { recursive: true });
  for (const name of ['react', 'react-dom', 'zod'])
    await symlink(join(root, 'node_modules', name), join(modules, name));
});
afterAll(() => rm(shop, { recursive: true, force: true }));

const external = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client'];

async function build(bundler: (typeof bundlerNames)[number], page: string): Promise<string> {
  const folder = await mkdtemp(join(shop, 'page-'));
  await mkdir(join(folder, 'dist'));
  const entry = join(folder, 'page.js');
  await writeFile(entry, page);
  await bundlers[bundler].page({ entry, folder: join(folder, 'dist'), external });
  const files = await readdir(join(folder, 'dist'), { recursive: true });
  const scripts = files.filter((name) => /\.m?js$/.test(name));
  const texts = scripts.map((name) => readFile(join(folder, 'dist', name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

describe.each(bundlerNames)('%s, without react-query', (bundler) => {
  test.each([
    ['a button', buttonPage],
    ['the state of an order', statusPage],
  ])('builds a page with %s, which does not import the library', async (_, page) => {
    expect(await build(bundler, page)).not.toMatch(/import\s*\(?\s*["'`]@tanstack/);
  });

  test('builds a page with prices, which names the missing package', async () => {
    expect(await build(bundler, quotePage)).toContain('npm install @tanstack/react-query@5');
  });
});
