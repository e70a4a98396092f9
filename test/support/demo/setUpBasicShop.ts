import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import type { LaunchOptions, Page } from 'playwright';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { contextOptions } from '../browser/launchOptions.js';
import { setUpBrowser } from '../browser/setUpBrowser.js';
import { root } from '../root.js';
import { buildPageScript } from './buildPageScript.js';
import { type Site, startSite } from './startSite.js';

/**
 * A page of a Basic Partner, without a backend. Its query sets the display of the widget, and whether the button is
 * in a shadow tree with all styles.
 */
const script = `
import { createElement as h, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { OnRampButton } from '@partner-ramp/react';
const { widgetUrl, display, tree } = Object.fromEntries(new URLSearchParams(location.search));
window.events = [];
const props = { widgetUrl, display, amount: '100', onEvent: ({ type }) => window.events.push(type) };
let parent = document.body.appendChild(document.createElement('main'));
if (tree) (parent = parent.attachShadow({ mode: tree })).append(document.querySelector('style'));
createRoot(parent.appendChild(document.createElement('div'))).render(
  h(StrictMode, null, h(OnRampButton, props)),
);
`;

/** A page with one button, which is opened again for each test. */
export interface BasicShop {
  readonly sandbox: Sandbox;
  readonly page: Page;
  /** Opens the page with `given` in its query. */
  visit(display: string, given?: Readonly<Record<string, string>>): Promise<void>;
}

/** Serves the page for the tests of a file. */
export function setUpBasicShop(options: LaunchOptions = {}): BasicShop {
  const chrome = setUpBrowser(options);
  let site: Site;
  const shop = {
    async visit(display: string, given = {}) {
      const query = new URLSearchParams({ widgetUrl: shop.sandbox.widgetUrl, display, ...given });
      await shop.page.goto(`${site.origin}/?${query}`);
    },
  } as { -readonly [K in keyof BasicShop]: BasicShop[K] };
  beforeAll(async () => {
    shop.sandbox = chrome.closeLater(await startSandbox());
    const css = readFileSync(join(root, 'dist/styles.css'), 'utf8');
    const code = (await buildPageScript(script)).replaceAll('</script', '<\\/script');
    const html = `<!doctype html><html lang="en"><title>Shop</title><style>${css}</style><body><script>${code}</script>`;
    // A real server, because browsers treat the frames of a page by its origin.
    const started = await startSite(
      () => () => new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
    );
    site = chrome.closeLater(started);
  });
  beforeEach(async () => {
    shop.page = await chrome.browser.newPage(contextOptions);
  });
  afterEach(() => shop.page.close());
  return shop;
}
