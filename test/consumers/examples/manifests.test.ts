import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../support/root.js';

const names = ['hono', 'fastify', 'node-http'];
const folderOf = (name: string) => join(root, 'examples', name);
const read = (name: string, file: string) => readFile(join(folderOf(name), file), 'utf8');

/** Returns the names of the packages that the sources of an example import. */
async function importsOf(name: string): Promise<Set<string>> {
  const files = await readdir(folderOf(name), { recursive: true });
  const sources = files.filter(
    (file) => /\.[jt]sx?$/.test(file) && !/node_modules|\.next/.test(file),
  );
  const texts = await Promise.all(sources.map((file) => read(name, file)));
  const imports = texts
    .join('\n')
    .matchAll(/^import (?:[^;']* from )?'((?:@[^'/]+\/)?[^'./][^'/]*)[^']*'/gm);
  return new Set(
    [...imports].map(([, specifier = '']) => specifier).filter((it) => !it.startsWith('node:')),
  );
}

it.each([...names, 'minimal', 'next'])(
  'examples/%s declares every package that it imports',
  async (name) => {
    const { dependencies, devDependencies } = JSON.parse(await read(name, 'package.json'));
    const declared = Object.keys({ ...dependencies, ...devDependencies });
    const imported = [...(await importsOf(name))];
    expect(imported).toContain('@partner-ramp/react');
    expect(imported.filter((specifier) => !declared.includes(specifier))).toEqual([]);
  },
);

it.each(names)(
  'examples/%s has the same page, sandbox and checkouts as the other Vite examples',
  async (name) => {
    for (const file of ['ramp.js', 'sandbox.js', 'index.html', 'vite.config.js', 'src/main.jsx'])
      expect(await read(name, file), file).toBe(await read('hono', file));
  },
);

it('examples/minimal has one page and one server file, of at most 60 lines together', async () => {
  const files = await readdir(folderOf('minimal'), { recursive: true });
  const sources = files.filter((file) => /\.[jt]sx?$/.test(file) && !file.includes('node_modules'));
  expect(sources.sort()).toEqual(['server.js', join('src', 'main.jsx')]);
  const texts = await Promise.all(sources.map((file) => read('minimal', file)));
  expect(texts.join('').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
});
