import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import type { LaunchOptions, Page } from 'playwright';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { contextOptions } from '../support/browser/launchOptions.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { root } from '../support/root.js';
import { buildPageScript } from '../support/shop/buildPageScript.js';
import { type Site, startSite } from '../support/shop/startSite.js';

/**
 * The page of a Basic Partner, who has no backend. The query sets `widgetUrl`, the `display` of the button, and `tree`.
 * `tree` is the mode (`open` or `closed`) of the shadow tree that contains the button and its styles. Without `tree`,
 * the button is in the page itself.
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

/** A page with one button. Each test has a new browser page. */
export interface BasicShop {
  readonly sandbox: Sandbox;
  readonly page: Page;
  /** Opens the page. `given` are further parameters of its query. */
  visit(display: string, given?: Readonly<Record<string, string>>): Promise<void>;
}

/** Starts the sandbox and a server of the page for the tests of a file. */
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
    // Serve the page over HTTP, because the browser's rules for its frames depend on the origin of the page.
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
