import { beforeAll, expect, test } from 'vitest';
import { bundlePage, buttonPage, type PageBundle } from '../support/bundle-page.js';

const limit = 2500;
let page: PageBundle;

beforeAll(async () => {
  page = await bundlePage(buttonPage);
});

test(`OnRampButton, RampProvider and createHttpSigner load at most ${limit} B at once`, () => {
  const { initial, later } = page;
  process.stdout.write(`OnRampButton: ${initial} B at once, ${later} B later (gzip)\n`);
  expect(initial).toBeLessThanOrEqual(limit);
});

test('the figure is of a button, not of an empty page', () => {
  const code = page.chunks.map((chunk) => chunk.code).join('');
  expect(code).toContain('/checkouts');
  expect(page.initial).toBeGreaterThan(1000);
});

test('the checkout itself is loaded later', () => {
  expect(page.later).toBeGreaterThan(0);
});
