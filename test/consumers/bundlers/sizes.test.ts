import { beforeAll, describe, expect, test } from 'vitest';
import {
  buttonPage,
  elementPage,
  nftPage,
  quotePage,
  statusPage,
} from '../../support/packaging/bundlePage.js';
import { esbuildLimits, sizeLimits } from '../../support/packaging/sizeLimits.js';
import { bundlerNames, initialBytes } from './buildPage.js';

/** A page with an empty component that is loaded dynamically. Its size is the bundler's overhead for any page. */
const emptyPage = {
  'page.js': `
import { lazy } from 'react';
import { jsx } from 'react/jsx-runtime';
const Part = lazy(() => import('./part.js'));
globalThis.page = { Empty: () => jsx(Part, {}) };
`,
  'part.js': 'export default function Part() { return null; }\n',
};

const pages = {
  OnRampButton: buttonPage,
  NftCheckout: nftPage,
  QuotePreview: quotePage,
  CheckoutStatus: statusPage,
  'ramp-button': elementPage,
} as const;

describe.each(bundlerNames)('a page built with %s', (bundler) => {
  let empty: number;
  beforeAll(async () => {
    empty = await initialBytes(bundler, emptyPage);
    process.stdout.write(`${bundler}: empty page ${empty} B (gzip)\n`);
  });

  const limits = bundler === 'esbuild' ? esbuildLimits : sizeLimits;
  const cases = Object.entries(limits) as [keyof typeof pages, number][];
  test.each(cases)('loads %s with an initial load of at most %i B', async (name, limit) => {
    const bytes = (await initialBytes(bundler, { 'page.js': pages[name] })) - empty;
    process.stdout.write(`${bundler}: ${name} ${bytes} B (gzip)\n`);
    expect(bytes).toBeLessThanOrEqual(limit);
    expect(bytes).toBeGreaterThan(1000);
  });
});
