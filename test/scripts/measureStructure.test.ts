import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { measureStructure, type StructureLimits } from '../../scripts/measureStructure.mjs';

const limits: StructureLimits = {
  arrows: { src: 3 },
  files: { below: ['src'], most: 2 },
  functionLines: { below: ['src'], most: 4 },
  fileLines: { below: ['src'], most: 6 },
};

function measure(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'structure-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return measureStructure(root, limits);
}

test('counts imports of all kinds between two rooms as one arrow', () => {
  const { arrows, excesses } = measure({
    'src/a/one.ts': "import { two } from '../b/two.js';\nimport type { Two } from '../b/two.js';",
    'src/a/three.ts': "export { three } from './one.js';\nexport * from '../b/two.js';",
    'src/b/two.ts': "import { readFileSync } from 'node:fs';\nimport '../../other/file.js';",
    'other/file.ts': '',
  });
  expect([...(arrows.src ?? [])]).toEqual([
    ['a -> b', ['src/a/one.ts imports src/b/two.ts', 'src/a/three.ts imports src/b/two.ts'].sort()],
  ]);
  expect(excesses).toEqual([]);
});

test.each([
  ['a static import', "import { x } from './b/x.js';"],
  ['an import of a type', "import type { X } from './b/x.js';"],
  ['an inline type import', "export type Y = import('./b/x.js').X;"],
  ['a dynamic import', "export const load = () => import('./b/x.js');"],
  ['a re-export', "export * from './b/x.js';"],
  ['an import for its effects', "import './b/x.js';"],
  ['a folder with an index', "import { x } from './b';"],
])('finds the arrow of %s', (_, text) => {
  const { arrows } = measure({ 'src/a.ts': text, 'src/b/x.tsx': '', 'src/b/index.ts': '' });
  expect([...(arrows.src?.keys() ?? [])]).toEqual(['a.ts -> b']);
});

test('reports too many arrows', () => {
  const { excesses } = measure({
    'src/a/a.ts': "import '../b/b.js';\nimport '../c/c.js';",
    'src/b/b.ts': "import '../c/c.js';",
    'src/c/c.ts': "import '../a/a.js';",
  });
  expect(excesses).toEqual(['src has 4 arrows; the limit is 3.']);
});

test('reports a folder with too many files of any kind', () => {
  const { excesses } = measure({
    'src/a/one.ts': '',
    'src/a/two.css': '',
    'src/a/three.json': '',
    'src/a/node_modules/four/a.js': '',
    'src/b/one.ts': '',
  });
  expect(excesses).toEqual(['src/a has 3 files; the limit is 2.']);
});

test.each([
  ['a function', 'export function long() {', '}', '1 long'],
  ['an arrow function', 'const long = () => {', '};', '1 long'],
  ['a method', 'const x = { long() {', '} };', '1 long'],
  ['a callback', 'call(() => {', '});', '1 a function'],
])('reports %s with too many lines, comments and blank lines included', (_, first, last, name) => {
  const long = [first, '  // why', '', '  run();', last].join('\n');
  const short = [first, '  // why', '  run();', last].join('\n');
  expect(measure({ 'src/a.ts': long }).excesses).toEqual([
    `src/a.ts:${name} has 5 lines; the limit is 4.`,
  ]);
  expect(measure({ 'src/a.ts': short }).excesses).toEqual([]);
});

test('reports a file with too many lines', () => {
  const { excesses } = measure({ 'src/a.ts': 'run();\n'.repeat(7), 'src/b.ts': '\n'.repeat(6) });
  expect(excesses).toEqual(['src/a.ts has 7 lines; the limit is 6.']);
});

test('throws when a file cannot be parsed', () => {
  expect(() => measure({ 'src/a.ts': 'const = ;' })).toThrow('src/a.ts');
});
