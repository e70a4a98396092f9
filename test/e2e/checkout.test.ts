import { describe, expect, it } from 'vitest';
import { getWidgetState, payInWidget } from '../support/browser/payInWidget.js';
import { findWidgetFrame, setUpShopPage } from '../support/shop/setUpShopPage.js';

const shop = setUpShopPage();

// Once the price has loaded, the button's text contains the amount that the shopper gets.
const buy = () => shop.page.getByRole('button', { name: /^Buy [\d.]+ USDT$/ });
const buyInWindow = () => shop.page.getByRole('button', { name: 'Open in a window instead' });

describe('a shopper in the storefront', () => {
  it('opens the widget in the dialog, pays, and sees the order delivered', async () => {
    const before = shop.demo.sandbox.orders().length;
    await buy().click();
    const widget = await findWidgetFrame(shop);
    expect(await getWidgetState(widget)).toBe('form');
    const url = new URL(widget.url());
    expect(url.origin).toBe(shop.demo.sandbox.widgetUrl);
    expect(url.searchParams.get('windowOpen')).toBe('1');
    const wallet = url.searchParams.get('walletAddress');
    expect(wallet).toMatch(/^0x[0-9a-fA-F]{40}$/);

    await payInWidget(widget);
    const orders = shop.demo.sandbox.orders().slice(before);
    expect(orders).toHaveLength(1);
    expect(orders[0]).toMatchObject({
      orderStatus: 3,
      walletAddress: wallet,
      ext: url.searchParams.get('ext'),
    });

    await shop.page.getByRole('button', { name: 'Close the checkout' }).click();
    await shop.page.locator('dialog').waitFor({ state: 'detached' });
    const again = shop.page.getByRole('button', { name: 'Buy again' });
    const hasFocus = () => again.evaluate((element) => element === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
  });

  it('pays in a separate window', async () => {
    const before = shop.demo.sandbox.orders().length;
    const [popup] = await Promise.all([shop.page.waitForEvent('popup'), buyInWindow().click()]);
    await popup.waitForURL(`${shop.demo.sandbox.widgetUrl}/home?**`);
    const frame = popup.mainFrame();
    expect(await getWidgetState(frame)).toBe('form');
    expect(new URL(popup.url()).searchParams.has('windowOpen')).toBe(false);
    expect(await frame.evaluate(() => window.opener)).toBeNull();
    await payInWidget(frame);
    expect(shop.demo.sandbox.orders()).toHaveLength(before + 1);
  });

  it('gets a link when the browser blocks the window, and can pay through it', async () => {
    await shop.page.evaluate(() => {
      window.open = () => null;
    });
    await buyInWindow().click();
    const link = shop.page.getByRole('link', { name: 'Open the checkout here.' });
    const [popup] = await Promise.all([shop.page.waitForEvent('popup'), link.click()]);
    await popup.waitForURL(`${shop.demo.sandbox.widgetUrl}/home?**`);
    expect(await getWidgetState(popup.mainFrame())).toBe('form');
    expect(await popup.evaluate(() => window.opener)).toBeNull();
    // Without a screen, both pages keep the focus.
    await shop.page.evaluate(() => window.dispatchEvent(new Event('blur')));
    await link.waitFor({ state: 'detached' });
    await payInWidget(popup.mainFrame());
  });
});

describe('the logs of the example', () => {
  it('contain neither the SecretKey nor a signature', async () => {
    await buy().click();
    const signature = new URL((await findWidgetFrame(shop)).url()).searchParams.get('signature');
    expect(signature).toHaveLength(44);
    expect(shop.demo.logs()).toContain('/api/ramp/checkouts');
    expect(shop.demo.logs()).not.toContain(shop.demo.sandbox.secretKey);
    expect(shop.demo.logs()).not.toContain(signature);
  });
});
