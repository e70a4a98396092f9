import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { packPackage } from '../support/packaging/packPackage.js';
import { root } from '../support/root.js';

const repository = 'https://github.com/partner-ramp/react';
let packed: string[];

beforeAll(async () => {
  packed = (await packPackage()).files.map(({ path }) => path);
});

test('every relative link in the documents of the tarball leads to a file of the tarball', async () => {
  const documents = packed.filter((path) => path.endsWith('.md'));
  expect(documents).toContain('README.md');
  for (const path of documents) {
    const text = await readFile(join(root, path), 'utf8');
    const targets = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target = '']) => target);
    const relative = targets.filter((target) => !/^[a-z]+:/.test(target));
    const missing = relative.filter(
      (target) => !packed.includes(posix.join(posix.dirname(path), target)),
    );
    expect(missing, path).toEqual([]);
  }
});

const isGuide = (path: string) => /^(?:README|docs\/.+)\.md$/.test(path);

test('every section that names a file or a command of the repository links to the repository', async () => {
  const isForeign =
    /\bnpm (?:start|test|ci|run (?:storybook|docs))\b|[`(](?:stories|server-example|examples|scripts|test|src)\//;
  const guides = packed.filter(isGuide);
  expect(guides).toContain('docs/getting-started.md');
  const unlinked: string[] = [];
  for (const path of guides) {
    // Readers do not see HTML comments, so a file that only a comment names needs no link.
    const text = (await readFile(join(root, path), 'utf8')).replace(/<!--[\s\S]*?-->/g, '');
    for (const section of text.split(/^(?=#{1,3} )/m))
      if (isForeign.test(section) && !section.includes(repository))
        unlinked.push(`${path}: ${section.split('\n')[0]}`);
  }
  expect(unlinked).toEqual([]);
});

test('package.json names the repository, the homepage, the bug tracker and keywords', async () => {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    homepage: `${repository}#readme`,
    bugs: `${repository}/issues`,
    repository: { type: 'git', url: `git+${repository}.git` },
  });
  expect(manifest.keywords).toContain('on-ramp');
});
