import { describe, expect, it } from 'vitest';
import { getWidgetState } from '../support/browser/payInWidget.js';
import { findWidgetFrame, setUpShopPage } from '../support/shop/setUpShopPage.js';

const shop = setUpShopPage();

// Once the price has loaded, the button's text contains the amount that the shopper gets.
const buy = () => shop.page.getByRole('button', { name: /^Buy [\d.]+ USDT$/ });

describe('a shopper in the storefront', () => {
  it('is refused by the widget after an edit of the wallet in the URL', async () => {
    await buy().click();
    const widget = await findWidgetFrame(shop);
    await getWidgetState(widget);
    const url = new URL(widget.url());
    url.searchParams.set('walletAddress', '0x000000000000000000000000000000000000dEaD');
    const response = await shop.page.goto(url.href);
    expect(response?.status()).toBe(403);
    expect(await getWidgetState(shop.page.mainFrame())).toBe('refused');
    const text = await shop.page.locator('body').innerText();
    expect(text).toContain('10003');
    expect(text).not.toContain(shop.demo.sandbox.secretKey);
  });

  it('sees "Sign in to buy" and no checkout when the session has ended', async () => {
    await shop.context.clearCookies();
    await buy().click();
    await shop.page.getByRole('alert').filter({ hasText: 'Sign in to buy' }).waitFor();
    expect(await shop.page.locator('dialog').count()).toBe(0);
  });

  it('causes one backend request for each checkout, even with hover and double click', async () => {
    const urls: string[] = [];
    shop.page.on('request', (request) => {
      if (request.url().endsWith('/checkouts')) urls.push(request.url());
    });
    await buy().hover();
    await buy().dblclick();
    await getWidgetState(await findWidgetFrame(shop));
    expect(urls).toHaveLength(1);
  });

  it('opens, pays and closes with the keyboard only', async () => {
    await buy().focus();
    await shop.page.keyboard.press('Enter');
    const widget = await findWidgetFrame(shop);
    expect(await getWidgetState(widget)).toBe('form');
    const focused = () =>
      shop.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(await focused()).toBe('Checkout');
    // Press Tab twice: "Open in a new window" comes before the close button.
    await shop.page.keyboard.press('Tab');
    await shop.page.keyboard.press('Tab');
    expect(await focused()).toBe('Close the checkout');
    await shop.page.keyboard.press('Enter');
    await shop.page.locator('dialog').waitFor({ state: 'detached' });
    expect(await buy().evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
