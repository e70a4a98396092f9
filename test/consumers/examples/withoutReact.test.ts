import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contextOptions, launchOptions } from '../../support/browser/launchOptions.js';
import { payInWidget } from '../../support/browser/payInWidget.js';
import { installExample } from '../../support/packaging/installExample.js';
import { type RunningExample, startExample } from '../../support/packaging/startExample.js';

const evm = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';
const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

/** Buys with a `<ramp-button>`, and waits until the note below it says that the coins are delivered. */
async function buy(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: label }).click();
  const frame = await (await page.locator('dialog iframe').elementHandle())?.contentFrame();
  if (!frame) throw new Error('The dialog has no frame.');
  await payInWidget(frame);
  await page.getByText('Delivered', { exact: true }).waitFor();
}

const delivered = (page: Page) => page.getByRole('listitem').filter({ hasText: ': Delivered' });

describe.each(['html', 'vue'])('the page %s of examples/without-react', (name) => {
  let example: Awaited<ReturnType<typeof installExample>>;
  let server: RunningExample | undefined;
  let browser: Browser | undefined;

  beforeAll(async () => {
    example = await installExample('without-react');
  });
  afterEach(async () => {
    await browser?.close();
    await server?.close();
  });
  afterAll(() => example?.remove());

  it('sells each coin to the right wallet, and shows both orders in a new tab', async () => {
    server = await startExample(example.folder, { script: name });
    browser = await chromium.launch(launchOptions);
    const context = await browser.newContext({ ...contextOptions, locale: 'en-GB' });
    const printed: string[] = [];
    const scripts: string[] = [];
    const visit = async (url: string) => {
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      page.on('console', (message) => {
        if (/error|warning/.test(message.type())) printed.push(message.text());
      });
      page.on('pageerror', (error) => printed.push(`${error}`));
      page.on('request', (request) => scripts.push(request.url()));
      await page.goto(url);
      return page;
    };
    const purchases =
      name === 'vue'
        ? ([
            ['Buy BTC', `BTC to ${bitcoin}`],
            ['Buy USDT_ERC20', `USDT to ${evm}`],
          ] as const)
        : ([['Buy USDT', `USDT to ${evm}`]] as const);
    for (const [label] of purchases) {
      const page = await visit(server.url);
      await buy(page, label);
      await page.close();
    }
    const page = await visit(server.url);
    await expect.poll(() => delivered(page).count()).toBe(purchases.length);
    const { logs } = server;
    await expect
      .poll(() => logs().match(/(?<=^Delivered order \w+: ).*$/gm))
      .toEqual(purchases.map(([, line]) => line));
    expect(printed).toEqual([]);
    expect(scripts.filter((url) => /node_modules\/react|\/react(-dom|_|\.js)/.test(url))).toEqual(
      [],
    );
    expect(logs()).not.toMatch(/error|warn|not found/i);
  });
});
