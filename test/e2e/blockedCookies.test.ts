import type { BrowserContext, Frame, Page } from 'playwright';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contextOptions } from '../support/browser/launchOptions.js';
import { payInWidget } from '../support/browser/payInWidget.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { type CountedShop, startCountedShop } from './startCountedShop.js';

const chrome = setUpBrowser();
let shop: CountedShop;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  // Serve the widget from localhost and the shop from 127.0.0.1. Browsers treat them as two sites.
  shop = chrome.closeLater(
    await startCountedShop(200, 1, { host: 'localhost', needsCookie: true }),
  );
});
afterEach(() => context?.close());

/** Opens the checkout in the dialog. `isBlocked`: the browser blocks third-party cookies. */
async function open(isBlocked: boolean): Promise<Frame> {
  context = await chrome.browser.newContext({
    ...contextOptions,
    viewport: { width: 1280, height: 900 },
  });
  context.setDefaultTimeout(8000);
  page = await context.newPage();
  if (isBlocked) {
    // The page must not send the header Origin-Agent-Cluster, because Network.setCookieControls would then have no
    // effect in the frames of the page.
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    await cdp.send('Network.setCookieControls', {
      enableThirdPartyCookieRestriction: true,
      // Disables the exceptions for known sites, and for sites that the shopper has visited.
      disableThirdPartyCookieMetadata: true,
      disableThirdPartyCookieHeuristics: true,
    } as never);
  }
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Buy crypto' }).click();
  const frame = await (await page.waitForSelector('iframe.ramp-frame')).contentFrame();
  if (!frame) throw new Error('The dialog has no frame.');
  await frame.locator('main[data-state]').waitFor();
  return frame;
}
const stateOf = (frame: Frame) => frame.locator('main').getAttribute('data-state');
const signIn = (frame: Frame) => frame.getByRole('button', { name: 'Sign in' }).click();
const becomes = (frame: Frame, state: string) =>
  frame.locator(`main[data-state="${state}"]`).waitFor();

async function expectPaid(frame: Frame): Promise<void> {
  await frame.getByRole('textbox').first().fill('100');
  await payInWidget(frame);
  await page.locator('.ramp-status[data-state="finished"]').waitFor();
}

async function newWindow(): Promise<Frame> {
  const popup = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open in a new window' }).click();
  const opened = await popup;
  await opened.waitForURL(/\/home\?/);
  return opened.mainFrame();
}

const focusedText = (frame: Frame) => frame.evaluate(() => document.activeElement?.textContent);

describe('a checkout that needs its own cookie', () => {
  it('needs no extra click if third-party cookies are allowed', async () => {
    const frame = await open(false);
    expect(await stateOf(frame)).toBe('form');
    await expectPaid(frame);
  });

  it('cannot read the cookie if third-party cookies are blocked', async () => {
    const frame = await open(true);
    expect(await stateOf(frame)).not.toBe('form');
    const hasAccess = await frame.evaluate(() => document.hasStorageAccess());
    const status = await frame.evaluate(async () => {
      const init = { method: 'POST', body: '{}' };
      return (await fetch('/home/quote', init)).status;
    });
    expect([hasAccess, status]).toEqual([false, 403]);
  });

  it('needs one extra click if the shopper grants storage access', async () => {
    const frame = await open(true);
    // Headless Chromium does not show the permission prompt, so grant the permission here.
    await context.grantPermissions(['storage-access']);
    await signIn(frame);
    await becomes(frame, 'form');
    await expect.poll(() => focusedText(frame)).toBe('Buy crypto');
    await expectPaid(frame);
  });

  it('needs one extra click in a new window', async () => {
    await open(true);
    await expectPaid(await newWindow());
  });

  it('refers the shopper to a new window if the browser refuses', async () => {
    const frame = await open(true);
    if ((await stateOf(frame)) === 'signed-out') await signIn(frame);
    await becomes(frame, 'blocked');
    expect(await frame.getByRole('alert').innerText()).toContain('“Open in a new window”');
    await expectPaid(await newWindow());
  });
});
