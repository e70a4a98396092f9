import { describe, expect, it } from 'vitest';
import { getWidgetState } from '../support/browser/payInWidget.js';
import { findWidgetFrame, setUpShopPage } from '../support/shop/setUpShopPage.js';

const shop = setUpShopPage();

// Once the price has loaded, the button's text contains the amount that the shopper gets.
const buy = () => shop.page.getByRole('button', { name: /^Buy [\d.]+ USDT$/ });

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
  it('can be used while its last image is still loading', async () => {
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
