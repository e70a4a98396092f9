import { describe, expect, it } from 'vitest';
import { getWidgetState } from '../support/browser/payInWidget.js';
import { setUpBasicShop } from './setUpBasicShop.js';

const shop = setUpBasicShop({ ignoreDefaultArgs: ['--hide-scrollbars'] });
const button = () => shop.page.getByRole('button', { name: 'Buy crypto' });
const close = () => shop.page.getByRole('button', { name: 'Close the checkout' });

/** Opens the checkout with the keyboard, as users of screen readers do. */
const open = async (display: string) => {
  await shop.visit(display);
  await button().focus();
  await shop.page.keyboard.press('Enter');
};
/** Returns the accessibility tree of the page. Each node has its role and name, as a screen reader announces them. */
async function accessible() {
  const cdp = await shop.page.context().newCDPSession(shop.page);
  const { nodes } = await cdp.send('Accessibility.getFullAXTree');
  await cdp.detach();
  return nodes
    .filter(({ ignored, role }) => !ignored && role?.value !== 'RootWebArea')
    .map(({ role, name, properties }) => ({
      text: `${role?.value} ${name?.value}`,
      isFocused: properties?.some((one) => one.name === 'focused' && one.value.value === true),
    }));
}
const focused = async () => (await accessible()).find(({ isFocused }) => isFocused)?.text;
const ANNOUNCED = /^(?:dialog|region|alert|button|link|Iframe) /;
const announced = async () =>
  (await accessible()).map(({ text }) => text).filter((text) => ANNOUNCED.test(text));

describe('a checkout with screen reader and keyboard', () => {
  it('names the dialog, moves the focus into it, and restores the focus after Escape', async () => {
    await open('modal');
    await shop.page.locator('dialog[data-state="ready"]').waitFor();
    // The list has no "button Buy crypto", because the page behind the dialog is inert.
    expect(await announced()).toEqual([
      'dialog Checkout',
      'button Open in a new window',
      'button Close the checkout',
      'Iframe Checkout',
    ]);
    expect(await focused()).toBe('dialog Checkout');
    await shop.page.keyboard.press('Escape');
    await shop.page.locator('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe('button Buy crypto');
  });

  it('is a named region when inline, which Escape does not close', async () => {
    await open('inline');
    await shop.page.locator('.ramp-inline[data-state="ready"]').waitFor();
    expect(await announced()).toEqual([
      'button Buy crypto',
      'region Checkout',
      'button Open in a new window',
      'button Close the checkout',
      'Iframe Checkout',
    ]);
    expect(await focused()).toBe('region Checkout');
    await shop.page.keyboard.press('Escape');
    expect(await close().count()).toBe(1);
    await close().press('Enter');
    await shop.page.getByRole('region').waitFor({ state: 'detached' });
    expect(await focused()).toBe('button Buy crypto');
  });

  it('keeps the focus of the page when a window opens, and opens one window for several presses', async () => {
    const popup = shop.page.waitForEvent('popup');
    await open('window');
    const opened = await popup;
    await opened.waitForURL(`${shop.sandbox.widgetUrl}/home?**`);
    expect(await getWidgetState(opened.mainFrame())).toBe('form');
    expect(await focused()).toBe('button Buy crypto');
    await shop.page.keyboard.press('Enter');
    await shop.page.waitForTimeout(300);
    expect(shop.page.context().pages()).toHaveLength(2);
    await opened.close();
    await expect.poll(() => button().getAttribute('data-state')).toBe('idle');
    expect(await focused()).toBe('button Buy crypto');
  });

  it('announces a blocked window immediately, with a link, and keeps the focus', async () => {
    await shop.page.addInitScript('window.open = () => null');
    await open('window');
    await shop.page.getByRole('alert').waitFor();
    expect(await announced()).toEqual([
      'button Buy crypto',
      'alert ',
      'link Open the checkout here.',
    ]);
    expect(await shop.page.getByRole('alert').textContent()).toMatch(/^The window did not open\. /);
    expect(await focused()).toBe('button Buy crypto');
    const popup = shop.page.waitForEvent('popup');
    await shop.page.keyboard.press('Tab');
    expect(await focused()).toBe('link Open the checkout here.');
    await shop.page.keyboard.press('Enter');
    await (await popup).waitForURL(`${shop.sandbox.widgetUrl}/home?**`);
    // Without a screen, both pages keep the focus.
    await shop.page.evaluate(() => window.dispatchEvent(new Event('blur')));
    expect(await focused()).toBe('button Buy crypto');
  });

  it('redirects after one key press', async () => {
    await open('redirect');
    await shop.page.waitForURL(`${shop.sandbox.widgetUrl}/home?**`);
    expect(await getWidgetState(shop.page.mainFrame())).toBe('form');
  });
});

describe('the page behind the dialog', () => {
  it('does not move when its scroll bar disappears, and has its styles restored', async () => {
    await shop.visit('modal');
    await shop.page.evaluate(
      "document.body.style.height = '3000px'; document.documentElement.style.overflow = 'auto'",
    );
    const measured = () =>
      shop.page.evaluate(() => ({
        width: document.documentElement.clientWidth,
        barWidth: innerWidth - document.documentElement.getBoundingClientRect().width,
        style: document.documentElement.style.cssText,
      }));
    const before = await measured();
    expect(before.barWidth).toBeGreaterThan(0);
    await button().click();
    await shop.page.locator('dialog').waitFor();
    const during = await measured();
    expect(during.barWidth).toBe(before.barWidth);
    expect(during.style).toContain('overflow: hidden');
    await close().click();
    await shop.page.locator('dialog').waitFor({ state: 'detached' });
    expect(await measured()).toEqual(before);
  });
});
