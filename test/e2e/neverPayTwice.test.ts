import type { Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { contextOptions } from '../support/browser/launchOptions.js';
import { getWidgetState, payInWidget } from '../support/browser/payInWidget.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { type CountedShop, startCountedShop } from './startCountedShop.js';

// How long after its payment an order appears in the order list of the service.
const SOON_MS = 600;
const LATE_MS = 10_000;

const chrome = setUpBrowser();
let shop: CountedShop;
let page: Page;

afterEach(async () => {
  await page?.context().close();
  await shop?.close();
});

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const question = () => page.getByRole('alertdialog', { name: 'Have you already paid?' });
const card = () => page.locator('.ramp-status');
const notice = () => page.locator('.ramp-notice');
const opened = () => page.evaluate<string[]>('window.opened');

/**
 * Fills in the widget in the dialog, and pays unless `isPaid` is false. Then advances the page's clock by six seconds,
 * because the page asks about a payment only once the widget has been open for five seconds. Returns the reference of
 * the checkout.
 */
async function buy(listedMs: number, isPaid = true, pollSeconds?: number): Promise<string> {
  shop = await startCountedShop(listedMs / 2, pollSeconds);
  const context = await chrome.browser.newContext({
    ...contextOptions,
    viewport: { width: 1280, height: 900 },
  });
  page = await context.newPage();
  await page.addInitScript(
    'window.skipped = 0; const now = performance.now.bind(performance); performance.now = () => now() + skipped;',
  );
  await page.goto(shop.url);
  await press('Buy crypto');
  const frame = await (await page.waitForSelector('iframe.ramp-frame')).contentFrame();
  if (!frame) throw new Error('The dialog has no frame.');
  await frame.locator('main[data-state="form"]').waitFor();
  await frame.getByRole('textbox').first().fill('100');
  await frame.getByRole('button', { name: 'Continue' }).click();
  await frame.getByLabel('E-mail').fill('shopper@example.com');
  if (isPaid) {
    await frame.getByRole('button', { name: /^Pay / }).click();
    await frame.locator('main[data-state="form"]').waitFor({ state: 'detached' });
  }
  await page.evaluate('window.skipped = 6000');
  const [reference] = shop.signed;
  expect(shop.signed).toHaveLength(1);
  return `${reference}`;
}

/** Expects the card to show the first order as delivered, and the page to have no other checkout. */
async function expectDelivered(reference: string): Promise<void> {
  await expect.poll(() => card().getAttribute('data-state'), { timeout: 30_000 }).toBe('finished');
  expect(new Set(await opened())).toEqual(new Set([reference]));
  expect(await card().getByRole('button', { name: 'Show' }).count()).toBe(0);
  expect(await card().innerText()).toMatch(/^Delivered/);
  const [order, ...others] = await shop.sandbox.orders();
  expect([order?.ext, others]).toEqual([reference, []]);
}

async function expectNoMoreSignatures(reference: string): Promise<void> {
  const before = shop.signed.length;
  const status = await page.evaluate(
    `fetch('/api/ramp/checkouts/${reference}/continue', { method: 'POST' }).then((r) => r.status)`,
  );
  expect([status, shop.signed.length]).toEqual([409, before]);
}

describe('"Open in a new window" after the widget was used', () => {
  it('follows the order when the shopper has paid', async () => {
    const reference = await buy(SOON_MS);
    await press('Open in a new window');
    await question().waitFor();
    await press("Yes, I've paid");
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await notice().innerText()).toMatch(/don't pay again|Delivered/);
    await expectDelivered(reference);
    await expect.poll(() => notice().innerText(), { timeout: 8000 }).toBe('');
    expect(shop.signed).toEqual([reference]);
    await expectNoMoreSignatures(reference);
  });

  it('continues the same checkout after "No", and the order is listed 10 s later', async () => {
    const reference = await buy(LATE_MS);
    await press('Open in a new window');
    await question().waitFor();
    const popup = page.waitForEvent('popup');
    await press('No, continue in a new window');
    const second = await popup;
    await second.waitForURL(/\/home\?/);
    expect(await getWidgetState(second.mainFrame())).toBe('form');
    expect(new URL(second.url()).searchParams.get('ext')).toBe(reference);
    // When the order of the first widget is listed, the page tells the shopper not to pay in the second window too.
    await expect
      .poll(() => notice().innerText(), { timeout: 30_000 })
      .toMatch(
        /^Your payment has been received\. Don't pay again\. Close the other checkout window\./,
      );
    // The page cannot close this window, because it has another origin and no opener. So the shopper closes it.
    await second.close();
    await expect.poll(() => notice().innerText()).not.toContain('Close the other');
    await expectDelivered(reference);
    // Both signatures have the same reference, and the second was signed before the order was listed.
    expect(shop.signed).toEqual([reference, reference]);
    await expectNoMoreSignatures(reference);
  });

  it('refuses a signature after "No" when the order is listed', async () => {
    // With a poll interval of 3600 s, the backend reads the order list only when it is asked for a new signature.
    const reference = await buy(SOON_MS, true, 3600);
    await expect.poll(async () => (await shop.sandbox.orders()).length).toBe(1);
    await press('Open in a new window');
    await question().waitFor();
    const popup = page.waitForEvent('popup');
    await press('No, continue in a new window');
    const blank = await popup;
    await page.locator('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => blank.isClosed()).toBe(true);
    await expectDelivered(reference);
    expect(shop.signed).toEqual([reference]);
  });

  it('opens nothing while the backend cannot check, and continues on "Try again"', async () => {
    const reference = await buy(SOON_MS, false);
    const requests: string[] = [];
    await page.route('**/continue', (route) => {
      requests.push(route.request().method());
      return route.fulfill({
        status: 503,
        headers: { 'Retry-After': '3' },
        json: { error: { code: 'ERR_API_RESPONSE', message: 'The order list could not be read.' } },
      });
    });
    await press('Open in a new window');
    await question().waitFor();
    const popup = page.waitForEvent('popup');
    await press('No, continue in a new window');
    const blank = await popup;
    await expect.poll(() => blank.title()).toBe('Checking for your payment…');
    await page.getByText('Checking for your payment…').waitFor();
    await page
      .getByRole('alertdialog', { name: 'We could not check whether you have paid.' })
      .waitFor();
    await expect.poll(() => blank.isClosed()).toBe(true);
    expect(requests.length).toBeGreaterThan(1);
    expect(await page.getByRole('button', { name: 'Start a new checkout' }).count()).toBe(0);
    expect(shop.signed).toEqual([reference]);
    await page.unroute('**/continue');
    const retried = page.waitForEvent('popup');
    await press('Try again');
    const second = await retried;
    await second.waitForURL(/\/home\?/);
    expect(new URL(second.url()).searchParams.get('ext')).toBe(reference);
    expect(shop.signed).toEqual([reference, reference]);
  });

  it('keeps the widget unchanged when the question is dismissed', async () => {
    const reference = await buy(SOON_MS);
    await press('Open in a new window');
    await question().waitFor();
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    expect(await page.locator('dialog iframe').isVisible()).toBe(true);
    await expectDelivered(reference);
    expect(shop.signed).toEqual([reference]);
    await expectNoMoreSignatures(reference);
  });

  it('matches a payment in the second window with the first reference', async () => {
    const reference = await buy(SOON_MS, false);
    await press('Open in a new window');
    const popup = page.waitForEvent('popup');
    await press('No, continue in a new window');
    const second = await popup;
    await second.waitForURL(/\/home\?/);
    await second.locator('main[data-state="form"]').waitFor();
    await second.getByRole('textbox').first().fill('100');
    await payInWidget(second.mainFrame());
    await expectDelivered(reference);
    expect(shop.signed).toEqual([reference, reference]);
    await page.reload();
    await expect.poll(() => card().getAttribute('data-state')).toBe('finished');
  });
});
