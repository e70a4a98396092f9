import { describe, expect, it } from 'vitest';
import { getWidgetState } from '../support/browser/payInWidget.js';
import { setUpBasicShop } from './setUpBasicShop.js';

const shop = setUpBasicShop();
const button = () => shop.page.getByRole('button', { name: 'Buy crypto' });
const open = async (display: string, given = {}) => {
  await shop.visit(display, given);
  await button().click();
};

describe('a checkout', () => {
  it('replaces the page, which is unchanged after going back', async () => {
    await open('redirect');
    await shop.page.waitForURL(`${shop.sandbox.widgetUrl}/home?**`);
    expect(await getWidgetState(shop.page.mainFrame())).toBe('form');
    expect(new URL(shop.page.url()).searchParams.get('amount')).toBe('100');
    expect(new URL(shop.page.url()).searchParams.has('windowOpen')).toBe(false);
    await shop.page.goBack();
    await expect.poll(() => button().getAttribute('data-state')).toBe('idle');
    await button().click();
    await shop.page.waitForURL(`${shop.sandbox.widgetUrl}/home?**`);
  });

  it('is shown inline in the page', async () => {
    await open('inline');
    const region = shop.page.getByRole('region', { name: 'Checkout' });
    await region.locator('iframe').waitFor();
    const frame = await (await region.locator('iframe').elementHandle())?.contentFrame();
    if (!frame) throw new Error('The page has no frame.');
    expect(await getWidgetState(frame)).toBe('form');
    expect(await shop.page.locator('dialog').count()).toBe(0);
    // The page hears that the frame loaded a moment later, because the browser may still report a refusal.
    await expect.poll(() => shop.page.evaluate('window.events')).toEqual(['opened', 'loaded']);
    await shop.page.getByRole('button', { name: 'Close the checkout' }).click();
    await region.waitFor({ state: 'detached' });
    expect(await button().evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await shop.page.evaluate('window.events')).toEqual(['opened', 'loaded', 'closed']);
  });

  it('moves from the page to a new window, with a new URL', async () => {
    await open('inline');
    await shop.page.getByRole('region', { name: 'Checkout' }).waitFor();
    const [popup] = await Promise.all([
      shop.page.waitForEvent('popup'),
      shop.page.getByRole('button', { name: 'Open in a new window' }).click(),
    ]);
    await popup.waitForURL(`${shop.sandbox.widgetUrl}/home?**`);
    expect(await getWidgetState(popup.mainFrame())).toBe('form');
    expect(await shop.page.locator('iframe').count()).toBe(0);
  });

  it.each([{}, { tree: 'open' }])(
    'locks the scrolling of the page behind it, with %o',
    async (given) => {
      await open('modal', given);
      await shop.page.evaluate("document.body.style.height = '5000px'");
      await shop.page.locator('dialog[data-state="ready"]').waitFor();
      const scrolled = () => shop.page.evaluate('scrollY');
      await shop.page.mouse.move(20, 300);
      await shop.page.mouse.wheel(0, 600);
      await shop.page.waitForTimeout(300);
      expect(await scrolled()).toBe(0);
      await shop.page.getByRole('button', { name: 'Close the checkout' }).click();
      await shop.page.locator('dialog').waitFor({ state: 'detached' });
      await shop.page.mouse.wheel(0, 600);
      await expect.poll(scrolled).toBe(600);
    },
  );
});
