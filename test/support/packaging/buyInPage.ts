import { type Browser, chromium, type Page } from 'playwright';
import { contextOptions, launchOptions } from '../browser/launchOptions.js';
import { payInWidget } from '../browser/payInWidget.js';

/** What a purchase left behind in the page. */
interface Purchase {
  /** The warnings and errors on the page's console. */
  readonly printed: readonly string[];
}

/**
 * Buys on the page of an example, and waits until the page shows the delivery.
 *
 * @param button - The name of the button that opens the widget. @default a button with the quoted amount of USDT
 * @param prepare - What the shopper does before, such as to sign in.
 */
export async function buyInPage(
  url: string,
  button: string | RegExp = /^Buy [\d.,]+ USDT$/,
  prepare?: (page: Page) => Promise<void>,
): Promise<Purchase> {
  const browser = await chromium.launch(launchOptions);
  try {
    return await buyInBrowser(browser, url, button, prepare);
  } finally {
    await browser.close();
  }
}

async function buyInBrowser(
  browser: Browser,
  url: string,
  button: string | RegExp,
  prepare?: (page: Page) => Promise<void>,
): Promise<Purchase> {
  const page = await browser.newPage({ ...contextOptions, locale: 'en-GB' });
  page.setDefaultTimeout(30_000);
  const printed: string[] = [];
  page.on('console', (message) => {
    if (/error|warning/.test(message.type())) printed.push(message.text());
  });
  page.on('pageerror', (error) => printed.push(`${error}`));

  await page.goto(url);
  await prepare?.(page);
  await page.getByRole('button', { name: button }).click();
  const frame = await (await page.locator('dialog iframe').elementHandle())?.contentFrame();
  if (!frame) throw new Error('The dialog has no frame.');
  await payInWidget(frame);
  const card = page.locator('.ramp-status[data-state="finished"]');
  await card.waitFor({ state: 'attached' });
  const close = page.getByRole('button', { name: 'Close the checkout' });
  if (await close.isVisible()) await close.click();
  await card.getByText('Delivered', { exact: true }).first().waitFor();
  return { printed };
}
