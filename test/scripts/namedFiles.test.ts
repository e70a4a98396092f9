import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/root.js';

/** The documents for contributors, and the guides. CHANGELOG.md is left out, because it may name removed files. */
const documents = [
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  ...['docs', 'docs/internal'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/** Returns the files and folders of this repository that a document names, except the output of tests. */
const listPaths = (document: string): string[] =>
  [
    ...readFileSync(join(root, document), 'utf8').matchAll(
      /`((?:src|test|tools|scripts|demo|server-example|examples)\/[\w./-]+)`/g,
    ),
  ]
    .map(([, path]) => path as string)
    .filter((path) => !path.startsWith('test/.output/'));

describe('the documents', () => {
  it.each(documents)('%s names only files and folders that exist', (document) => {
    expect(listPaths(document).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('name the files that implement the controls against threats, the terms, and the path of an order', () => {
    expect(listPaths('docs/internal/threats.md').length).toBeGreaterThan(50);
    expect(listPaths('docs/internal/glossary.md').length).toBeGreaterThan(30);
    expect(listPaths('CONTRIBUTING.md').length).toBeGreaterThan(10);
  });
});

it.each(['groups', 'equivalent'])(
  '%s.json of the mutation tool names only sources that exist',
  (name) => {
    const text = readFileSync(join(root, `tools/mutation/${name}.json`), 'utf8');
    const paths = [...text.matchAll(/"(src\/[\w./-]+)(?:\/\*\*\/\*\.ts)?"/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  },
);
