import { describe, expect, it } from 'vitest';
import { getWidgetState, payInWidget } from '../support/browser/payInWidget.js';
import { findWidgetFrame, setUpShopPage } from '../support/demo/setUpShopPage.js';

const shop = setUpShopPage();

// Once the price has loaded, the button's text contains the amount that the shopper gets.
const buy = () => shop.page.getByRole('button', { name: /^Buy [\d.]+ USDT$/ });
const buyInWindow = () => shop.page.getByRole('button', { name: 'Open in a window instead' });

describe('a shopper in the storefront', () => {
  it('opens the widget in the dialog, pays, and sees the order delivered', async () => {
    const before = shop.demo.sandbox.orders().length;
    await buy().click();
    const widget = await findWidgetFrame(shop);
    expect(await getWidgetState(widget)).toBe('form');
    const url = new URL(widget.url());
    expect(url.origin).toBe(shop.demo.sandbox.widgetUrl);
    expect(url.searchParams.get('windowOpen')).toBe('1');
    const wallet = url.searchParams.get('walletAddress');
    expect(wallet).toMatch(/^0x[0-9a-fA-F]{40}$/);

    await payInWidget(widget);
    const orders = shop.demo.sandbox.orders().slice(before);
    expect(orders).toHaveLength(1);
    expect(orders[0]).toMatchObject({
      orderStatus: 3,
      walletAddress: wallet,
      ext: url.searchParams.get('ext'),
    });

    await shop.page.getByRole('button', { name: 'Close the checkout' }).click();
    await shop.page.locator('dialog').waitFor({ state: 'detached' });
    const again = shop.page.getByRole('button', { name: 'Buy again' });
    const hasFocus = () => again.evaluate((element) => element === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
  });

  it('can use the rendered widget while its last image is still loading', async () => {
    const late: string[] = [];
    await shop.page.route('**/home?**', async (route) => {
      const response = await route.fetch();
      const page = await response.text();
      await route.fulfill({
        response,
        body: page.replace('<body>', '<body><img src="/late.png">'),
      });
    });
    await shop.page.route('**/late.png', (route) => late.push(route.request().url()));
    await buy().click();
    const widget = await findWidgetFrame(shop);
    await widget.locator('output[data-stale="false"]').waitFor();
    await widget.getByRole('button', { name: 'Continue' }).click();
    await widget.getByLabel('E-mail').waitFor();
    expect(late).toHaveLength(1);
    expect(await shop.page.locator('dialog').getAttribute('data-state')).toBe('loading');
  });

  it('pays in a separate window', async () => {
    const before = shop.demo.sandbox.orders().length;
    const [popup] = await Promise.all([shop.page.waitForEvent('popup'), buyInWindow().click()]);
    await popup.waitForURL(`${shop.demo.sandbox.widgetUrl}/home?**`);
    const frame = popup.mainFrame();
    expect(await getWidgetState(frame)).toBe('form');
    expect(new URL(popup.url()).searchParams.has('windowOpen')).toBe(false);
    expect(await frame.evaluate(() => window.opener)).toBeNull();
    await payInWidget(frame);
    expect(shop.demo.sandbox.orders()).toHaveLength(before + 1);
  });

  it('gets a link when the browser blocks the window, and can pay through it', async () => {
    await shop.page.evaluate(() => {
      window.open = () => null;
    });
    await buyInWindow().click();
    const link = shop.page.getByRole('link', { name: 'Open the checkout here.' });
    const [popup] = await Promise.all([shop.page.waitForEvent('popup'), link.click()]);
    await popup.waitForURL(`${shop.demo.sandbox.widgetUrl}/home?**`);
    expect(await getWidgetState(popup.mainFrame())).toBe('form');
    expect(await popup.evaluate(() => window.opener)).toBeNull();
    await link.waitFor({ state: 'detached' });
    await payInWidget(popup.mainFrame());
  });

  it('is refused by the widget after an edit of the wallet in the URL', async () => {
    await buy().click();
    const widget = await findWidgetFrame(shop);
    await getWidgetState(widget);
    const url = new URL(widget.url());
    url.searchParams.set('walletAddress', '0x000000000000000000000000000000000000dEaD');
    const response = await shop.page.goto(url.href);
    expect(response?.status()).toBe(403);
    expect(await getWidgetState(shop.page.mainFrame())).toBe('refused');
    const text = await shop.page.locator('body').innerText();
    expect(text).toContain('10003');
    expect(text).not.toContain(shop.demo.sandbox.secretKey);
  });

  it('sees "Sign in to buy" and no checkout when the session has ended', async () => {
    await shop.context.clearCookies();
    await buy().click();
    await shop.page.getByRole('alert').filter({ hasText: 'Sign in to buy' }).waitFor();
    expect(await shop.page.locator('dialog').count()).toBe(0);
  });

  it('causes one backend request for each checkout, even with hover and double click', async () => {
    const urls: string[] = [];
    shop.page.on('request', (request) => {
      if (request.url().endsWith('/checkouts')) urls.push(request.url());
    });
    await buy().hover();
    await buy().dblclick();
    await getWidgetState(await findWidgetFrame(shop));
    expect(urls).toHaveLength(1);
  });

  it('opens, pays and closes with the keyboard only', async () => {
    await buy().focus();
    await shop.page.keyboard.press('Enter');
    const widget = await findWidgetFrame(shop);
    expect(await getWidgetState(widget)).toBe('form');
    const focused = () =>
      shop.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(await focused()).toBe('Checkout');
    // Press Tab twice: "Open in a new window" comes before the close button.
    await shop.page.keyboard.press('Tab');
    await shop.page.keyboard.press('Tab');
    expect(await focused()).toBe('Close the checkout');
    await shop.page.keyboard.press('Enter');
    await shop.page.locator('dialog').waitFor({ state: 'detached' });
    expect(await buy().evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('the logs of the example', () => {
  it('contain neither the SecretKey nor a signature', async () => {
    await buy().click();
    const signature = new URL((await findWidgetFrame(shop)).url()).searchParams.get('signature');
    expect(signature).toHaveLength(44);
    expect(shop.demo.logs()).toContain('/api/ramp/checkouts');
    expect(shop.demo.logs()).not.toContain(shop.demo.sandbox.secretKey);
    expect(shop.demo.logs()).not.toContain(signature);
  });
});

/** Reloads the shop's page with the headers that `change` returns for its Content-Security-Policy. */
async function serveShopWith(change: (policy: string) => Record<string, string>): Promise<void> {
  await shop.page.route(shop.demo.shopUrl, async (route) => {
    const response = await route.fetch();
    const policy = response.headers()['content-security-policy'] ?? '';
    await route.fulfill({ response, headers: { ...response.headers(), ...change(policy) } });
  });
  await shop.page.reload();
}

const dialogState = (state: string) => shop.page.locator(`dialog[data-state="${state}"]`);
const trouble = () =>
  shop.page.locator('dialog').getByRole('status').filter({ hasText: 'Still not loading' });

const opacity = () =>
  shop.page.locator('dialog iframe').evaluate((f) => getComputedStyle(f).opacity);

describe('a widget that does not appear immediately', () => {
  it('is offered in a window when the policy of the page forbids the frame', async () => {
    await serveShopWith((policy) => ({
      'content-security-policy': policy.replace(/frame-src[^;]*/, "frame-src 'none'"),
    }));
    await buy().click();
    await trouble().waitFor();
    const [popup] = await Promise.all([
      shop.page.waitForEvent('popup'),
      shop.page.getByRole('button', { name: 'Open in a new window' }).click(),
    ]);
    await popup.waitForURL(`${shop.demo.sandbox.widgetUrl}/home?**`);
    expect(await getWidgetState(popup.mainFrame())).toBe('form');
  });

  it('is shown when the policy is report-only', async () => {
    await serveShopWith(() => ({ 'content-security-policy-report-only': "frame-src 'none'" }));
    await buy().click();
    await dialogState('ready').waitFor();
    await expect.poll(opacity).toBe('1');
    expect(await trouble().count()).toBe(0);
  });

  it('is shown when it loads late, after the notice that it does not appear', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await shop.page.route(`${shop.demo.sandbox.widgetUrl}/home?**`, async (route) => {
      await held;
      await route.continue();
    });
    await shop.page.clock.install();
    await shop.page.reload();
    await buy().click();
    await dialogState('loading').waitFor();
    await shop.page.clock.fastForward(16_000);
    await trouble().waitFor();
    release();
    await dialogState('ready').waitFor();
    expect(await getWidgetState(await findWidgetFrame(shop))).toBe('form');
    await expect.poll(opacity).toBe('1');
  });
});
