import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { launchOptions } from '../test/support/chromium.js';
import { startDemo } from '../test/support/demo.js';

const looks: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
  'phone-dark': {
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
  },
};

const buy = (page: Page) => page.locator('.buy').filter({ hasText: /^Buy / });

/** What is looked at, each on a page that was just opened. */
const views: Readonly<Record<string, (page: Page, path: string) => Promise<unknown>>> = {
  storefront: (page, path) => page.screenshot({ path, fullPage: true }),
  async quote(page, path) {
    await page.getByRole('button', { name: /^USDT/ }).click();
    await page.waitForTimeout(500);
    await page.screenshot({ path });
  },
  async modal(page, path) {
    await buy(page).click();
    await page.frameLocator('iframe').locator('main[data-state="form"]').waitFor();
    // Faded in.
    await page.waitForTimeout(800);
    await page.screenshot({ path });
  },
  async card(page, path) {
    await page
      .getByText(/^About /)
      .first()
      .waitFor();
    await page.locator('.gallery').screenshot({ path });
  },
};

async function take(browser: Browser, shopUrl: string, folder: string): Promise<void> {
  for (const [look, options] of Object.entries(looks))
    for (const [view, shoot] of Object.entries(views)) {
      const context = await browser.newContext({ ...options, locale: 'en-GB' });
      const page = await context.newPage();
      await page.goto(shopUrl);
      await buy(page).waitFor();
      await page.waitForTimeout(300);
      const path = join(folder, `${view}-${look}.png`);
      await shoot(page, path);
      await context.close();
      process.stdout.write(`${path}\n`);
    }
}

/**
 * Takes pictures of the demo: the storefront, a price with its list, the dialog and the NFT cards, in
 * light, dark and on a phone. They are for looking at. It needs `npm run build` and `build:example`.
 */
export async function takeScreenshots(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const demo = await startDemo();
  const browser = await chromium.launch(launchOptions);
  try {
    await take(browser, demo.shopUrl, folder);
  } finally {
    await browser.close();
    await demo.close();
  }
}
