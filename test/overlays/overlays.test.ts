import type { FrameLocator, Page } from 'playwright';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contextOptions } from '../support/browser/launchOptions.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { startOverlayPages } from './startOverlayPages.js';

const chrome = setUpBrowser();
let pages: Awaited<ReturnType<typeof startOverlayPages>>;
let page: Page;

beforeAll(async () => {
  pages = chrome.closeLater(await startOverlayPages());
});
afterEach(() => page.context().close());

/** Opens the overlay in the page of a library. */
async function openOverlay(library: string, kind: string): Promise<void> {
  page = await chrome.browser.newPage(contextOptions);
  page.setDefaultTimeout(5000);
  await page.goto(pages.url(library, kind));
  await page.getByRole('button', { name: 'Open overlay' }).click();
}

const named = (name: string) => page.locator('button, [role="menuitem"]', { hasText: name });
const buy = () => named('Buy crypto');
const checkout = () => page.locator('.ramp-dialog');
const close = () => checkout().getByRole('button', { name: 'Close the checkout' });
const cart = () => page.getByText('Cart content');
const focused = () =>
  page.evaluate(() => {
    const { activeElement: active } = document;
    return active?.getAttribute('aria-label') ?? active?.textContent ?? null;
  });

/** Pays with the mouse and the keyboard, as a shopper would. */
async function pay(): Promise<void> {
  const widget: FrameLocator = page.frameLocator('.ramp-dialog iframe');
  await widget.getByRole('button', { name: 'Pay' }).click();
  await widget.getByRole('button', { name: 'Paid' }).waitFor();
  await widget.getByLabel('E-mail').click();
  await page.keyboard.type('a@b.example');
  expect(await widget.getByLabel('E-mail').inputValue()).toBe('a@b.example');
}

/** Walks from the dialog to its first two buttons and back, with Tab. */
async function walkWithTab(): Promise<void> {
  await checkout().focus();
  const walk: unknown[] = [];
  for (const key of ['Tab', 'Tab', 'Shift+Tab']) {
    await page.keyboard.press(key);
    walk.push(await focused());
  }
  expect(walk).toEqual(['Open in a new window', 'Close the checkout', 'Open in a new window']);
}

describe('a checkout button in an overlay', () => {
  it.each([
    ['reactAria', 'Dialog'],
    ['reactAria', 'OwnButtonInDialog'],
    ['reactAria', 'Popover'],
    ['radix', 'Dialog'],
    ['radix', 'Popover'],
    ['vaul', 'Dialog'],
    ['baseUi', 'Dialog'],
    ['baseUi', 'Popover'],
    ['baseUi', 'ButtonInMenu'],
    ['headlessUi', 'Dialog'],
    ['headlessUi', 'Popover'],
    ['headlessUi', 'AnchoredPopover'],
    ['mui', 'Dialog'],
    ['mui', 'Popover'],
    ['mui', 'ButtonInMenu'],
    ['native', 'Dialog'],
    ['native', 'Popover'],
    ['focusTrap', 'Dialog'],
  ])('opens a checkout that can be paid, and the overlay stays: %s %s', async (library, kind) => {
    await openOverlay(library, kind);
    const beside = kind === 'ButtonInMenu' ? named('Other') : cart();
    await buy().click();
    await pay();
    await walkWithTab();
    await page.keyboard.press('Escape');
    await checkout().waitFor({ state: 'detached' });
    expect(await beside.isVisible()).toBe(true);
    expect(await focused()).toBe('Buy crypto');

    await buy().click();
    await close().click();
    await checkout().waitFor({ state: 'detached' });
    expect(await beside.isVisible()).toBe(true);
    expect(await focused()).toBe('Buy crypto');

    await page.keyboard.press('Escape');
    await beside.waitFor({ state: 'hidden' });
    await expect.poll(focused).toBe('Open overlay');
  });
});

describe('a menu item that opens a checkout of the page', () => {
  it.each(['reactAria', 'radix', 'baseUi', 'headlessUi', 'mui'])(
    'closes the menu, and the focus returns to the menu button: %s',
    async (library) => {
      await openOverlay(library, 'Menu');
      await buy().click();
      await pay();
      await walkWithTab();
      expect(await named('Other').count()).toBe(0);
      await page.keyboard.press('Escape');
      await checkout().waitFor({ state: 'detached' });
      await expect.poll(focused).toBe('Open overlay');
    },
  );

  it('is what the console advises when a menu closes, and the checkout of its button with it', async () => {
    await openOverlay('radix', 'ButtonInMenu');
    const printed = page.waitForEvent('console', (message) => message.text().includes('menu'));
    await buy().click();
    // The menu closes as soon as the frame has the focus.
    await page.frameLocator('.ramp-dialog iframe').getByLabel('E-mail').click();
    expect((await printed).text()).toBe(
      '[partner-ramp] A menu closed, and the checkout of a button in it closed with it. Call useCheckout in the component around the menu, and its open in the menu item.',
    );
    expect(await checkout().count()).toBe(0);
  });
});
