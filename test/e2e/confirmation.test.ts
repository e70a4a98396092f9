import type { Locator } from 'playwright';
import { expect, it } from 'vitest';
import { payInWidget } from '../support/browser/payInWidget.js';
import { findWidgetFrame, setUpShopPage } from '../support/shop/setUpShopPage.js';

const shop = setUpShopPage();

it.each([
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
])('the confirmation of a payment is in view once the dialog closes, at %o', async (size) => {
  await shop.page.setViewportSize(size);
  const topUp = shop.page.getByRole('region', { name: 'Top up your wallet' });
  await topUp.getByRole('button', { name: /^Buy [\d.]+ USDT$/ }).click();
  const widget = await findWidgetFrame(shop);
  await widget.getByRole('button', { name: 'Continue' }).click();
  await widget.getByLabel('E-mail').fill('shopper@example.com');
  await widget.getByRole('button', { name: /^Pay / }).click();
  // Advance the page's clock by six seconds. When the widget has been open for five seconds, the package assumes that
  // the shopper may have paid.
  await shop.page.evaluate(
    'const now = performance.now.bind(performance); performance.now = () => now() + 6000;',
  );
  await shop.page.getByRole('button', { name: 'Close the checkout' }).click();
  await shop.page.locator('dialog').waitFor({ state: 'detached' });
  const notice = topUp.getByRole('status').filter({ hasText: /don't pay again|Delivered/ });
  await notice.first().waitFor();
  const isInView = (element: Locator) =>
    element.evaluate((line) => {
      const { top, bottom } = line.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  await expect.poll(() => isInView(topUp.locator('.ramp-notice')), { timeout: 3000 }).toBe(true);
  const card = topUp.locator('.ramp-status[data-state="finished"]');
  await card.waitFor();
  // Now the card has the order, and the notice disappears.
  await expect.poll(() => topUp.locator('.ramp-notice').innerText(), { timeout: 8000 }).toBe('');
  await expect.poll(() => isInView(card.getByText('Delivered')), { timeout: 3000 }).toBe(true);
  // The button now offers another purchase, until the shopper changes the amount.
  await topUp.getByRole('button', { name: 'Buy again' }).waitFor();
  await topUp.getByRole('button', { name: '250 USD' }).click();
  await topUp.getByRole('button', { name: /^Buy [\d.]+ USDT$/ }).waitFor();
});

it('a paid print has one confirmation, although the page waits for another payment', async () => {
  const print = shop.page.getByRole('article', { name: 'First Rain on the Pond' });
  const pay = async () => {
    await print.getByRole('button', { name: /^Mint 1/ }).click();
    await payInWidget(await findWidgetFrame(shop));
  };
  const close = async () => {
    await shop.page.getByRole('button', { name: 'Close the checkout' }).click();
    await shop.page.locator('dialog').waitFor({ state: 'detached' });
  };
  // The status card of the page shows the checkout that waits.
  await shop.page.getByRole('button', { name: /^Buy [\d.]+ USDT$/ }).click();
  await (await findWidgetFrame(shop)).locator('main[data-state="form"]').waitFor();
  await close();
  await pay();
  await close();
  await print.getByText('Paid: the print is yours.').waitFor();
  await expect.poll(() => print.locator('.ramp-notice').isVisible()).toBe(false);
});
