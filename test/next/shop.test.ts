import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getWidgetState } from '../support/browser/payInWidget.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { type NextShop, startNextShop } from './startNextShop.js';

const chrome = setUpBrowser();
let shop: NextShop;
let page: Page;
let printed: string[];

beforeAll(async () => {
  shop = chrome.closeLater(await startNextShop());
}, 240_000);
beforeEach(async () => {
  printed = [];
  page = await chrome.browser.newPage({ locale: 'en-GB' });
  page.setDefaultTimeout(10_000);
  page.on('console', (message) => {
    if (/error|warning/.test(message.type())) printed.push(message.text());
  });
  page.on('pageerror', (error) => printed.push(`${error}`));
});
afterEach(() => page.close());

const button = (name: string | RegExp) => page.getByRole('button', { name });

async function checkoutOf(name: string | RegExp): Promise<URLSearchParams> {
  await button(name).click();
  const frame = await (await page.locator('dialog iframe').elementHandle())?.contentFrame();
  if (!frame) throw new Error('The dialog has no frame.');
  expect(await getWidgetState(frame)).toBe('form');
  await button('Kasse schließen').click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  return new URL(frame.url()).searchParams;
}

describe("a shop in Next's App Router", () => {
  it('is streamed part by part', async () => {
    const response = await fetch(shop.origin);
    const chunks: string[] = [];
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
      chunks.push(chunk);
    const first = (text: string) => chunks.findIndex((chunk) => chunk.includes(text));
    expect(first('Der Laden öffnet')).toBe(0);
    expect(first('Guthaben laden</button>')).toBeGreaterThan(0);
    expect(first('ramp-quote-skeleton')).toBeGreaterThan(first('Guthaben laden</button>'));
  });

  it('has working buttons and prices, and hydrates without warnings', async () => {
    await page.goto(shop.origin);
    const topUp = await checkoutOf('Guthaben laden');
    expect(Object.fromEntries(topUp)).toMatchObject({ amount: '100', language: 'de' });
    expect(topUp.get('signature')).toBeTruthy();

    await page.locator('.ramp-quote[data-state="success"]').waitFor();
    expect(await page.getByRole('textbox').inputValue()).toBe('1250,50');
    const bought = await checkoutOf(/^[\d.,]+\sUSDT kaufen$/);
    expect(bought.get('defaultFiatCurrency')).toBe('EUR');
    expect((await checkoutOf('NFT kaufen')).get('type')).toBe('MINT');
    expect(printed).toEqual([]);
    // Removes the expected report of a memory store in production. Nothing else may be logged as an error.
    const logged = shop
      .logs()
      .replace(/^Error \[RampError\]: .* has a memoryOrderStore[^}]*}$/m, '');
    expect(logged).not.toMatch(/error|⨯/i);
  });

  it('uses the protocol and the stylesheet in a server component', async () => {
    await page.goto(shop.origin);
    const href = await page.getByRole('link').getAttribute('href');
    expect(href).toBe(`${shop.sandbox.widgetUrl}/home?amount=100`);
    const display = (element: Element) => getComputedStyle(element).display;
    expect(await button('Guthaben laden').evaluate(display)).toBe('inline-flex');
  });

  it('does not send keys or server code to the browser', async () => {
    const files = await readdir(shop.clientFiles, { recursive: true });
    const scripts = files.filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(
      scripts.map((name) => readFile(join(shop.clientFiles, name), 'utf8')),
    );
    const sent = [...texts, await (await fetch(shop.origin)).text()].join('\n');
    expect(sent).toContain('/checkouts');
    const { secretKey, apiPrivateKey } = shop.sandbox;
    const lineOfKey = apiPrivateKey.split('\n')[1] as string;
    const names = ['RAMP_SECRET_KEY', 'RAMP_API_PRIVATE_KEY', 'createWidgetSigner', 'hono'];
    for (const secret of [secretKey, lineOfKey, ...names])
      expect(sent.includes(secret), secret).toBe(false);
  });
});
