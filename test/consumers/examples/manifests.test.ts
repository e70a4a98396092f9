import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../support/root.js';

const frameworks = ['astro', 'react-router', 'tanstack-start'];
const folderOf = (name: string) => join(root, 'examples', name);
const read = (name: string, file: string) => readFile(join(folderOf(name), file), 'utf8');

/** Returns the names of the packages that the sources of an example import. */
async function importsOf(name: string): Promise<Set<string>> {
  const files = await readdir(folderOf(name), { recursive: true });
  const sources = files.filter(
    (file) => /\.[jt]sx?$/.test(file) && !/node_modules|\.next|\.astro|\.react-router/.test(file),
  );
  const texts = await Promise.all(sources.map((file) => read(name, file)));
  const imports = texts
    .join('\n')
    .matchAll(/^import (?:[^;']* from )?'((?:@[^'/]+\/)?[^'./][^'/]*)[^']*'/gm);
  return new Set(
    [...imports].map(([, specifier = '']) => specifier).filter((it) => !it.startsWith('node:')),
  );
}

it.each([...frameworks, 'functions', 'minimal', 'next', 'node-servers', 'siwe', 'without-react'])(
  'examples/%s declares every package that it imports',
  async (name) => {
    const { dependencies, devDependencies } = JSON.parse(await read(name, 'package.json'));
    const declared = Object.keys({ ...dependencies, ...devDependencies });
    const imported = [...(await importsOf(name))];
    expect(imported).toContain('@partner-ramp/react');
    expect(imported.filter((specifier) => !declared.includes(specifier))).toEqual([]);
  },
);

it('examples/functions has the same page as examples/node-servers', async () => {
  for (const file of ['index.html', 'vite.config.js', 'src/main.jsx'])
    expect(await read('functions', file), file).toBe(await read('node-servers', file));
});

it.each([
  ['astro', 'src/ramp.ts'],
  ['tanstack-start', 'src/ramp.server.ts'],
])('examples/%s has the same checkouts as examples/react-router', async (name, ramp) => {
  expect(await read(name, ramp)).toBe(await read('react-router', 'app/ramp.server.ts'));
  expect(await read(name, '.env.example')).toBe(await read('react-router', '.env.example'));
});

it('examples/minimal has one page and one server file, of at most 80 lines together', async () => {
  const files = await readdir(folderOf('minimal'), { recursive: true });
  const sources = files.filter((file) => /\.[jt]sx?$/.test(file) && !file.includes('node_modules'));
  expect(sources.sort()).toEqual(['server.js', join('src', 'main.jsx')]);
  const texts = await Promise.all(sources.map((file) => read('minimal', file)));
  expect(texts.join('').trimEnd().split('\n').length).toBeLessThanOrEqual(80);
});

it('server-example imports nothing outside of its folder, so that it can be copied', async () => {
  const folder = join(root, 'server-example');
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && !/node_modules|dist/.test(file),
  );
  expect(files.length).toBeGreaterThan(15);
  const outside: string[] = [];
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:from |import\()'(\.[^']*)'/g))
      if (relative(folder, join(folder, dirname(file), path)).startsWith('..'))
        outside.push(`${file}: ${path}`);
  }
  expect(outside).toEqual([]);
});
