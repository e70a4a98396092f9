import type { BrowserContext, Frame, Page } from 'playwright';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CheckoutDisplay, displays } from '../../../src/client/checkout/events.js';
import type { Order } from '../../../src/protocol/index.js';
import { contextOptions } from '../../support/browser/launchOptions.js';
import { getWidgetState, payInWidget } from '../../support/browser/payInWidget.js';
import { setUpBrowser } from '../../support/browser/setUpBrowser.js';
import { mintListing } from '../../support/sandbox/nftListings.js';
import { announceOrder } from '../../support/server/announceOrder.js';
import { type HistoryShop, startHistoryShop, WALLET } from './startHistoryShop.js';

/** The time from a payment until the service lists its order. */
const LISTED_MS = 3000;

type Display = CheckoutDisplay;

interface OpenCheckout {
  readonly page: Page;
  readonly widget: Frame;
  readonly display: Display;
  readonly reference: string;
}

/** A state in which the shopper is interrupted, and what the shop shows afterwards. */
interface State {
  readonly widget?: 'nft';
  /** Brings the checkout from its first state, the open form, to the state that this entry describes. */
  readonly reach?: (checkout: OpenCheckout) => Promise<unknown>;
  /** The progress that the list shows in the end. */
  readonly progress: string;
  readonly title: string;
}

const chrome = setUpBrowser();
let shop: HistoryShop;
let context: BrowserContext;
let users = 0;
beforeAll(async () => {
  shop = chrome.closeLater(await startHistoryShop(LISTED_MS / 2));
});
afterEach(() => context.close());

const getNow = () => Math.floor(Date.now() / 1000);

/** Records an order of the checkout, as if the service had listed it. */
const record = (given: Partial<Order>) => (checkout: OpenCheckout) =>
  shop.store.recordOrders(
    [
      {
        orderId: `order-${checkout.reference}`,
        orderStatus: 3,
        kind: 'on-ramp',
        state: 'finished',
        fiatCurrency: 'USD',
        currencyAmount: '100.00',
        cryptoCurrency: 'USDT',
        cryptoCurrencyAmount: '97.09000000',
        walletAddress: WALLET,
        ext: checkout.reference,
        nftDetails: [],
        payTime: getNow(),
        ...given,
      },
    ],
    getNow(),
  );
const nftDetails = [{ ...mintListing, mintQuantity: Number(mintListing.mintQuantity) }];
const recordNft = (state: Order['state']) =>
  record({ kind: 'nft', state, nftDetails: nftDetails as never });

async function fillForm({ widget }: OpenCheckout): Promise<void> {
  await widget.getByRole('button', { name: 'Continue' }).click();
  await widget.getByLabel('E-mail').fill('shopper@example.com');
}

async function pay(checkout: OpenCheckout): Promise<void> {
  await fillForm(checkout);
  await checkout.widget.getByRole('button', { name: /^Pay / }).click();
  await checkout.widget.locator('main[data-state="form"]').waitFor({ state: 'detached' });
}

const states: Readonly<Record<string, State>> = {
  'before the form is filled in': { progress: 'waiting', title: 'Not paid yet' },
  'before it is paid': { reach: fillForm, progress: 'waiting', title: 'Not paid yet' },
  'paid and not listed yet': { reach: pay, progress: 'finished', title: 'Delivered' },
  'announced by a webhook': {
    reach: ({ reference }) => announceOrder(shop.store, reference, getNow()),
    progress: 'unconfirmed',
    title: 'Your order is being confirmed',
  },
  delivered: { reach: record({}), progress: 'finished', title: 'Delivered' },
  'paid to another wallet': {
    reach: record({ walletAddress: mintListing.walletAddress }),
    progress: 'review',
    title: 'Your order is under review',
  },
  expired: {
    reach: () => shop.store.expireCheckouts(getNow() + 2 * 86_400),
    progress: 'expired',
    title: 'No payment received',
  },
  'a paid NFT': {
    widget: 'nft',
    reach: recordNft('finished'),
    progress: 'finished',
    title: 'Paid',
  },
  'an NFT in settlement': {
    widget: 'nft',
    reach: recordNft('settlement'),
    progress: 'settlement',
    title: 'Paid',
  },
  'a settled NFT': {
    widget: 'nft',
    reach: recordNft('settled'),
    progress: 'settled',
    title: 'Paid',
  },
};

/** The ways in which a checkout is interrupted. Each function returns the page in which the shopper continues. */
const interruptions: Readonly<Record<string, (checkout: OpenCheckout) => Promise<Page>>> = {
  async 'closes it'({ page, widget, display }) {
    if (display === 'redirect') await page.goBack();
    else if (display === 'window') await widget.page().close();
    else await page.getByRole('button', { name: 'Close the checkout' }).click();
    return page;
  },
  async 'reloads the page'({ page }) {
    await page.reload();
    return page;
  },
  async 'closes the tab'({ page }) {
    await page.close();
    return context.newPage();
  },
  async 'loses the network'({ page }) {
    await context.setOffline(true);
    await page.reload().catch(() => {});
    await context.setOffline(false);
    return page;
  },
};

