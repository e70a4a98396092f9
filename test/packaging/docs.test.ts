import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../support/root.js';

// Inside the project, so that the built package resolves by its name.
const folder = join(root, 'test', '.output', 'docs');

const tsconfig = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    moduleDetection: 'force',
    jsx: 'react-jsx',
    strict: true,
    noEmit: true,
    types: ['node'],
  },
  include: ['*.tsx'],
};

/** Returns the examples that are complete modules, by the file that contains them. */
async function examples(): Promise<Map<string, string>> {
  const pages: string[] = [];
  for (const folder of [join(root, 'stories', 'docs'), join(root, 'docs')])
    for (const file of await readdir(folder))
      if (/\.mdx?$/.test(file)) pages.push(join(folder, file));
  const found = new Map<string, string>();
  for (const path of [...pages, join(root, 'README.md')]) {
    const fences = (await readFile(path, 'utf8')).matchAll(/^```tsx?\n([\s\S]*?)^```/gm);
    let count = 0;
    for (const [, code = ''] of fences)
      if (/^import /m.test(code) && !isFragment(code))
        found.set(`${relative(root, path).replace(/\W/g, '-')}-${++count}.tsx`, code);
  }
  return found;
}

/** Whether a shorter example of the README depends on an example before it. */
const isFragment = (code: string) => /\{ signer, policy,|getUser\(req\)|^<\w/m.test(code);

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('every example of the documentation passes the strict type check', async () => {
  const all = await examples();
  expect(all.size).toBeGreaterThan(15);
  for (const [file, code] of all) await writeFile(join(folder, file), code);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
    (error) => error,
  );
  expect(stdout).toBe('');
});
