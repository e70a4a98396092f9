import type { BrowserContext, Page } from 'playwright';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type StartedShop, startShop, visit } from '../../server-example/test/support/startShop.js';
import { contextOptions } from '../support/browser/launchOptions.js';
import { listAxeViolations } from '../support/browser/listAxeViolations.js';
import { payInWidget } from '../support/browser/payInWidget.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { findWidgetFrame } from '../support/shop/setUpShopPage.js';

const chrome = setUpBrowser();
let shop: StartedShop;
let context: BrowserContext;
let page: Page;
let problems: string[];
beforeAll(async () => {
  shop = chrome.closeLater(await startShop({ stepMs: 200 }));
});
beforeEach(async () => {
  problems = [];
  context = await chrome.browser.newContext(contextOptions);
  page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(shop.url);
});
afterEach(() => context.close());

const buy = (coin = 'USDT') =>
  page.getByRole('button', { name: new RegExp(`^Buy [\\d.]+ ${coin}$`) });

describe('a shopper in the small shop', () => {
  it('sees the price, signs in, pays, and sees the order delivered and booked', async () => {
    await page.getByText('You get').waitFor();
    expect(await buy().count()).toBe(0);
    expect(await listAxeViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Sign in as Ann to buy' }).click();
    await buy().waitFor();
    expect(await buy().evaluate((button) => button === document.activeElement)).toBe(true);
    await buy().click();
    await payInWidget(await findWidgetFrame({ page }));
    await page.getByRole('button', { name: 'Close the checkout' }).click();

    const topUp = page.getByRole('region', { name: 'Top up' });
    await topUp.getByRole('heading', { name: 'Delivered' }).waitFor();
    const [order] = shop.sandbox.orders();
    const purchases = page.getByRole('table', { name: 'Your purchases' });
    await purchases.getByRole('cell', { name: order?.orderId ?? 'no order' }).waitFor();
    const checkouts = page.getByRole('region', { name: 'Your checkouts' });
    await checkouts.getByText('Delivered').first().waitFor();
    expect(await listAxeViolations(page)).toEqual([]);
    // Such as a violation of the Content-Security-Policy.
    expect(problems).toEqual([]);

    const ann = await visit(shop, 'ann');
    expect(await ann.listPurchases()).toMatchObject([{ orderId: order?.orderId }]);
  });

  it('sees nothing of another shopper, and is offered no coin without a wallet', async () => {
    await page.getByRole('button', { name: 'Bob' }).click();
    await page.getByText('Nothing yet.').waitFor();
    await page.getByText('No orders yet').waitFor();
    await page.getByRole('button', { name: /^USDT/ }).click();
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option', { name: /ETH/ }).count()).toBeGreaterThan(0);
    expect(await page.getByRole('option', { name: /BTC/ }).count()).toBe(0);
  });
});
