import type { Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { contextOptions } from '../support/browser/launchOptions.js';
import { payInWidget } from '../support/browser/payInWidget.js';
import { findWidgetFrame, setUpShopPage } from '../support/shop/setUpShopPage.js';

let webhookFault: 'lost' | undefined;
afterEach(() => {
  webhookFault = undefined;
});
const shop = setUpShopPage({ sandbox: { settleMs: 1500, webhookFault: () => webhookFault } });

const topUp = () => shop.page.getByRole('region', { name: 'Top up your wallet' });
const print = (name: string) => shop.page.getByRole('article', { name });
const closeWidget = async () => {
  await shop.page.getByRole('button', { name: 'Close the checkout' }).click();
  await shop.page.locator('dialog').waitFor({ state: 'detached' });
};
const buyCrypto = async () => {
  await topUp()
    .getByRole('button', { name: /^Buy [\d.]+ USDT$/ })
    .click();
  const widget = await findWidgetFrame(shop);
  const reference = new URL(widget.url()).searchParams.get('ext') ?? '';
  return { widget, reference };
};
const order = (title: string) => shop.page.getByRole('article', { name: title });
const progress = (title: string) => order(title).locator('.ramp-history-entry');

async function loginTo(page: Page, password = shop.demo.operatorPassword) {
  await page.goto(`${shop.demo.shopUrl}operator`);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

describe('a shopper after the payment', () => {
  it.each([['arrives', undefined] as const, ['is lost', 'lost'] as const])(
    'and closed the widget sees the delivery when the webhook %s',
    async (_, fault) => {
      webhookFault = fault;
      const { widget } = await buyCrypto();
      await widget.getByRole('button', { name: 'Continue' }).click();
      await widget.getByLabel('E-mail').fill('shopper@example.com');
      await widget.getByRole('button', { name: /^Pay / }).click();
      await widget.locator('main:not([data-state="form"])').waitFor();
      await closeWidget();
      await topUp().locator('.ramp-status[data-state="finished"]').waitFor();

      await topUp().getByRole('link', { name: 'Your orders' }).click();
      await progress('Top-up of your wallet').getByText('Delivered').first().waitFor();
      expect(await progress('Top-up of your wallet').getAttribute('data-state')).toBe('finished');
    },
  );

  it('sees each state of an NFT until its settlement without an action', async () => {
    await print('First Rain on the Pond')
      .getByRole('button', { name: /^Mint \d/ })
      .click();
    await payInWidget(await findWidgetFrame(shop));
    await closeWidget();
    await print('First Rain on the Pond').getByText('Paid:').waitFor();
    await shop.page.getByRole('link', { name: 'Your orders' }).first().click();
    await progress('First Rain on the Pond').waitFor();
    await expect
      .poll(() => progress('First Rain on the Pond').getAttribute('data-state'), {
        timeout: 60_000,
      })
      .toBe('settled');
  });

  it('for the only print sees it sold, as all visitors do without a reload', async () => {
    const visitor = await shop.context.browser()?.newContext(contextOptions);
    const other = await visitor?.newPage();
    if (!visitor || !other) throw new Error('The page has no browser.');
    await other.goto(shop.demo.shopUrl);
    const theirs = other.getByRole('article', { name: 'Seed Head, Late August' });
    await theirs.getByRole('button', { name: 'Buy for 160 USDC' }).waitFor();

    await print('Seed Head, Late August').getByRole('button', { name: /^Buy/ }).click();
    await findWidgetFrame(shop);
    await theirs.getByRole('button', { name: 'Buy for 160 USDC' }).click();
    await theirs.getByRole('alert').filter({ hasText: 'Another shopper is buying' }).waitFor();
    expect(await other.locator('dialog').count()).toBe(0);
    const third = await visitor.newPage();
    await third.goto(shop.demo.shopUrl);
    await third.getByText('Another shopper is buying it.').waitFor({ timeout: 5000 });

    await payInWidget(await findWidgetFrame(shop));
    await closeWidget();
    await print('Seed Head, Late August').getByText('Sold to you.').waitFor();
    // The text that replaces the button takes the focus. If the checkout was open for more than a few seconds, the card
    // with the shopper's latest order may take it before, and keeps it.
    const focused = () => shop.page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toMatch(/^(Sold to you\. Your orders$|Seed Head)/);
    await third.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const sold = third.getByRole('article', { name: 'Seed Head, Late August' });
    await sold.getByText('Sold', { exact: true }).waitFor();
    expect(await sold.getByRole('button').count()).toBe(0);
    await visitor.close();
  });
});

describe('another shopper', () => {
  it('cannot see the order: the response is the same as for an unknown checkout', async () => {
    const { reference } = await buyCrypto();
    expect(reference).toHaveLength(22);
    const visitor = await shop.context.browser()?.newContext(contextOptions);
    const other = await visitor?.newPage();
    if (!visitor || !other) throw new Error('The page has no browser.');
    await other.goto(`${shop.demo.shopUrl}orders`);
    await other.getByText('No orders yet.').waitFor();
    const readCheckout = (page: Page, ref: string) =>
      page.evaluate(async (name) => {
        const response = await fetch(`/api/ramp/checkouts/${name}`);
        return { status: response.status, text: await response.text() };
      }, ref);
    expect((await readCheckout(shop.page, reference)).status).toBe(200);
    const unknown = await readCheckout(other, 'AAAAAAAAAAAAAAAAAAAAAA');
    expect(unknown.status).toBe(404);
    expect(await readCheckout(other, reference)).toEqual(unknown);
    await visitor.close();
  });
});

describe('the operator', () => {
  it('signs in, and sees a new order without a reload, with the result of its webhook', async () => {
    const { widget } = await buyCrypto();
    const operator = await shop.context.newPage();
    await loginTo(operator, 'not the password');
    await operator.getByRole('alert').filter({ hasText: 'Wrong password.' }).waitFor();
    await loginTo(operator);
    await operator.getByRole('heading', { name: 'Orders' }).waitFor();
    const rows = operator.getByRole('table', { name: /^Orders/ }).getByRole('row');
    await operator.getByRole('table', { name: /^Orders/ }).waitFor();
    const before = await rows.count();
    await payInWidget(widget);
    await expect.poll(() => rows.count(), { timeout: 15_000 }).toBe(before + 1);
    expect(await rows.nth(1).innerText()).toMatch(/Top-up[\s\S]*100\.00 USD[\s\S]*Completed/);
    await operator.getByText('One order has changed.').waitFor({ state: 'attached' });
    await operator
      .getByRole('table', { name: /^Webhooks/ })
      .getByText('Accepted')
      .first()
      .waitFor();
    await operator.getByText('Done', { exact: true }).waitFor();

    await operator.getByRole('button', { name: 'Sign out' }).click();
    await operator.getByLabel('Password').waitFor();
  });

  it('sees a print that was paid twice, and marks the case as done', async () => {
    const signed = () =>
      shop.page.evaluate(async () => {
        const response = await fetch('/api/ramp/checkouts', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ widget: 'nft', params: { merchantUniqueId: 'print-0175' } }),
        });
        return (await response.json()).params as Record<string, string>;
      });
    const both = [await signed(), await signed()];
    for (const params of both) {
      const page = await shop.context.newPage();
      await page.goto(`${shop.demo.sandbox.widgetUrl}/home?${new URLSearchParams(params)}`);
      await payInWidget(page.mainFrame());
      await page.close();
    }
    await shop.page.goto(`${shop.demo.shopUrl}orders`);
    const late = shop.page
      .getByRole('article')
      .filter({ hasText: 'Another shopper paid for this print before you.' });
    await late.locator('summary').click();
    await late.getByRole('button', { name: 'Copy receipt' }).waitFor();

    const operator = await shop.context.newPage();
    await loginTo(operator);
    const cases = operator.getByRole('list', { name: 'Cases' });
    await cases.getByText('Another shopper paid for this print first.').press('Enter');
    const drawer = operator.getByRole('dialog');
    await drawer.getByLabel('Refunded').check();
    await drawer.getByRole('button', { name: 'Mark as handled' }).click();
    await drawer.getByText('Handled: refunded.').waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await operator.getByText('Nothing needs attention.').waitFor();
    // The page of the shopper shows the outcome without a reload.
    await shop.page.getByText('The shop has sent your money back.').waitFor();
    await late.waitFor({ state: 'detached' });
  });
});

describe('the logs of these tests', () => {
  it('do not contain keys, passwords, e-mail addresses or wallets', async () => {
    const { widget } = await buyCrypto();
    const wallet = new URL(widget.url()).searchParams.get('walletAddress') ?? '';
    await payInWidget(widget);
    await closeWidget();
    await topUp().locator('.ramp-status[data-state="finished"]').waitFor();
    const logs = shop.demo.logs();
    const { sandbox, operatorPassword } = shop.demo;
    expect(logs).toContain('/api/ramp/webhook');
    expect(wallet).toMatch(/^0x[0-9a-f]{40}$/i);
    for (const secret of [
      sandbox.secretKey,
      operatorPassword,
      'shopper@example.com',
      wallet,
      wallet.slice(2, 12),
      '-----BEGIN',
    ])
      expect(logs.toLowerCase().includes(secret.toLowerCase())).toBe(false);
  });
});
