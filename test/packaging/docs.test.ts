import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../support/root.js';
import { frameworkTypes } from './frameworkTypes.js';

// The folder is inside the project, so that `@partner-ramp/react` resolves to the built package.
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
    // The controllers of Nest need it.
    experimentalDecorators: true,
    noEmit: true,
    types: ['node'],
  },
  include: ['*.tsx', '*.d.ts'],
};

async function findPages(folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder));
  return names.filter((name) => name.endsWith('.md')).map((name) => join(root, folder, name));
}

/** Returns the code of each example in the documentation, by the name of the module to which the test writes it. */
async function findExamples(): Promise<Map<string, string>> {
  const pages = await findPages('docs');
  const found = new Map<string, string>();
  for (const path of [...pages, join(root, 'README.md')]) {
    const text = await readFile(path, 'utf8');
    let count = 0;
    for (const [, code = ''] of text.matchAll(/^```tsx?\n([\s\S]*?)^```/gm))
      found.set(`${relative(root, path).replace(/\W/g, '-')}-${++count}.tsx`, code);
  }
  return found;
}

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  await writeFile(join(folder, 'frameworks.d.ts'), frameworkTypes);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('every example of the documentation passes the strict type check', async () => {
  const examples = await findExamples();
  expect(examples.size).toBeGreaterThan(30);
  for (const [file, code] of examples) await writeFile(join(folder, file), code);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
    (error) => error,
  );
  expect(stdout).toBe('');
});

test('the guides have no example in JavaScript, which no type check would read', async () => {
  for (const path of [...(await findPages('docs')), join(root, 'README.md')])
    expect(await readFile(path, 'utf8'), path).not.toMatch(/^```(?:jsx?|typescript|javascript)$/m);
});

/** Returns the name of the anchor that GitHub gives to a heading. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** Returns the anchors of a page. Removes code blocks first, because a comment in them may look like a heading. */
async function findAnchors(path: string): Promise<Set<string>> {
  const text = (await readFile(path, 'utf8')).replace(/^```[\s\S]*?^```/gm, '');
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading)));
}

test('every link to a section of a guide names a heading of it', async () => {
  const missing: string[] = [];
  for (const path of [...(await findPages('docs')), join(root, 'README.md')])
    for (const [link, file = '', anchor = ''] of (await readFile(path, 'utf8')).matchAll(
      /\]\(((?:docs\/)?[\w-]+\.md|)#([^)]+)\)/g,
    )) {
      const anchors = await findAnchors(file ? join(dirname(path), file) : path);
      if (!anchors.has(anchor)) missing.push(`${relative(root, path)} ${link}`);
    }
  expect(missing).toEqual([]);
});
