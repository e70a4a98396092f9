import type { SandboxFaults } from '@partner-ramp/react/sandbox';
import Libsql from 'libsql';
import type { Page } from 'playwright';
import { beforeEach, describe, expect, it } from 'vitest';
import { createConsoleClient } from '../../support/sandbox/createConsoleClient.js';
import { findWidgetFrame, setUpShopPage } from '../../support/shop/setUpShopPage.js';

const HOUR_MS = 3_600_000;

// Nothing happens to an order by itself.
const shop = setUpShopPage({ sandbox: { consolePort: 0, stepMs: HOUR_MS, settleMs: HOUR_MS } });
let panel: Page;
beforeEach(async () => {
  const { faults } = shop.demo.sandbox;
  Object.assign(faults, {
    webhookFault: undefined,
    apiFault: undefined,
    faultRate: 1,
    latencyMs: 0,
  });
  faults.quirks.decimalsAsText = false;
  panel = await shop.context.newPage();
  await panel.goto(shop.demo.sandbox.consoleUrl ?? '');
  await shop.page.bringToFront();
});

const topUp = () => shop.page.getByRole('region', { name: 'Top up your wallet' });
const print = () => shop.page.getByRole('article', { name: 'First Rain on the Pond' });
/** The latest order in the console. */
const order = () => panel.locator('#orders > li').first();

