import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readGuides, toStorybookTitle } from '../../../scripts/docs/guides.js';
import { contextOptions, launchOptions } from '../../support/browser/launchOptions.js';
import { listAxeViolations } from '../../support/browser/listAxeViolations.js';
import { getWidgetState, payInWidget } from '../../support/browser/payInWidget.js';
import { root } from '../../support/root.js';

interface Entry {
  readonly id: string;
  readonly type: 'docs' | 'story';
  readonly title: string;
}

let server: Server;
let browser: Browser;
let page: Page;
let address: string;
let entries: Entry[];
const faults: string[] = [];

// Serves the built Storybook from a subfolder. A request for any other path, or another origin, is a fault.
beforeAll(async () => {
  const app = express();
  app.use('/somewhere/below', express.static(join(root, 'storybook-static')));
  app.use((request, response) => {
    const referer = request.get('referer') ?? '';
    // A poll of the previous page may arrive after the page has been left.
    const isLate = referer.includes('/iframe.html?') && referer !== page.url().split('#')[0];
    if (!isLate) faults.push(`has no ${request.path}`);
    response.sendStatus(404);
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/somewhere/below/`;
  const index = await (await fetch(`${address}index.json`)).json();
  entries = Object.values(index.entries);
  browser = await chromium.launch(launchOptions);
  page = await browser.newPage(contextOptions);
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    // Stories show refused and failed requests, which their mocks answer. A file that is missing is a fault above.
    const isResource = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isResource) faults.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (/^https?:/.test(url) && !url.startsWith(new URL(address).origin))
      faults.push(`requested ${url}`);
  });
});
beforeEach(async () => {
  // Unload the previous page first. Its stories poll until then, and would cause faults once their mocks are removed.
  await page.goto('about:blank');
  faults.length = 0;
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

const guides = ['Guides/Overview', ...readGuides().map(toStorybookTitle)];
const components = [
  ...['OnRampButton', 'QuotePreview', 'CheckoutStatus', 'CheckoutHistory', 'CheckoutInProgress'],
  ...['NftCard', 'NftCheckout', 'Themes', 'CheckoutNote', 'RampButton'],
];
const pages = [...guides, ...components.map((name) => `Components/${name}`)];

/** Returns the ids of the Storybook pages to which a guide links. */
const linked = () =>
  page
    .locator('.sbdocs-content a[href*="path=/docs/"]')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href')?.split(/\/docs\/|#/)[1] ?? ''));

/**
 * Waits until each story of a page is shown. The network may never be idle, because some stories poll while they are
 * mounted.
 */
async function storiesShown(): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.sb-story')].every((story) =>
      story.querySelector('.story-page'),
    ),
  );
}

/** Returns the axe violations of a page. Leaves out code blocks, which Storybook styles, and stories, which have tests. */
const findings = () =>
  listAxeViolations(
    page,
    { include: ['.sbdocs-content'], exclude: ['.docblock-source', '.sb-story', 'iframe', 'pre'] },
    { rules: { region: { enabled: false } } },
  );

describe('the built Storybook', () => {
  it('has a page for each guide', () => {
    const docs = entries.filter(({ type, title }) => type === 'docs' && /^Guide|^Ref/.test(title));
    expect(docs.map(({ title }) => title).sort()).toEqual(guides.toSorted());
  });

  it('begins with a page whose links lead to pages', async () => {
    expect(entries[0]?.id).toBe('introduction--introduction');
    await page.goto(`${address}iframe.html?id=introduction--introduction&viewMode=story`);
    await page.getByText('Delivered', { exact: true }).waitFor();
    const links = page.locator('.landing nav a');
    const paths = await links.evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''));
    const ids = paths.flatMap((path) => path.split(/path=\/(?:docs|story)\//)[1] ?? []);
    expect(ids.length).toBeGreaterThanOrEqual(3);
    expect(entries.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(faults).toEqual([]);
  });

  it.each(
    pages.flatMap(
      (title) =>
        [
          [title, 'light'],
          [title, 'dark'],
        ] as const,
    ),
  )(
    'shows %s completely and accessibly in %s, with resources of its folder only',
    async (title, scheme) => {
      const { id } = entries.find(
        (entry) => entry.type === 'docs' && entry.title === title,
      ) as Entry;
      await page.goto(`${address}iframe.html?id=${id}&viewMode=docs&globals=scheme:${scheme}`);
      await page.locator('.sbdocs-content h1').waitFor();
      await storiesShown();
      expect(faults).toEqual([]);
      // The page must not show the source text of Markdown tables, or the tags of documentation comments.
      expect(await page.getByText(/\|---|\{@link|service interface, section \d/).count()).toBe(0);
      const ids = new Set(entries.map((entry) => entry.id));
      expect((await linked()).filter((path) => !ids.has(path))).toEqual([]);
      expect(await findings()).toEqual([]);
    },
  );

  it('opens a checkout that verifies its signature, and completes the order', async () => {
    await page.goto(`${address}iframe.html?id=components-onrampbutton--playground&viewMode=story`);
    await page.getByRole('button', { name: 'Buy crypto' }).click();
    const frame = await (await page.waitForSelector('iframe.ramp-frame')).contentFrame();
    if (!frame) throw new Error('The frame is empty.');
    expect(await getWidgetState(frame)).toBe('form');
    expect(await frame.locator('#root').getAttribute('data-verified')).toContain('partnerId=');
    await payInWidget(frame);
    expect(faults).toEqual([]);
  });
});