async function open(display: Display, { widget }: State): Promise<OpenCheckout> {
  context = await chrome.browser.newContext({ ...contextOptions, locale: 'en-GB' });
  users++;
  await context.addCookies([{ name: 'user', value: `u${users}`, url: shop.origin }]);
  const page = await context.newPage();
  await page.goto(`${shop.origin}/?display=${display}${widget ? `&widget=${widget}` : ''}`);
  const button = page.getByRole('button', { name: 'Buy', exact: true });
  const popup = display === 'window' ? page.waitForEvent('popup') : undefined;
  await button.click();
  const frame = await findWidget(page, display, await popup);
  await frame.waitForURL(/\/home\?/, { waitUntil: 'commit' });
  await getWidgetState(frame);
  const reference = new URL(frame.url()).searchParams.get('ext') ?? '';
  return { page, widget: frame, display, reference };
}

async function findWidget(page: Page, display: Display, popup?: Page): Promise<Frame> {
  if (popup) return popup.mainFrame();
  if (display === 'redirect') {
    await page.waitForURL(/\/home\?/);
    return page.mainFrame();
  }
  const frame = await (await page.waitForSelector('iframe.ramp-frame')).contentFrame();
  if (!frame) throw new Error('The page has no frame.');
  return frame;
}

const entry = (page: Page) => page.locator('.ramp-history-list > li');
const continueIn = (page: Page) => page.getByRole('button', { name: 'Continue checkout' });

async function continueCheckout(page: Page, reference: string): Promise<Frame> {
  await continueIn(page).click();
  const frame = await findWidget(page, 'modal');
  await frame.waitForURL(/\/home\?/, { waitUntil: 'commit' });
  expect(new URL(frame.url()).searchParams.get('ext')).toBe(reference);
  expect(await getWidgetState(frame)).toBe('form');
  return frame;
}

/** Expects that another person can neither read the checkout nor find out that it exists. */
async function expectHidden(reference: string): Promise<void> {
  const other = await chrome.browser.newContext(contextOptions);
  await other.addCookies([{ name: 'user', value: 'another', url: shop.origin }]);
  const read = async (path: string) => {
    const response = await other.request.get(`${shop.origin}/api/ramp/checkouts${path}`);
    return [response.status(), await response.text()];
  };
  expect(await read('')).toEqual([200, '{"checkouts":[],"pollAfterSeconds":3}']);
  expect(await read(`/${reference}`)).toEqual(await read('/AAAAAAAAAAAAAAAAAAAAAA'));
  await other.close();
}

describe.each(displays)('a checkout (%s) is found again', (display) => {
  describe.each(Object.entries(states))('%s', (_, state) => {
    it.each(Object.entries(interruptions))('when the shopper %s', async (_, interrupt) => {
      const checkout = await open(display, state);
      const { reference } = checkout;
      await state.reach?.(checkout);
      const page = await interrupt(checkout);

      await page.goto(`${shop.origin}/orders`);
      await expect.poll(() => entry(page).count()).toBe(1);
      await expect.poll(() => entry(page).getAttribute('data-state')).toBe(state.progress);
      await entry(page).getByText(state.title, { exact: true }).first().waitFor();
      await entry(page).locator('summary').click();
      await entry(page).getByText(reference, { exact: true }).waitFor();
      expect(await continueIn(page).count()).toBe(state.progress === 'waiting' ? 1 : 0);
      if (state.progress === 'waiting') await continueCheckout(page, reference);
      await expectHidden(reference);
    });
  });

  it('when the shopper comes back to the shop, and is then paid', async () => {
    const { page, reference } = await open(display, { progress: 'waiting', title: '' });
    await page.goto(shop.origin);
    await page.getByText('You have a checkout in progress.').waitFor();
    const widget = await continueCheckout(page, reference);
    // The amount was not signed, so the widget asks for it again.
    await widget.getByRole('textbox').first().fill('100');
    await payInWidget(widget);
    await page.goto(`${shop.origin}/orders`);
    await expect.poll(() => entry(page).getAttribute('data-state')).toBe('finished');
    await page.goto(shop.origin);
    await page.waitForResponse(/\/api\/ramp\/checkouts\?/);
    expect(await page.getByText('You have a checkout in progress.').count()).toBe(0);
  });
});

describe('the page of orders', () => {
  it('shows what happened while the network was lost, without a reload', async () => {
    const checkout = await open('modal', { progress: 'waiting', title: '' });
    const { page } = checkout;
    await page.goto(`${shop.origin}/orders`);
    await entry(page).getByText('Not paid yet').waitFor();
    await context.setOffline(true);
    await record({})(checkout);
    await context.setOffline(false);
    await entry(page).getByText('Delivered', { exact: true }).waitFor();
  });
});