/** Pays in the dialog, and closes it before the order has finished. */
async function payAndClose(): Promise<void> {
  const before = await panel.locator('#orders > li').count();
  const widget = await findWidgetFrame(shop);
  await widget.getByRole('button', { name: 'Continue' }).click();
  await widget.getByLabel('E-mail').fill('shopper@example.com');
  await widget.getByRole('button', { name: /^Pay / }).click();
  await widget.locator('main:not([data-state="form"])').waitFor();
  await shop.page.getByRole('button', { name: 'Close the checkout' }).click();
  await shop.page.locator('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => panel.locator('#orders > li').count()).toBe(before + 1);
}
async function buyTopUp(): Promise<void> {
  await topUp()
    .getByRole('button', { name: /^Buy (?:[\d.]+ )?USDT$/ })
    .click();
  await payAndClose();
  await topUp().getByText("If you've paid, this updates by itself.").waitFor();
}
const waitForState = (state: string) =>
  topUp().locator(`.ramp-status[data-state="${state}"]`).waitFor();
const press = (name: string) => order().getByRole('button', { name, exact: true }).click();
const waitForMessage = (text: string) =>
  panel.getByRole('list', { name: 'Messages, newest first' }).getByText(text).first().waitFor();

/** Changes a control of the console, and waits until the sandbox has the fault. */
async function setFault(change: Promise<unknown>, expected: Partial<SandboxFaults>): Promise<void> {
  await change;
  await expect.poll(() => shop.demo.sandbox.faults).toMatchObject(expected);
}
/** Returns the IDs of the orders that the shop has delivered. */
function listDelivered(): readonly string[] {
  const database = new Libsql(shop.demo.databaseFile, { readonly: true });
  const rows = database.prepare('select order_id from shop_deliveries').all();
  database.close();
  return (rows as { order_id: string }[]).map(({ order_id }) => order_id);
}
/** Expects that the shop has delivered each finished order of this file once, and nothing else. */
async function expectDelivered(): Promise<void> {
  const finished = shop.demo.sandbox.orders().map(({ orderId }) => orderId);
  await expect.poll(() => [...listDelivered()].sort()).toEqual([...finished].sort());
}

describe('The faults of the page', () => {
  it('Webhooks: the shopper who has closed the checkout sees the delivery all the same', async () => {
    await setFault(panel.getByLabel('Webhooks').selectOption('lost'), { webhookFault: 'lost' });
    await buyTopUp();
    await press('Finish');
    await waitForMessage('fault: lost');
    await waitForState('finished');
    await expectDelivered();
  });

  it('Partner API: the shopper buys without a price, and reads that the order is being confirmed', async () => {
    await setFault(panel.getByLabel('Partner API').selectOption('error'), { apiFault: 'error' });
    // No price of this amount is cached.
    await topUp().getByLabel('You pay').fill('137');
    await topUp().getByText('The price could not be loaded.').first().waitFor();
    await buyTopUp();
    await press('Finish');
    await waitForMessage('fault: error');
    await topUp().getByRole('button', { name: 'Continue checkout' }).click();
    await waitForState('unconfirmed');
    await topUp().getByText("You don't need to do anything.").waitFor();
    expect(await topUp().getByRole('button', { name: 'Continue checkout' }).count()).toBe(0);
    await setFault(panel.getByLabel('Partner API').selectOption('none'), { apiFault: undefined });
    await waitForState('finished');
    await expectDelivered();
  });

  it('the share, the delay and a deviation: the shopper notices nothing', async () => {
    const fill = async (label: string, value: string) => {
      await panel.getByLabel(label).fill(value);
      await panel.getByLabel(label).press('Enter');
    };
    await setFault(fill('Share, 0 to 1', '0.5'), { faultRate: 0.5 });
    await setFault(fill('Delay in ms', '200'), { latencyMs: 200 });
    await setFault(panel.getByLabel('decimalsAsText').check(), {
      quirks: expect.objectContaining({ decimalsAsText: true }),
    });
    await buyTopUp();
    await press('Finish');
    await waitForState('finished');
    await expectDelivered();
    await fill('Share, 0 to 1', '2');
    await panel.getByRole('alert').filter({ hasText: 'faultRate' }).waitFor();
    expect(shop.demo.sandbox.faults.faultRate).toBe(0.5);
  });
});

describe('The buttons of an order whose checkout is closed', () => {
  it('Delay, Finish, Resend: the shopper sees one delivery', async () => {
    await buyTopUp();
    await press('Delay webhook');
    await press('Finish');
    await waitForState('finished');
    await waitForMessage('fault: late');
    const messages = panel.locator('#entries li').filter({ hasText: '/api/ramp/webhook' });
    const before = await messages.count();
    await press('Resend webhook');
    await press('Resend, signed anew');
    await expect.poll(() => messages.count()).toBe(before + 2);
    await expectDelivered();
  });

  it('Lose, Settle: the shopper sees the settlement after the webhook is sent again', async () => {
    await print()
      .getByRole('button', { name: /^Mint \d/ })
      .click();
    await payAndClose();
    await press('Finish');
    await print().getByText('Paid:').waitFor();
    await shop.page.getByRole('link', { name: 'Your orders' }).first().click();
    const entry = shop.page.locator('.ramp-history-entry').first();
    await expect.poll(() => entry.getAttribute('data-state')).toBe('finished');
    await press('Lose webhook');
    await press('Settle');
    await order().getByText('settlement').waitFor();
    await press('Settle');
    await order().getByText('settled').waitFor();
    await press('Resend webhook');
    await expect.poll(() => entry.getAttribute('data-state')).toBe('settled');
    await expectDelivered();
  });

  it('Fail: the shopper continues the checkout, pays again, and gets one delivery', async () => {
    await buyTopUp();
    await press('Fail never listed');
    await order().getByText('failed').waitFor();
    await topUp().getByRole('button', { name: 'Continue checkout' }).click();
    await payAndClose();
    await press('Finish');
    await waitForState('finished');
    await expectDelivered();
  });

  it('say why a click has no effect', async () => {
    await buyTopUp();
    const client = await createConsoleClient(shop.demo.sandbox);
    const [{ orderId }] = (await client.get('/state')).orders;
    // The page is behind, as it may be for a second.
    await panel.route('**/api/state*', () => {});
    await client.post('/orders', { orderId, action: 'finish' });
    await press('Fail never listed');
    await panel.getByRole('alert').filter({ hasText: 'has already finished.' }).waitFor();
    await waitForState('finished');
    await expectDelivered();
  });
});
