import { beforeAll, describe, expect, test } from 'vitest';
import {
  bundlePage,
  buttonPage,
  nftPage,
  type PageBundle,
  quotePage,
  statusPage,
} from '../support/packaging/bundlePage.js';
import { sizeLimits } from '../support/packaging/sizeLimits.js';

const report = (what: string, { initial, later }: PageBundle) =>
  process.stdout.write(`${what}: ${initial} B at once, ${later} B later (gzip)\n`);

describe('OnRampButton, RampProvider and createHttpSigner', () => {
  const limit = sizeLimits.OnRampButton;
  let page: PageBundle;
  beforeAll(async () => {
    page = await bundlePage(buttonPage);
  });

  test(`load at most ${limit} B at once`, () => {
    report('OnRampButton', page);
    expect(page.initial).toBeLessThanOrEqual(limit);
  });

  test('are a button, not an empty page', () => {
    const code = page.chunks.map((chunk) => chunk.code).join('');
    expect(code).toContain('/checkouts');
    expect(page.initial).toBeGreaterThan(1000);
  });

  test('contain no URL of the documentation of errors', () => {
    expect(page.chunks.map((chunk) => chunk.code).join('')).not.toContain('errors.md');
  });

  test('load the checkout itself later', () => {
    expect(page.later).toBeGreaterThan(0);
  });

  test('load what follows a checkout apart, and only where a page wants to be told', () => {
    const holds = page.chunks.filter(({ code }) => code.includes('text/event-stream'));
    expect(holds.map(({ isEntry, isDynamicEntry }) => [isEntry, isDynamicEntry])).toEqual([
      [false, true],
    ]);
    const [{ fileName = '' } = {}] = holds;
    const importers = page.chunks.filter(({ imports }) => imports.includes(fileName));
    expect(importers).toEqual([]);
  });

  test('bring neither react-query nor zod, at once or later', () => {
    expect(page.modules.filter((id) => /[/\\](@tanstack|zod)[/\\]/.test(id))).toEqual([]);
    expect(page.externals.filter((name) => !/^react/.test(name))).toEqual([]);
  });
});

describe('NftCheckout, RampProvider and createHttpSigner', () => {
  const limit = sizeLimits.NftCheckout;

  test(`load at most ${limit} B at once, and nothing of the on-ramp button`, async () => {
    const page = await bundlePage(nftPage);
    report('NftCheckout', page);
    expect(page.initial).toBeLessThanOrEqual(limit);
    const code = page.chunks.filter(({ isEntry }) => isEntry).map((chunk) => chunk.code);
    expect(code.join('')).toContain('mintQuantity');
    expect(code.join('')).not.toContain('cryptoNetwork');
  });
});

describe('QuotePreview and RampProvider', () => {
  const limits = { own: sizeLimits.QuotePreview, all: 15_000, shown: 11_100 };
  let own: PageBundle;
  let all: PageBundle;
  beforeAll(async () => {
    own = await bundlePage(quotePage, [/^@tanstack\/react-query/]);
    all = await bundlePage(quotePage);
  });

  test(`load at most ${limits.own} B of their own at once`, () => {
    report('QuotePreview', own);
    expect(own.initial).toBeLessThanOrEqual(limits.own);
    expect(own.initial).toBeGreaterThan(1500);
  });

  test(`load at most ${limits.all} B at once with react-query`, () => {
    report('QuotePreview with react-query', all);
    expect(all.initial).toBeLessThanOrEqual(limits.all);
    expect(all.modules.filter((id) => id.includes('@tanstack')).length).toBeGreaterThan(0);
  });

  test(`take at most ${limits.shown} B of their own until the card is shown`, () => {
    // What comes later comes for every card, while its currencies are fetched.
    expect(own.initial + own.later).toBeLessThanOrEqual(limits.shown);
  });

  test('load the content of the card later, its list of currencies too', () => {
    const code = own.chunks.filter((chunk) => !chunk.isEntry).map((chunk) => chunk.code);
    expect(code.join('')).toContain('listbox');
  });
});

describe('CheckoutStatus and RampProvider', () => {
  const limits = { initial: sizeLimits.CheckoutStatus, shown: 10_050 };
  let page: PageBundle;
  beforeAll(async () => {
    page = await bundlePage(statusPage);
  });

  test(`load at most ${limits.initial} B at once`, () => {
    report('CheckoutStatus', page);
    expect(page.initial).toBeLessThanOrEqual(limits.initial);
    expect(page.initial).toBeGreaterThan(1000);
  });

  test(`take at most ${limits.shown} B until the order is shown, with the list of others`, () => {
    expect(page.initial + page.later).toBeLessThanOrEqual(limits.shown);
  });

  test('load the steps and their texts later, and nothing of the buttons and prices', () => {
    const code = page.chunks.map((chunk) => chunk.code).join('');
    const first = page.chunks.filter(({ isEntry }) => isEntry).map((chunk) => chunk.code);
    expect(code).toContain('stepPayment');
    expect(first.join('')).not.toContain('stepPayment');
    expect(code).not.toMatch(/<iframe|createElement\(`?dialog|Search currencies|walletAddress/);
    expect(page.externals.filter((name) => !/^react/.test(name))).toEqual([]);
  });
});
