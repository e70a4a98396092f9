import { beforeAll, describe, expect, test } from 'vitest';
import { bundlePage, buttonPage, type PageBundle, root } from '../support/bundle-page.js';
import { reachOf } from '../support/import-graph.js';

const react = ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime'];
const isServerFile = (file: string) => /^(server|sandbox)([./]|-only|$)/.test(file);

describe('.', () => {
  test('imports React alone', () => {
    const { packages } = reachOf('index.js', { dynamic: false });
    expect(react).toEqual(expect.arrayContaining(packages));
    expect(packages).toContain('react');
  });

  test('loads zod/mini later at most', () => {
    const { packages } = reachOf('index.js');
    expect([...react, 'zod/mini']).toEqual(expect.arrayContaining(packages));
  });

  test('never reaches the server or the sandbox', () => {
    expect(reachOf('index.js').files.filter(isServerFile)).toEqual([]);
  });
});

describe('./protocol', () => {
  test('reaches zod/mini alone', () => {
    const { packages, files } = reachOf('protocol.js');
    expect(packages).toEqual(['zod/mini']);
    expect(files.filter((file) => !/^(protocol|chunks\/[\w-]+)\.js$/.test(file))).toEqual([]);
  });
});

describe.each(['server.js', 'server/express.js'])('%s', (entry) => {
  const { packages, files } = reachOf(entry);

  test('never reaches React', () => {
    expect(packages.filter((name) => /^react/.test(name))).toEqual([]);
    expect(files).not.toContain('index.js');
  });

  test('never reaches the sandbox', () => {
    expect(files.filter((file) => file.includes('sandbox'))).toEqual([]);
  });
});

test('sandbox.js never reaches React', () => {
  const { packages, files } = reachOf('sandbox.js');
  expect(packages.filter((name) => /^react/.test(name))).toEqual([]);
  expect(files).not.toContain('index.js');
});

describe("a storefront's page, built for production", () => {
  let page: PageBundle;
  beforeAll(async () => {
    page = await bundlePage(buttonPage);
  });

  test('needs React alone from outside', () => {
    expect(react).toEqual(expect.arrayContaining([...page.externals]));
  });

  test('holds nothing but modules of this package', () => {
    const own = page.modules.map((id) => id.replace(root, ''));
    expect(own.filter((id) => id !== 'page.js' && !id.startsWith('dist/'))).toEqual([]);
    expect(own).toContain('dist/index.js');
  });

  test('holds nothing of the server or the sandbox', () => {
    const inside = page.modules.map((id) => id.replace(`${root}dist/`, ''));
    expect(inside.filter(isServerFile)).toEqual([]);
  });
});
