import { describe, expect, it } from 'vitest';
import { getWidgetState, payInWidget } from '../support/browser/payInWidget.js';
import { respondWithData, startUpstream } from '../support/server/startUpstream.js';
import { findWidgetFrame, setUpShopPage } from '../support/shop/setUpShopPage.js';
import { startDemo } from '../support/shop/startDemo.js';

const shop = setUpShopPage();

const card = (state: string) => shop.page.locator(`.ramp-quote[data-state="${state}"]`);
const amount = () => shop.page.getByRole('textbox', { name: 'You pay' });
const pill = (code: string) =>
  shop.page.getByRole('button', { name: new RegExp(`^${code}\\b.*change`) });

async function chooseByKeyboard(from: string, search: string): Promise<void> {
  await pill(from).press('Enter');
  await shop.page.getByRole('combobox').waitFor();
  await shop.page.keyboard.type(search);
  await shop.page.keyboard.press('Enter');
}

describe('a shopper at the price card', () => {
  it('sees what 100 USD buys before any checkout', async () => {
    await card('success').waitFor();
    const text = await card('success').innerText();
    expect(text).toMatch(/1 USDT = 1\.00\d+\sUSD/);
    expect(text).toContain('Credit or debit card');
    expect(shop.demo.sandbox.orders()).toHaveLength(0);
  });

  it('changes amount and currencies with the keyboard, buys, and sees the same values in the widget', async () => {
    await card('success').waitFor();
    await amount().fill('250.50');
    await chooseByKeyboard('USD', 'eur');
    await chooseByKeyboard('USDT', 'arbitrum');
    const buy = shop.page.getByRole('button', { name: /^Buy 0\.\d+ ETH$/ });
    await buy.click();

    const widget = await findWidgetFrame(shop);
    expect(await getWidgetState(widget)).toBe('form');
    expect(Object.fromEntries(new URL(widget.url()).searchParams)).toMatchObject({
      amount: '250.50',
      defaultFiatCurrency: 'EUR',
      defaultCurrency: 'ETH_Arbitrum',
      cryptoNetwork: 'arbitrum_mainnet',
    });
    expect(await widget.getByRole('textbox', { name: 'You pay' }).inputValue()).toBe('250.50');
    const badges = await widget.locator('.badge-code, .badge-caption').allInnerTexts();
    expect(badges).toEqual(['EUR', 'ETH', 'Arbitrum']);
    await payInWidget(widget);
    expect(shop.demo.sandbox.orders().at(-1)).toMatchObject({
      fiatCurrency: 'EUR',
      currencyAmount: '250.50',
      cryptoCurrencyCode: 'ETH_Arbitrum',
    });
  });

  it('sees the minimum amount, and applies it with one press', async () => {
    await card('success').waitFor();
    await amount().fill('5');
    await card('below').waitFor();
    await shop.page.getByRole('button', { name: /^15\sUSD$/ }).click();
    await card('success').waitFor();
    expect(await amount().inputValue()).toBe('15');
  });
});

describe('while the service is down', () => {
  it('shows the last price as old, without details of the service', async () => {
    const own = await startDemo();
    try {
      await shop.page.goto(own.shopUrl);
      await card('success').waitFor();
      await own.sandbox.close();
      // A cached quote is stale after five seconds.
      await shop.page.waitForTimeout(5_500);
      await shop.page.reload();
      await card('stale').waitFor();
      expect(await card('stale').innerText()).toMatch(/1 USDT = 1\.00\d+\sUSD/);
      await amount().fill('333');
      await card('error').waitFor();
      expect(await shop.page.locator('body').innerText()).not.toMatch(/ECONN|open\/api|10003/);
      await shop.page.getByRole('button', { name: 'Try again' }).waitFor();
      expect(own.logs()).toContain('ECONNREFUSED');
    } finally {
      await own.close();
    }
  });
});

describe('amounts with many digits', () => {
  it('are shown with exactly the digits of the JSON in the breakdown', async () => {
    const arrives = '123456789012345678.123456789012345678';
    const option = '{"name":"CREDIT_DEBIT_CARD","minAmount":15.00,"maxAmount":999999999999999999}';
    const responses: Record<string, string> = {
      currency: `[{"fiatCurrency":"USD","name":"US dollar","paymentOptions":[${option}]}]`,
      token:
        '[{"cryptoCurrencyCode":"USDT_ERC20","cryptoCurrency":"USDT","network":"ethereum_mainnet"}]',
      price: `{"fiatCurrency":"USD","currencyAmount":100.00,"cryptoCurrency":"USDT","network":"",
        "cryptoCurrencyCode":"USDT_ERC20","cryptoCurrencyAmount":${arrives},
        "cryptoCurrencyUnitPrice":93.09000000,"gasFee":0.1,"platformFee":0.2,
        "totalFee":0.30000000000000004,"paymentOptions":${option}}`,
    };
    const service = await startUpstream();
    service.respondWith((request, response) => {
      const name = /onramp\/(\w+)/.exec(request.url ?? '')?.[1] ?? '';
      respondWithData(responses[name] ?? 'null')(request, response);
    });
    const own = await startDemo({ apiUrl: service.baseUrl });
    try {
      await shop.page.goto(own.shopUrl);
      await card('success').waitFor();
      await shop.page.getByText('Price breakdown').click();
      const shown = (await card('success').innerText()).replace(/\s+/g, ' ');
      for (const text of [
        '1 USDT = 93.09 USD',
        'You receive 123,456,789,012,345,678.123456789012345678 USDT',
        'Amount 100.00 USD',
        'Network fee 0.10 USD',
        'Processing fee 0.20 USD',
        'Total fee 0.30000000000000004 USD',
        '15 to 999,999,999,999,999,999 USD',
      ])
        expect(shown).toContain(text);
    } finally {
      await own.close();
      await service.close();
    }
  });
});
