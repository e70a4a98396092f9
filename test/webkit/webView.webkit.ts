import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CountedShop, startCountedShop } from '../e2e/startCountedShop.js';
import { programs } from './requireWebKit.js';
import { startWebKit, type WebKitWindow } from './startWebKit.js';

const webView = fileURLToPath(new URL('webView.py', import.meta.url));
const instagram =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
  'Mobile/15E148 Instagram 400.0.0.0';

let shop: CountedShop;
let app: WebKitWindow;
let orders: number;
beforeAll(async () => {
  shop = await startCountedShop(200);
});
beforeEach(() => {
  orders = shop.sandbox.orders().length;
});
afterEach(() => app?.close());
afterAll(() => shop?.close());

/** Opens the shop in an app, whose user agent is that of WebKit without `userAgent`. */
async function visit(display: string, windows: string, userAgent?: string): Promise<void> {
  const args = [webView, windows, ...(userAgent ? [userAgent] : [])];
  app = await startWebKit({ binary: programs.python, args });
  await app.open(`${shop.url}&amount=100&display=${display}`);
}

const button = (start: string) => `//button[starts-with(normalize-space(.), '${start}')]`;
const link = "//a[.='Open the checkout here.']";
const main = (state: string) => `//main[@data-state='${state}']`;

/** Pays in the widget, which is shown in the current window or frame. */
async function pay(): Promise<void> {
  await app.find(main('form'));
  await app.click(button('Continue'));
  await app.type("//input[@type='email']", 'shopper@example.com');
  await app.click(button('Pay '));
  await app.find(main('finished'));
}

/** Waits until the shop shows the order, the only one that was paid. */
async function findOrder(): Promise<void> {
  await app.find("//*[contains(@class, 'ramp-status-title') and .='Delivered']");
  expect(shop.sandbox.orders()).toHaveLength(orders + 1);
}

/** Waits until another document than the page is shown. */
const untilReplaced = () => app.find("/html[not(.//*[contains(@class, 'ramp-button')])]");

/** How a shopper pays, by what the app does with the window of the link. */
const payWithLink = {
  async ignore() {
    await app.click(link);
    await app.click(button('Open it in this window.'));
    await payInPlace();
  },
  async replace() {
    await app.click(link);
    await payInPlace();
  },
  async open() {
    await app.click(link);
    await payInWindow();
  },
};

async function payInPlace(): Promise<void> {
  await pay();
  await app.back();
}

async function payInWindow(): Promise<void> {
  await app.enterWindow();
  await pay();
  await app.leaveWindow();
}

async function payInDialog(): Promise<void> {
  await app.enterFrame('//dialog//iframe');
  await pay();
  await app.leaveFrame();
  await app.click("//dialog//button[@aria-label='Close the checkout']");
}

describe.each(['ignore', 'replace', 'open'] as const)(
  'an app that makes windows: %s',
  (windows) => {
    it('is paid with the link, if the user agent names the app', async () => {
      await visit('window', windows, instagram);
      await app.click(button('Buy'));
      await payWithLink[windows]();
      await findOrder();
    });

    it.each([
      ['in place of the page', instagram, payInPlace],
      ['in a dialog, if the user agent is that of a browser', undefined, payInDialog],
    ])('is paid with display="auto" %s', async (_, userAgent, payThere) => {
      await visit('auto', windows, userAgent);
      await app.click(button('Buy'));
      await payThere();
      await findOrder();
    });
  },
);

describe('an app with the user agent of a browser', () => {
  it('that ignores windows is paid with the link', async () => {
    await visit('window', 'ignore');
    await app.click(button('Buy'));
    await payWithLink.ignore();
    await findOrder();
  });

  it('that opens windows is paid in one', async () => {
    await visit('window', 'open');
    await app.click(button('Buy'));
    await payInWindow();
    await findOrder();
  });

  it('that replaces the page is paid with the link, once the shopper has gone back', async () => {
    await visit('window', 'replace');
    await app.click(button('Buy'));
    await untilReplaced();
    await app.back();
    await app.find("//button[contains(@class, 'ramp-button') and not(@data-state='signing')]");
    await app.click(button('Buy'));
    await payWithLink.replace();
    // The page went away in the middle of a click. WebKit may have dropped a message of React's scheduler then, which
    // delays what React shows until a reload.
    await app.open(shop.url);
    await findOrder();
  });
});
