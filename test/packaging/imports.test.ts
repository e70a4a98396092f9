import { beforeAll, describe, expect, test } from 'vitest';
import { bundlePage, buttonPage, type PageBundle } from '../support/packaging/bundlePage.js';
import { findImports, findSources } from '../support/packaging/findImports.js';
import { root } from '../support/root.js';

const react = ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime'];
const inFolder = (...folders: string[]) => {
  const pattern = new RegExp(`^src/(${folders.join('|')})/`);
  return (source: string) => pattern.test(source);
};
const isServer = inFolder('server', 'sandbox', 'cli');

describe('.', () => {
  test('imports only React', () => {
    const { packages } = findImports('index.js', { dynamic: false });
    expect(react).toEqual(expect.arrayContaining(packages));
    expect(packages).toContain('react');
  });

  test('imports react-query and zod/mini dynamically', () => {
    const { packages } = findImports('index.js');
    expect([...react, '@tanstack/react-query', 'zod/mini']).toEqual(
      expect.arrayContaining(packages),
    );
    expect(packages).toContain('@tanstack/react-query');
  });

  test('never imports the server or the sandbox', () => {
    const { sources } = findImports('index.js');
    expect(sources.filter(isServer)).toEqual([]);
    expect(sources).toContain('src/react/button/OnRampButton.tsx');
  });
});

test('./protocol imports only its own modules', () => {
  const { packages, sources } = findImports('protocol/index.js');
  expect(packages).toEqual([]);
  expect(sources.filter((source) => !inFolder('protocol')(source))).toEqual([]);
  expect(sources).toContain('src/protocol/widget/buildWidgetUrl.ts');
});

describe.each(['server/index.js', 'server/express.js', 'server/node.js', 'server/sql/index.js'])(
  '%s',
  (entry) => {
    test('never imports React', () => {
      const { packages, sources } = findImports(entry);
      expect(packages.filter((name) => /^react/.test(name))).toEqual([]);
      expect(sources.filter(inFolder('react'))).toEqual([]);
    });

    test('never imports the sandbox', () => {
      const { sources } = findImports(entry);
      expect(sources.filter(inFolder('sandbox'))).toEqual([]);
      expect(sources.filter(inFolder('server'))).not.toEqual([]);
    });
  },
);

test.each(['server/index.js', 'server/express.js', 'server/node.js', 'sandbox/index.js'])(
  '%s loads without kysely',
  (entry) => {
    expect(findImports(entry).packages).not.toContain('kysely');
    expect(findImports('server/sql/index.js').packages).toContain('kysely');
  },
);

test('./sandbox never imports React', () => {
  const { packages, sources } = findImports('sandbox/index.js');
  expect(packages.filter((name) => /^react/.test(name))).toEqual([]);
  expect(sources.filter(inFolder('react'))).toEqual([]);
});

describe("a storefront's page, built for production", () => {
  let page: PageBundle;
  beforeAll(async () => {
    page = await bundlePage(buttonPage);
  });

  test('has React as its only external package', () => {
    expect(react).toEqual(expect.arrayContaining([...page.externals]));
  });

  test('contains only modules of this package', () => {
    const own = page.modules.map((id) => id.replace(root, ''));
    expect(own.filter((id) => id !== 'page.js' && !id.startsWith('dist/'))).toEqual([]);
    expect(own).toContain('dist/react/button/OnRampButton.js');
  });

  test('contains no modules of the server or the sandbox', () => {
    const built = page.modules.filter((id) => id.startsWith(`${root}dist/`));
    expect(built.flatMap(findSources).filter(isServer)).toEqual([]);
  });
});
