import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAnchor } from '../../scripts/reference/anchors.mjs';
import { root } from '../support/root.js';
import { frameworkTypes } from './frameworkTypes.js';

// The folder is inside the project, so that `@partner-ramp/react` resolves to the built package.
const folder = join(root, 'test', '.output', 'docs');

const tsconfig = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
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

test('every column of a table in the guides has a heading, which screen readers announce', async () => {
  for (const path of await findPages('docs'))
    for (const [, header = ''] of (await readFile(path, 'utf8')).matchAll(
      /^(\|.*\|)\n\|[-:| ]+\|$/gm,
    ))
      expect(header, relative(root, path)).not.toMatch(/\| *\|/);
});

/** Returns the anchors of a page. Removes code blocks first, because a comment in them may look like a heading. */
async function findAnchors(path: string): Promise<Set<string>> {
  const text = (await readFile(path, 'utf8')).replace(/^```[\s\S]*?^```/gm, '');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading));
  const ids = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  // The second heading of a name gets the suffix -1, the third one -2.
  const seen = new Map<string, number>();
  const anchors = headings.map((name) => {
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  });
  return new Set([...anchors, ...ids]);
}

const repository = 'https://github.com/partner-ramp/react';

/** Returns all Markdown documents of the repository, and llms.txt. */
async function findDocuments(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '*.md', 'llms.txt'], {
    cwd: root,
  });
  return stdout.trim().split('\n');
}

test('every link between the documents names a file and a heading that exist', async () => {
  const broken: string[] = [];
  for (const document of await findDocuments()) {
    if (!existsSync(join(root, document))) continue;
    const text = (await readFile(join(root, document), 'utf8')).replace(/^```[\s\S]*?^```/gm, '');
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)|(?:srcset|src)="([^"]+)"/g)) {
      const local = link.replace(new RegExp(`^${repository}/(?:blob|tree|raw)/HEAD/`), '/');
      if (link === '' || /^[a-z]+:/.test(local)) continue;
      const [file = '', anchor] = local.split('#');
      const path = file.startsWith('/')
        ? join(root, file)
        : file === ''
          ? join(root, document)
          : join(root, dirname(document), file);
      const isFound =
        existsSync(path) && (anchor === undefined || (await findAnchors(path)).has(anchor));
      if (!isFound) broken.push(`${document}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});
