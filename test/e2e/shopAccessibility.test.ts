import { describe, expect, it } from 'vitest';
import { listAxeViolations } from '../support/browser/listAxeViolations.js';
import { payInWidget } from '../support/browser/payInWidget.js';
import { findWidgetFrame, setUpShopPage } from '../support/shop/setUpShopPage.js';

const shop = setUpShopPage();

const button = (name: string | RegExp) => shop.page.getByRole('button', { name });
const press = (key: string) => shop.page.keyboard.press(key);
const topUp = () => shop.page.getByRole('region', { name: 'Top up your wallet' });
const account = () => shop.page.getByRole('banner').locator('.account');
const panel = () => shop.page.locator('#account-panel');
const announcement = () => shop.page.getByRole('banner').getByRole('status');
const focusedText = () => shop.page.evaluate(() => document.activeElement?.textContent);

async function signOut(path = ''): Promise<void> {
  await shop.page.evaluate(() => fetch('/api/session', { method: 'DELETE' }));
  await shop.page.goto(`${shop.demo.shopUrl}${path}`);
}

describe('a button to sign in', () => {
  it('in the card of the top-up leaves the focus on the button that replaces it', async () => {
    await signOut();
    await topUp().getByRole('button', { name: 'Sign in as Demo shopper A' }).press('Enter');
    await topUp()
      .getByRole('button', { name: /^Buy [\d.]+ USDT$/ })
      .waitFor();
    await expect.poll(focusedText).toMatch(/^Buy [\d.]+\sUSDT$/);
    expect(await announcement().textContent()).toBe('Signed in as Demo shopper A');
  });

  it.each([
    ['orders', 'Your orders'],
    ['return', 'Your order'],
  ])('of the page /%s moves the focus to its heading', async (path, heading) => {
    await signOut(path);
    await button('Sign in as Demo shopper A').press('Enter');
    await shop.page.locator('main .lead').filter({ hasNotText: 'Sign in' }).waitFor();
    await expect.poll(focusedText).toBe(heading);
  });

  it('does not take the focus from where the shopper has moved it', async () => {
    await signOut('orders');
    const arrived = shop.page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/session'),
    );
    await shop.page.route('**/api/session', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await button('Sign in as Demo shopper A').press('Enter');
    await shop.page.getByRole('link', { name: 'Your orders' }).focus();
    await arrived;
    await shop.page.getByText('Checkouts of Demo shopper A').waitFor();
    expect(await focusedText()).toBe('Orders');
  });
});

describe('the account', () => {
  it('is a button with the name of the account only, and a named group of accounts', async () => {
    await expect.poll(() => account().ariaSnapshot()).toMatch(/^- button "Demo shopper A"/);
    await account().press('Enter');
    await panel().waitFor();
    const group = panel().getByRole('group', { name: 'Signed in as' });
    expect(await group.getByRole('button').allInnerTexts()).toEqual([
      'Demo shopper A',
      'Demo shopper B',
    ]);
    expect(await panel().locator('.account-wallets').innerText()).toMatch(
      /EVM chains\s+0x[0-9a-f]{40}\s+Bitcoin wallet\s+bc1q[0-9a-z]{38}$/i,
    );
    expect(await listAxeViolations(shop.page, 'header')).toEqual([]);
  });

  it('hides its panel when the focus moves on, and never covers the focused control', async () => {
    await account().press('Enter');
    await panel().waitFor();
    for (const name of ['Demo shopper A', 'Demo shopper B', 'Sign out']) {
      await press('Tab');
      expect(await focusedText()).toBe(name);
    }
    await press('Tab');
    await panel().waitFor({ state: 'hidden' });
    expect(await shop.page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(
      true,
    );
    await press('Shift+Tab');
    expect(await account().evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('keeps its panel open while the shopper selects the address, and toggles it by mouse', async () => {
    await account().click();
    await button('Demo shopper B').focus();
    await panel().locator('code').first().click();
    expect(await panel().isVisible()).toBe(true);
    await button('Demo shopper B').focus();
    await account().click();
    await panel().waitFor({ state: 'hidden' });
  });

  it('announces that another shopper is signed in, or nobody', async () => {
    await account().waitFor();
    expect(await announcement().textContent()).toBe('');
    await account().press('Enter');
    await button('Demo shopper B').press('Enter');
    await expect.poll(() => announcement().textContent()).toBe('Signed in as Demo shopper B');
    expect(await account().evaluate((element) => element === document.activeElement)).toBe(true);
    await account().press('Enter');
    await button('Sign out').press('Enter');
    await expect.poll(() => announcement().textContent()).toBe('Signed out');
  });
});

it.each(['', 'orders', 'return'])(
  'the first Tab on /%s reaches a link that skips the header',
  async (path) => {
    await shop.page.goto(`${shop.demo.shopUrl}${path}`);
    await account().waitFor();
    await shop.page.getByRole('main').getByRole('link').first().waitFor();
    await press('Tab');
    const link = shop.page.getByRole('link', { name: 'Skip to the main content' });
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    const box = await link.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await press('Enter');
    await press('Tab');
    expect(await shop.page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(
      true,
    );
  },
);

describe('a checkout', () => {
  it('of a print that was closed has only the notice of the package', async () => {
    const print = shop.page.getByRole('article', { name: 'First Rain on the Pond' });
    await print.getByRole('button', { name: /^Mint \d/ }).click();
    const widget = await findWidgetFrame(shop);
    await widget.locator('main[data-state="form"]').waitFor();
    // When the widget has been open for five seconds, the package assumes that the shopper may have paid.
    await shop.page.evaluate(
      'const now = performance.now.bind(performance); performance.now = () => now() + 6000;',
    );
    await button('Close the checkout').click();
    await print.getByText("If you have paid, don't pay again.").waitFor();
    const spoken = await print.getByRole('status').allInnerTexts();
    expect(spoken.filter((text) => /pay/.test(text))).toHaveLength(1);
  });

  it('of a top-up has a heading with its amount and time among all orders', async () => {
    await topUp()
      .getByRole('button', { name: /^Buy [\d.]+ USDT$/ })
      .click();
    await payInWidget(await findWidgetFrame(shop));
    await shop.page.goto(`${shop.demo.shopUrl}orders`);
    const heading = /^Top-up of your wallet 100(\.\d+)? USD, \w+ \d+, \d{4}, \d+:\d\d\s[AP]M$/;
    await shop.page.getByRole('heading', { name: heading }).first().waitFor();
    await shop.page.getByRole('article', { name: heading }).first().waitFor();
  });
});
