import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bundlePage,
  buttonPage,
  elementPage,
  emptyPage,
  nftPage,
  type PageBundle,
  quotePage,
  statusPage,
} from '../support/packaging/bundlePage.js';
import { sizeLimits } from '../support/packaging/sizeLimits.js';

/** Returns the bytes that a page has loaded once its card is shown, without the chunk for errors, which loads later. */
const measureShown = ({ chunks }: PageBundle) => measureChunks(chunks);

const measureChunks = (chunks: PageBundle['chunks']) =>
  chunks
    .filter(({ code }) => !code.includes('errors.md'))
    .reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);

/** Returns the chunks that load without a click on "Continue checkout" or "Print receipt". */
function findUnclicked({ chunks }: PageBundle): PageBundle['chunks'] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports, dynamicImports } of found)
    for (const name of [...imports, ...dynamicImports]) {
      const chunk = byName.get(name);
      if (chunk && !/openCheckout|noteParts|printReceipt/.test(chunk.facadeModuleId ?? ''))
        found.add(chunk);
    }
  return [...found];
}

/** The bytes of a page without the package. The tests subtract them, to measure what a component adds to a page. */
let empty: number;
beforeAll(async () => {
  empty = (await bundlePage(emptyPage)).initial;
});

const report = (what: string, { initial, later }: PageBundle) =>
  process.stdout.write(`${what}: ${initial - empty} B initially, ${later} B dynamically (gzip)\n`);

describe('OnRampButton, RampProvider and createHttpSigner', () => {
  const limit = sizeLimits.OnRampButton;
  let page: PageBundle;
  beforeAll(async () => {
    page = await bundlePage(buttonPage);
  });

  test(`have an initial load of at most ${limit} B`, () => {
    report('OnRampButton', page);
    expect(page.initial - empty).toBeLessThanOrEqual(limit);
  });

  test('contain a button, not an empty page', () => {
    const code = page.chunks.map((chunk) => chunk.code).join('');
    expect(code).toContain('/checkouts');
    expect(page.initial).toBeGreaterThan(1000);
  });

  test('load the checkout dynamically', () => {
    expect(page.later).toBeGreaterThan(0);
  });

  test('load the code that polls dynamically', () => {
    const holds = page.chunks.filter(({ code }) => code.includes('If-None-Match'));
    expect(holds.map(({ isEntry }) => isEntry)).toEqual([false]);
  });

  test('load neither react-query nor zod, initially or dynamically', () => {
    expect(page.modules.filter((id) => /[/\\](@tanstack|zod)[/\\]/.test(id))).toEqual([]);
    expect(page.externals.filter((name) => !/^react/.test(name))).toEqual([]);
  });
});

describe('<ramp-button> with createHttpSigner', () => {
  const limit = sizeLimits['ramp-button'];

  test(`has an initial load of at most ${limit} B`, async () => {
    const page = await bundlePage(elementPage);
    const { initial: nothing } = await bundlePage('globalThis.page = {};');
    process.stdout.write(`<ramp-button>: ${page.initial - nothing} B initially (gzip)\n`);
    expect(page.initial - nothing).toBeLessThanOrEqual(limit);
    expect(page.initial).toBeGreaterThan(1000);
  });
});

describe('NftCheckout, RampProvider and createHttpSigner', () => {
  const limit = sizeLimits.NftCheckout;

  test(`have an initial load of at most ${limit} B`, async () => {
    const page = await bundlePage(nftPage);
    report('NftCheckout', page);
    expect(page.initial - empty).toBeLessThanOrEqual(limit);
    const code = page.chunks.filter(({ isEntry }) => isEntry).map((chunk) => chunk.code);
    expect(code.join('')).toContain('mintQuantity');
  });
});

describe('QuotePreview and RampProvider', () => {
  const limits = { own: sizeLimits.QuotePreview, all: 29_500, shown: 18_200 };
  let own: PageBundle;
  let all: PageBundle;
  beforeAll(async () => {
    own = await bundlePage(quotePage, [/^@tanstack\/react-query/]);
    all = await bundlePage(quotePage);
  });

  test(`have an initial load of at most ${limits.own} B without dependencies`, () => {
    report('QuotePreview', own);
    expect(own.initial - empty).toBeLessThanOrEqual(limits.own);
    expect(own.initial).toBeGreaterThan(1500);
  });

  test(`load at most ${limits.all} B with react-query, which is not in the initial load`, () => {
    report('QuotePreview with react-query', all);
    expect(measureShown(all)).toBeLessThanOrEqual(limits.all);
    expect(all.modules.filter((id) => id.includes('@tanstack')).length).toBeGreaterThan(0);
    expect(all.initial - empty).toBeLessThanOrEqual(limits.own);
  });

  test(`load at most ${limits.shown} B without dependencies until the card is shown`, () => {
    expect(measureShown(own)).toBeLessThanOrEqual(limits.shown);
  });

  test('load the content of the card and its list of currencies dynamically', () => {
    const code = own.chunks.filter((chunk) => !chunk.isEntry).map((chunk) => chunk.code);
    expect(code.join('')).toContain('listbox');
  });
});

describe('CheckoutStatus and RampProvider', () => {
  // `shown` includes 300 B of code that moves the focus and announces changes to screen readers, and 100 B that polls with
  // ETag and repeats a request after 401.
  const limits = { initial: sizeLimits.CheckoutStatus, shown: 20_700 };
  let page: PageBundle;
  let unclicked: PageBundle['chunks'];
  beforeAll(async () => {
    page = await bundlePage(statusPage);
    unclicked = findUnclicked(page);
  });

  test(`have an initial load of at most ${limits.initial} B`, () => {
    report('CheckoutStatus', page);
    expect(page.initial - empty).toBeLessThanOrEqual(limits.initial);
    expect(page.initial).toBeGreaterThan(1000);
  });

  test(`load at most ${limits.shown} B until the order is shown, including the list of other orders`, () => {
    expect(measureChunks(unclicked)).toBeLessThanOrEqual(limits.shown);
  });

  test('load the dialog of the widget with the pointer on "Continue checkout"', () => {
    const code = page.chunks
      .filter((chunk) => !unclicked.includes(chunk))
      .map((chunk) => chunk.code);
    expect(code.join('')).toMatch(/createElement|iframe/);
  });

  test('load the steps and their texts dynamically, without the buttons and prices', () => {
    const code = unclicked.map((chunk) => chunk.code).join('');
    const first = page.chunks.filter(({ isEntry }) => isEntry).map((chunk) => chunk.code);
    expect(code).toContain('stepPayment');
    expect(first.join('')).not.toContain('stepPayment');
    expect(code).not.toMatch(/<iframe|createElement\(`?dialog|Search currencies|walletAddress/);
    expect(page.externals.filter((name) => !/^react/.test(name))).toEqual([]);
  });
});
