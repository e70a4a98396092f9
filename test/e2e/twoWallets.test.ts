import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { findWidgetFrame, setUpShopPage } from '../support/shop/setUpShopPage.js';

const shop = setUpShopPage();

const pill = (page: Page) => page.getByRole('button', { name: /^USDT\b.*change/ });
const topUp = (page: Page) => page.getByRole('region', { name: 'Top up your wallet' });

interface Wallets {
  readonly evm: string;
  readonly bitcoin: string;
}
const readWallets = (page: Page): Promise<Wallets> =>
  page.evaluate(async () => (await (await fetch('/api/session')).json()).wallets);

/** Opens the checkout of the selected coin, pays, and closes the tab as soon as the service has the payment. */
async function payAndLeave(page: Page, symbol: string): Promise<URL> {
  await page.getByRole('button', { name: new RegExp(`^Buy [\\d.]+ ${symbol}$`) }).click();
  const widget = await findWidgetFrame({ ...shop, page });
  const url = new URL(widget.url());
  await widget.getByRole('button', { name: 'Continue' }).click();
  await widget.getByLabel('E-mail').fill('shopper@example.com');
  await widget.getByRole('button', { name: /^Pay / }).click();
  await widget.locator('main:not([data-state="form"])').waitFor();
  await page.close();
  return url;
}

it('a shopper with two wallets buys BTC and USDT, each to its wallet, in tabs that are closed', async () => {
  const { context, demo } = shop;
  const before = demo.sandbox.orders().length;
  const wallets = await readWallets(shop.page);

  const [first, second] = [shop.page, await context.newPage()];
  await topUp(first).getByText('To your wallet').waitFor();
  await pill(first).press('Enter');
  await first.getByRole('combobox').waitFor();
  const coins = await first.getByRole('option').allInnerTexts();
  expect(coins.join()).toMatch(/Bitcoin/);
  expect(coins.join()).not.toMatch(/Tron|Solana/);
  await first.keyboard.type('btc');
  await first.keyboard.press('Enter');
  await topUp(first).getByText('To your Bitcoin wallet').waitFor();
  expect(await topUp(first).locator('.wallet').getAttribute('title')).toBe(wallets.bitcoin);
  const btc = await payAndLeave(first, 'BTC');
  expect(btc.searchParams.get('walletAddress')).toBe(wallets.bitcoin);
  expect(btc.searchParams.get('cryptoCurrency')).toBe('BTC');

  await second.goto(demo.shopUrl);
  const usdt = await payAndLeave(second, 'USDT');
  expect(usdt.searchParams.get('walletAddress')).toBe(wallets.evm);
  expect(usdt.searchParams.get('cryptoCurrency')).toBe('USDT_ERC20');

  const later = await context.newPage();
  await later.goto(`${demo.shopUrl}orders`);
  const entries = later.locator('.ramp-history-entry[data-state="finished"]');
  await expect.poll(() => entries.count()).toBe(2);
  await expect
    .poll(async () => (await entries.allInnerTexts()).join('\n'))
    .toMatch(/Delivered[\s\S]*USDT[\s\S]*Delivered[\s\S]*BTC/);
  expect(await readWallets(later)).toEqual(wallets);

  const orders = demo.sandbox.orders().slice(before);
  expect(
    orders.map(({ cryptoCurrencyCode, walletAddress, ext }) => [
      cryptoCurrencyCode,
      walletAddress,
      ext,
    ]),
  ).toEqual([
    ['BTC', wallets.bitcoin, btc.searchParams.get('ext')],
    ['USDT_ERC20', wallets.evm, usdt.searchParams.get('ext')],
  ]);
});
