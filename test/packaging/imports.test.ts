import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bundlePage,
  buttonPage,
  elementPage,
  type PageBundle,
} from '../support/packaging/bundlePage.js';
import { root } from '../support/root.js';
import { findImports, findSources } from './findImports.js';

const react = ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime'];
const inFolder = (...folders: string[]) => {
  const pattern = new RegExp(`^src/(${folders.join('|')})/`);
  return (source: string) => pattern.test(source);
};
const isServer = inFolder('server', 'sandbox', 'testing', 'cli');

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

describe('./quotes', () => {
  test('imports react-query statically, and no component', () => {
    const { packages, sources } = findImports('quotes.js', { dynamic: false });
    expect(packages).toContain('@tanstack/react-query');
    expect(sources).toContain('src/react/quote/quoteHooks.ts');
    expect(sources.filter((source) => /Card|Preview/.test(source))).toEqual([]);
  });

  test('creates its queries on a server without React', () => {
    const { packages } = findImports('client/quote/quoteQueries.js', { dynamic: false });
    expect(packages).toEqual([]);
  });
});

describe('./element', () => {
  test('never imports React, the server or zod, in any chunk', () => {
    const { packages, sources } = findImports('element/index.js');
    // Only builds for development validate the parameters, with zod.
    expect(packages.filter((name) => name !== 'zod/mini')).toEqual([]);
    expect(sources.filter(isServer)).toEqual([]);
    expect(sources).toContain('src/client/checkout/views/dialog.ts');
  });

  test('is bundled for browsers without imports of other packages', async () => {
    const page = await bundlePage(elementPage);
    expect(page.externals).toEqual([]);
    expect(page.modules.filter((id) => id.includes('node_modules'))).toEqual([]);
    expect(page.later).toBeGreaterThan(5000);
  });

  test('loads on a server, where it defines nothing', async () => {
    const { RampButtonElement } = await import('@partner-ramp/react/element');
    expect(typeof RampButtonElement).toBe('function');
    expect('customElements' in globalThis).toBe(false);
  });

  test.each(readdirSync(join(root, 'dist/browser')).filter((file) => file.endsWith('.js')))(
    'browser/%s needs no bundler',
    (file) => {
      const code = readFileSync(join(root, 'dist/browser', file), 'utf8');
      expect(code).not.toMatch(/process\.env|(?:from|import\()\s*[`"'](?!\.\/ramp-)/);
    },
  );
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

test.each([
  ...['server/index.js', 'server/express.js', 'server/node.js'],
  ...['sandbox/index.js', 'testing/index.js'],
])('%s loads without kysely', (entry) => {
  expect(findImports(entry).packages).not.toContain('kysely');
  expect(findImports('server/sql/index.js').packages).toContain('kysely');
});

test.each(['sandbox', 'testing'])('./%s never imports React', (entry) => {
  const { packages, sources } = findImports(`${entry}/index.js`);
  expect(packages.filter((name) => /^react/.test(name))).toEqual([]);
  expect(sources.filter(inFolder('react'))).toEqual([]);
});

test('./testing/playwright imports Playwright only as types', () => {
  expect(findImports('testing/playwright.js').packages).not.toContain('@playwright/test');
  expect(findImports('testing/playwright.js').packages).toContain('@hono/node-server');
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
    expect(own.filter((id) => !/^(page\.js$|dist\/|\0rolldown\/)/.test(id))).toEqual([]);
    expect(own).toContain('dist/react/button/OnRampButton.js');
  });

  test('contains no modules of the server or the sandbox', () => {
    const built = page.modules.filter((id) => id.startsWith(`${root}dist/`));
    expect(built.flatMap(findSources).filter(isServer)).toEqual([]);
  });
});
