import { describe, expect, it } from 'vitest';
import { payInWidget } from '../support/browser/payInWidget.js';
import { findWidgetFrame, setUpShopPage } from '../support/shop/setUpShopPage.js';

const shop = setUpShopPage();

/** Opens the checkout of the shop in place of the page, as `display="redirect"` does, and returns its reference. */
async function leaveForWidget(): Promise<string> {
  await shop.page
    .getByRole('region', { name: 'Top up your wallet' })
    .getByRole('button', { name: /^Buy / })
    .click();
  const widget = await findWidgetFrame(shop);
  const url = widget.url();
  await shop.page.goto(url);
  return new URL(url).searchParams.get('ext') ?? '';
}

const card = () => shop.page.locator('.ramp-status');
const visitReturn = (query = '') => shop.page.goto(`${shop.demo.shopUrl}return${query}`);

describe('the return page of the example', () => {
  it('shows the order of the link in a mail, and nothing of it to another shopper', async () => {
    const reference = await leaveForWidget();
    await payInWidget(shop.page.mainFrame());
    await shop.page.getByRole('button', { name: 'Done' }).click();
    await shop.page.getByText('You can close this page now.').waitFor();
    await visitReturn(`?reference=${reference}`);
    await card().and(shop.page.locator('[data-state="finished"]')).waitFor();
    expect(await card().innerText()).toMatch(/^Delivered/);
    await shop.page.getByRole('button', { name: /Demo shopper A/ }).click();
    await shop.page.getByRole('button', { name: 'Demo shopper B' }).click();
    await shop.page.getByText('This order cannot be shown').waitFor();
    expect(await card().innerText()).not.toContain('USDT');
  });

  it('shows the checkout that the tab opened, and its state once it is paid', async () => {
    const reference = await leaveForWidget();
    await visitReturn();
    await card().and(shop.page.locator('[data-state="waiting"]')).waitFor();
    expect(reference).toMatch(/^[\w-]{20,}$/);
    await shop.page.goBack();
    await payInWidget(shop.page.mainFrame());
    await shop.page.goForward();
    await card().and(shop.page.locator('[data-state="finished"]')).waitFor();
  });

  it.each([1280, 390])('fits a window of %i px, also without an order', async (width) => {
    await shop.page.setViewportSize({ width, height: 800 });
    await visitReturn();
    await shop.page.getByRole('link', { name: 'All orders' }).waitFor();
    const overflow = await shop.page.evaluate(
      () => document.documentElement.scrollWidth - innerWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  });
});
