import type { Page } from 'playwright';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contextOptions } from '../support/browser/launchOptions.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { startWindowShop, type WindowShop } from './startWindowShop.js';

const chrome = setUpBrowser();
let shop: WindowShop;
let page: Page;

beforeAll(async () => {
  shop = chrome.closeLater(await startWindowShop());
});
beforeEach(async () => {
  shop.progress = 'waiting';
  shop.openerPolicy = undefined;
  shop.signed.checkouts = shop.signed.continued = 0;
  Object.assign(shop.service, { openerPolicy: undefined, delayMs: 0 });
  page = await chrome.browser.newPage(contextOptions);
});
afterEach(() => page.context().close());

const button = () => page.getByRole('button', { name: 'Buy crypto' });
const notice = () => page.locator('.ramp-notice').innerText();
const events = () => page.evaluate<string[]>('events');
/** Clicks a button that opens a window, and returns the window. */
const openWindow = async (opener = button()) => {
  const [popup] = await Promise.all([page.waitForEvent('popup'), opener.click()]);
  return popup;
};
/** Waits until the page has looked at its windows: it does so every 250 ms, and timers of a page run in order. */
const untilLooked = () => page.evaluate(() => new Promise((done) => setTimeout(done, 1100)));

const hidden = 'The checkout is open in another window, unless you have closed it.';
const shown = 'The checkout is open in another window. Show the checkout window';

/** The table of docs/displays.md: whether the page sees its window, by the opener policies of the shop and the service. */
const policies = ([undefined, 'same-origin-allow-popups', 'same-origin'] as const).flatMap((own) =>
  ([undefined, 'unsafe-none', 'same-origin-allow-popups', 'same-origin'] as const).map(
    (service) =>
      [
        own,
        service,
        own !== 'same-origin' && (service === undefined || service === 'unsafe-none'),
      ] as const,
  ),
);

describe('a window', () => {
  it.each(policies)(
    'of a shop with the opener policy %s and a service with %s: the page sees it: %s',
    async (own, service, isSeen) => {
      shop.openerPolicy = own;
      shop.service.openerPolicy = service;
      await page.goto(shop.url('/'));
      const popup = await openWindow();
      await popup.getByText('The widget').waitFor();
      await expect.poll(notice).toBe(isSeen ? shown : hidden);
      await untilLooked();
      await button().click();
      await expect.poll(notice).toMatch(isSeen ? shown : /^Look for the other window first/);
      expect(page.context().pages()).toEqual([page, popup]);
      shop.progress = 'finished';
      await expect.poll(notice).toMatch(isSeen ? /^Delivered/ : /^You have already paid/);
      await popup.close();
      await untilLooked();
      expect(await events()).toEqual(isSeen ? ['opened', 'closed'] : ['opened']);
    },
  );
});

describe('a window of a service with an opener policy', () => {
  it.each([
    ['OnRampButton', '/', 0],
    ['OnRampButton', '/', 300],
    ['OnRampButton', '/', 1200],
    ['OnRampButton', '/', 2500],
    ['<ramp-button>', '/element', 1200],
  ])(
    'counts as open, is followed, and is asked about before a second one: %s at %s, after %i ms',
    async (_, path, delayMs) => {
      Object.assign(shop.service, { openerPolicy: 'same-origin', delayMs });
      await page.goto(shop.url(path));
      const popup = await openWindow();
      await popup.getByText('The widget').waitFor();
      await expect.poll(notice).toBe(hidden);
      expect(await events()).toEqual(['opened']);
      await button().click();
      await expect
        .poll(notice)
        .toMatch(/^Look for the other window first. .* twice.\s+Continue\s*Start a new checkout$/);
      shop.progress = 'finished';
      await expect.poll(notice).toMatch(/^You have already paid for this.\s+Delivered/);
      expect([await events(), shop.signed]).toEqual([['opened'], { checkouts: 1, continued: 0 }]);
      const second = await openWindow(page.getByRole('button', { name: 'Start a new checkout' }));
      await second.getByText('The widget').waitFor();
      expect([popup.isClosed(), shop.signed]).toEqual([false, { checkouts: 2, continued: 0 }]);
    },
  );
});

describe('a window of a service without an opener policy', () => {
  it.each([0, 1200])('is shown by another click: response after %i ms', async (delayMs) => {
    shop.service.delayMs = delayMs;
    await page.goto(shop.url('/'));
    const popup = await openWindow();
    await popup.getByText('The widget').waitFor();
    await untilLooked();
    expect(await notice()).toBe(shown);
    await button().click();
    expect([page.context().pages().length, await events()]).toEqual([2, ['opened']]);
  });

  it('emits closed when the shopper closes it', async () => {
    await page.goto(shop.url('/'));
    const popup = await openWindow();
    await popup.getByText('The widget').waitFor();
    await untilLooked();
    await popup.close();
    await expect.poll(events).toEqual(['opened', 'closed']);
    await openWindow();
    expect(shop.signed.checkouts).toBe(2);
  });

  it('may be open or closed if it closes before its first response, and continues the same checkout', async () => {
    shop.service.delayMs = 60_000;
    await page.goto(shop.url('/'));
    const popup = await openWindow();
    await expect.poll(() => shop.signed.checkouts).toBe(1);
    await expect.poll(events).toEqual(['opened']);
    await popup.close();
    await expect.poll(notice).toBe(hidden);
    shop.service.delayMs = 0;
    await button().click();
    const second = await openWindow(page.getByRole('button', { name: 'Continue' }));
    await second.getByText('The widget').waitFor();
    expect(shop.signed).toEqual({ checkouts: 1, continued: 1 });
  });
});
