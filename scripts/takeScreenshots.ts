import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { launchOptions } from '../test/support/browser/launchOptions.js';
import { payInWidget } from '../test/support/browser/payInWidget.js';
import { type Demo, startDemo } from '../test/support/demo/startDemo.js';
import { takeGuidePictures } from './pictures/takeGuidePictures.js';

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

interface View {
  readonly page: Page;
  readonly path: string;
  readonly demo: Demo;
}

/** Makes several purchases, one of them of a print that is paid twice, so that the pictures show different states. */
async function buyAll({ page, demo }: View): Promise<void> {
  await buy(page).click();
  await payInDialog(page);
  await page
    .getByRole('button', { name: /^Mint 1/ })
    .nth(1)
    .click();
  await payInDialog(page);
  const checkout = () =>
    page.evaluate(async () => {
      const { listings } = await (await fetch('/listings.json')).json();
      const print = listings.find(
        ({ type, state }: Record<string, string>) => type === 'MARKET' && state === 'for-sale',
      );
      const response = await fetch('/api/ramp/checkouts', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ widget: 'nft', params: { merchantUniqueId: print?.id } }),
      });
      return (await response.json()).params as Record<string, string> | undefined;
    });
  for (const params of [await checkout(), await checkout()]) {
    if (!params) continue;
    const own = await page.context().newPage();
    await own.goto(`${demo.sandbox.widgetUrl}/home?${new URLSearchParams(params)}`);
    await payInWidget(own.mainFrame());
    await own.close();
  }
  await buy(page).click();
  await page.frameLocator('iframe').locator('main[data-state="form"]').waitFor();
  await page.getByRole('button', { name: 'Close the checkout' }).click();
}

async function payInDialog(page: Page): Promise<void> {
  const frame = await (await page.waitForSelector('dialog iframe')).contentFrame();
  if (frame) await payInWidget(frame);
  await page.getByRole('button', { name: 'Close the checkout' }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
}

const buy = (page: Page) => page.locator('.buy').filter({ hasText: /^Buy / });

/** The pictures to take, each on a newly opened page. */
const views: Readonly<Record<string, (view: View) => Promise<unknown>>> = {
  storefront: ({ page, path }) => page.screenshot({ path, fullPage: true }),
  async quote({ page, path }) {
    await page.getByRole('button', { name: /^USDT/ }).click();
    await page.waitForTimeout(500);
    await page.screenshot({ path });
  },
  async modal({ page, path }) {
    await buy(page).click();
    await page.frameLocator('iframe').locator('main[data-state="form"]').waitFor();
    // Wait until the dialog has faded in.
    await page.waitForTimeout(800);
    await page.screenshot({ path });
  },
  async card({ page, path }) {
    await page
      .getByText(/^About /)
      .first()
      .waitFor();
    await page.locator('.gallery').screenshot({ path });
  },
  async orders(view) {
    const { page, path, demo } = view;
    await buyAll(view);
    await page.screenshot({ path: path.replace('orders', 'delivered'), fullPage: true });
    await page.goto(`${demo.shopUrl}orders`);
    await page.locator('.ramp-history-entry[data-state="finished"]').first().waitFor();
    await page.waitForTimeout(1500);
    await page.screenshot({ path, fullPage: true });
    await page.goto(demo.shopUrl);
    await page.getByText('Sold').first().waitFor();
    await page.locator('.gallery').screenshot({ path: path.replace('orders', 'sold') });
  },
  async operator({ page, path, demo }) {
    await page.goto(`${demo.shopUrl}operator`);
    await page.getByLabel('Password').waitFor();
    await page.screenshot({ path: path.replace('operator', 'login') });
    await page.getByLabel('Password').fill(demo.operatorPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await page.waitForTimeout(500);
    await page.screenshot({ path: path.replace('operator', 'operator-top') });
    await page.screenshot({ path, fullPage: true });
  },
};

/** Takes all pictures of one look. The demo is started anew, so that nothing has been sold. */
async function take(browser: Browser, look: string, folder: string): Promise<void> {
  const demo = await startDemo({ sandbox: { settleMs: 6000 } });
  try {
    for (const [view, shoot] of Object.entries(views)) {
      const context = await browser.newContext({ ...looks[look], locale: 'en-GB' });
      const page = await context.newPage();
      await page.goto(demo.shopUrl);
      await buy(page).waitFor();
      await page.waitForTimeout(300);
      const path = join(folder, `${view}-${look}.png`);
      await shoot({ page, path, demo });
      await context.close();
      process.stdout.write(`${path}\n`);
    }
  } finally {
    await demo.close();
  }
}

/**
 * Takes pictures of the demo for visual review, in light, in dark and on a phone: the storefront, a price with its
 * list, the dialog, the NFT cards, a shopper's orders and the operator's page. Then takes the pictures of the guides.
 */
export async function takeScreenshots(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch(launchOptions);
  try {
    for (const look of Object.keys(looks)) await take(browser, look, folder);
    const readOperator = (look: string) => readFileSync(join(folder, `operator-top-${look}.png`));
    await takeGuidePictures(browser, { light: readOperator('light'), dark: readOperator('dark') });
  } finally {
    await browser.close();
  }
}
