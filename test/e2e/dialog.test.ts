import { describe, expect, it } from 'vitest';
import { getWidgetState } from '../support/browser/payInWidget.js';
import { findWidgetFrame, setUpShopPage } from '../support/shop/setUpShopPage.js';

const shop = setUpShopPage();

const buy = () => shop.page.getByRole('button', { name: /^Buy [\d.]+ USDT$/ });
const dialog = () => shop.page.getByRole('dialog', { name: 'Checkout' });
const open = async () => {
  await buy().click();
  await dialog().waitFor();
};
/** Returns the position and size of the dialog once its animations have finished. */
const boxOf = async () => {
  await dialog().evaluate((element) =>
    Promise.all(element.getAnimations().map(({ finished }) => finished)),
  );
  return dialog().boundingBox();
};

describe('the dialog', () => {
  it('is centred on a wide screen, and fills a phone', async () => {
    await open();
    const { x = 0, width = 0 } = (await boxOf()) ?? {};
    expect(Math.abs(x + width / 2 - 1280 / 2)).toBeLessThan(1);
    await shop.page.setViewportSize({ width: 390, height: 844 });
    expect(await boxOf()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
    await shop.page.setViewportSize({ width: 844, height: 390 });
    expect(await boxOf()).toEqual({ x: 0, y: 0, width: 844, height: 390 });
  });

  it('keeps its bar and the widget clear of a notch and the home indicator', async () => {
    await shop.page.setViewportSize({ width: 390, height: 844 });
    await open();
    const cdp = await shop.context.newCDPSession(shop.page);
    await cdp.send(
      'Emulation.setSafeAreaInsetsOverride' as never,
      {
        insets: { top: 47, topMax: 47, bottom: 34, bottomMax: 34, left: 11, leftMax: 11 },
      } as never,
    );
    const close = shop.page.getByRole('button', { name: 'Close the checkout' });
    await expect.poll(async () => (await close.boundingBox())?.y ?? 0).toBeGreaterThanOrEqual(47);
    await boxOf();
    const frame = await shop.page.locator('iframe').boundingBox();
    expect(frame?.x).toBe(11);
    expect((frame?.y ?? 0) + (frame?.height ?? 0)).toBe(844 - 34);
  });

  it('is not animated when the shopper prefers reduced motion', async () => {
    await shop.page.emulateMedia({ reducedMotion: 'reduce' });
    await open();
    const moving = () => shop.page.evaluate(() => document.getAnimations().length);
    expect(await moving()).toBe(0);
    await shop.page.emulateMedia({ reducedMotion: 'no-preference' });
    await shop.page.getByRole('button', { name: 'Close the checkout' }).click();
    await open();
    expect(await moving()).toBeGreaterThan(0);
  });

  it('has a border in forced-colors mode', async () => {
    await shop.page.emulateMedia({ forcedColors: 'active' });
    await open();
    expect(await dialog().evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe(
      '1px',
    );
  });

  it('is not closed by a click outside, because a payment may be in progress', async () => {
    await open();
    const widget = await findWidgetFrame(shop);
    expect(await getWidgetState(widget)).toBe('form');
    await shop.page.mouse.click(20, 450);
    await shop.page.waitForTimeout(200);
    expect(await dialog().isVisible()).toBe(true);
  });

  it('traps the focus, and leaves Escape in the widget to the widget', async () => {
    await open();
    const widget = await findWidgetFrame(shop);
    expect(await getWidgetState(widget)).toBe('form');
    const places = new Set<string>();
    // 24 steps lead through the widget and the bar more than once.
    for (let i = 0; i < 24; i++) {
      await shop.page.keyboard.press(i < 6 ? 'Tab' : 'Shift+Tab');
      places.add(
        await shop.page.evaluate(() => {
          const at = document.activeElement;
          return at?.closest('dialog') ? at.tagName : `outside: ${at?.tagName}`;
        }),
      );
    }
    // Past the last or first element, the focus is in the browser's own controls, and the active element is the body.
    places.delete('outside: BODY');
    expect([...places].sort()).toEqual(['BUTTON', 'IFRAME']);
    await widget.getByRole('button', { name: 'Continue' }).focus();
    await shop.page.keyboard.press('Escape');
    await shop.page.waitForTimeout(200);
    expect(await dialog().isVisible()).toBe(true);
  });
});
