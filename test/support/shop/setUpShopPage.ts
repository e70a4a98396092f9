import type { BrowserContext, Frame, Page } from 'playwright';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { contextOptions } from '../browser/launchOptions.js';
import { setUpBrowser } from '../browser/setUpBrowser.js';
import { type Demo, type DemoOptions, startDemo } from './startDemo.js';

/** The demo, which the tests of a file share, and the shop's page in a new browser context for each test. */
export interface ShopPage {
  readonly demo: Demo;
  readonly context: BrowserContext;
  readonly page: Page;
}

/** Starts the demo before the tests of a file, and opens the shop's page before each test. */
export function setUpShopPage(options?: DemoOptions): ShopPage {
  const chrome = setUpBrowser();
  const shop = {} as { -readonly [K in keyof ShopPage]: ShopPage[K] };
  beforeAll(async () => {
    shop.demo = chrome.closeLater(await startDemo(options));
  });
  beforeEach(async () => {
    const options = { ...contextOptions, viewport: { width: 1280, height: 900 }, locale: 'en-GB' };
    shop.context = await chrome.browser.newContext(options);
    shop.page = await shop.context.newPage();
    await shop.page.goto(shop.demo.shopUrl);
  });
  afterEach(() => shop.context.close());
  return shop;
}

export async function findWidgetFrame({ page }: Pick<ShopPage, 'page'>): Promise<Frame> {
  const frame = page.locator('dialog iframe');
  await frame.waitFor();
  const content = await (await frame.elementHandle())?.contentFrame();
  if (!content) throw new Error('The dialog has no frame.');
  // The frame is about:blank until it navigates to the widget.
  await content.waitForURL(/^https?:/, { waitUntil: 'commit' });
  return content;
}
