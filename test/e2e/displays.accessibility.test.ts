import { describe, expect, it } from 'vitest';
import { getWidgetState } from '../support/browser/payInWidget.js';
import { setUpBasicShop } from '../support/demo/setUpBasicShop.js';

const shop = setUpBasicShop({ ignoreDefaultArgs: ['--hide-scrollbars'] });
const button = () => shop.page.getByRole('button', { name: 'Buy crypto' });
const close = () => shop.page.getByRole('button', { name: 'Close the checkout' });

/** By keyboard alone, as somebody who hears the page. */
const open = async (display: string) => {
  await shop.visit(display);
  await button().focus();
  await shop.page.keyboard.press('Enter');
};
/** What a screen reader is told of the page: roles and names, as the browser gives them. */
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
const TOLD = /^(?:dialog|region|alert|button|link|Iframe) /;
const heard = async () =>
  (await accessible()).map(({ text }) => text).filter((text) => TOLD.test(text));

describe('heard and by keyboard', () => {
  it('a dialog is named, takes the focus, and gives it back at Escape', async () => {
    await open('modal');
    await shop.page.locator('dialog[data-state="ready"]').waitFor();
    // The page behind it is not there for the time being.
    expect(await heard()).toEqual([
      'dialog Checkout',
      'button Open in a new window',
      'button Close the checkout',
      'Iframe Checkout',
    ]);
    expect(await focused()).toBe('button Close the checkout');
    await shop.page.keyboard.press('Escape');
    await shop.page.locator('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe('button Buy crypto');
  });

  it('an inline checkout is a named part of the page, which Escape does not take away', async () => {
    await open('inline');
    await shop.page.locator('.ramp-inline[data-state="ready"]').waitFor();
    expect(await heard()).toEqual([
      'button Buy crypto',
      'region Checkout',
      'button Open in a new window',
      'button Close the checkout',
      'Iframe Checkout',
    ]);
    expect(await focused()).toBe('button Close the checkout');
    await shop.page.keyboard.press('Escape');
    expect(await close().count()).toBe(1);
    await shop.page.keyboard.press('Enter');
    await shop.page.getByRole('region').waitFor({ state: 'detached' });
    expect(await focused()).toBe('button Buy crypto');
  });

  it('a window leaves the focus of the page where it was, and is one for many presses', async () => {
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

  it('a blocked window is told of at once, with a link; the focus stays', async () => {
    await shop.page.addInitScript('window.open = () => null');
    await open('window');
    await shop.page.getByRole('alert').waitFor();
    expect(await heard()).toEqual(['button Buy crypto', 'alert ', 'link Open the checkout here.']);
    expect(await shop.page.getByRole('alert').textContent()).toMatch(/^The window was blocked\. /);
    expect(await focused()).toBe('button Buy crypto');
    const popup = shop.page.waitForEvent('popup');
    await shop.page.keyboard.press('Tab');
    expect(await focused()).toBe('link Open the checkout here.');
    await shop.page.keyboard.press('Enter');
    await (await popup).waitForURL(`${shop.sandbox.widgetUrl}/home?**`);
    expect(await focused()).toBe('button Buy crypto');
  });

  it('a redirect needs no more than a key', async () => {
    await open('redirect');
    await shop.page.waitForURL(`${shop.sandbox.widgetUrl}/home?**`);
    expect(await getWidgetState(shop.page.mainFrame())).toBe('form');
  });
});

describe('the page behind the dialog', () => {
  it('stays where it is when its scroll bar goes, and has its own styles back', async () => {
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
