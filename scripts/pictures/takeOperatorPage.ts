import type { Browser, Page } from 'playwright';
import { payInWidget } from '../../test/support/browser/payInWidget.js';
import { type Demo, startDemo } from '../../test/support/shop/startDemo.js';

const buy = (page: Page) => page.locator('.buy').filter({ hasText: /^Buy / });

/** Makes several purchases and pays for one print twice, so that the page shows different states. */
async function buyAll(page: Page, demo: Demo): Promise<void> {
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

/** Takes a picture of the operator's page after several sales. */
export async function takeOperatorPage(
  browser: Browser,
  colorScheme: 'light' | 'dark',
): Promise<Buffer> {
  const demo = await startDemo({ sandbox: { settleMs: 6000 } });
  const context = await browser.newContext({
    colorScheme,
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
  });
  try {
    const page = await context.newPage();
    await page.goto(demo.shopUrl);
    await buy(page).waitFor();
    await buyAll(page, demo);
    await page.goto(`${demo.shopUrl}operator`);
    await page.getByLabel('Password').fill(demo.operatorPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await page.waitForTimeout(500);
    return await page.screenshot();
  } finally {
    await context.close();
    await demo.close();
  }
}
