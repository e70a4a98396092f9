import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { evaluatedConstants } from '../../scripts/build/evaluatedConstants.js';

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'evaluated-constants-')));
  await mkdir(join(root, 'src'));
  await source('table.ts', `export const table = [{ name: 'fee', text: 'A LONG DESCRIPTION' }];`);
  await source(
    'names.ts',
    `import { table } from './table.js';
export const names: readonly string[] = table.map((row) => row.name);
export const count = table.length;`,
  );
  await source(
    'index.ts',
    `import { names, count } from './names.js';\nconsole.log(names, count);`,
  );
});

afterEach(() => rm(root, { recursive: true }));

const source = (name: string, text: string) => writeFile(join(root, 'src', name), text);

async function bundle(files: string[], plugin = evaluatedConstants(files)): Promise<string> {
  const result = (await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [plugin],
    build: {
      write: false,
      minify: false,
      lib: { entry: 'src/index.ts', formats: ['es'], fileName: 'index' },
    },
  })) as Rolldown.RolldownOutput[];
  return (result[0]?.output ?? []).map((file) => ('code' in file ? file.code : '')).join('');
}

test('bundles the constants and excludes the table', async () => {
  const code = await bundle(['src/names.ts']);
  expect(code).toContain('"fee"');
  expect(code).not.toContain('A LONG DESCRIPTION');
});

test('the bundle contains the table without the plugin', async () => {
  const code = await bundle([]);
  expect(code).toContain('A LONG DESCRIPTION');
});

test('watches the sources of the constants', async () => {
  const watched: string[] = [];
  const plugin = evaluatedConstants(['src/names.ts']);
  const load = plugin.load as (id: string) => unknown;
  plugin.load = function (id) {
    const context = { addWatchFile: (file: string) => watched.push(file) };
    return load.call({ ...this, ...context }, id) as null;
  };
  await bundle([], plugin);
  expect(watched).toContain(join(root, 'src', 'table.ts'));
});

test.each([
  ['a function', 'export const names = () => 1; export const count = 1;'],
  ['undefined', 'export const names = undefined; export const count = 1;'],
  ['a Date', 'export const names = new Date(0); export const count = 1;'],
  ['undefined inside', 'export const names = { a: undefined }; export const count = 1;'],
  ['a Map', 'export const names = new Map([[1, 2]]); export const count = 1;'],
])('refuses %s', async (_, text) => {
  await source('names.ts', text);
  await expect(bundle(['src/names.ts'])).rejects.toThrow(/src\/names\.ts: the export names is not/);
});
