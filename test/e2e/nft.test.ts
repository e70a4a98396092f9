import { describe, expect, it } from 'vitest';
import { listAxeViolations } from '../support/browser/listAxeViolations.js';
import { getWidgetState, payInWidget } from '../support/browser/payInWidget.js';
import { findWidgetFrame, setUpShopPage } from '../support/shop/setUpShopPage.js';

/** The service does not settle within an hour, so a paid order stays as it is. */
const shop = setUpShopPage({ sandbox: { settleMs: 3_600_000 } });

// `ridges` and `survey` exist once: buying one of them or opening its checkout makes it unavailable for later tests.
const ridges = () => shop.page.getByRole('article', { name: 'Ridges Before Rain' });
const survey = () => shop.page.getByRole('article', { name: 'Survey of a Quiet Hill' });
const buySurvey = () => survey().getByRole('button', { name: 'Buy for 0.05 ETH' });
const wind = () => shop.page.getByRole('article', { name: /^West Wind/ });
const mintWind = () => wind().getByRole('button', { name: /^Mint \d/ });
const oneMore = () => wind().getByRole('button', { name: 'Increase' });

const wallet = () =>
  shop.page.evaluate(
    async () => (await (await fetch('/api/session')).json()).wallets.evm as string,
  );
const ordersSince = (before: number) => shop.demo.sandbox.orders().slice(before);

/** Requests an NFT checkout with these parameters from the shop's server, with the session of the page. */
const checkout = (params: Record<string, string>) =>
  shop.page.evaluate(async (proposed) => {
    const response = await fetch('/api/ramp/checkouts', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ widget: 'nft', params: proposed }),
    });
    return { status: response.status, body: await response.json() };
  }, params);

describe('a shopper in the gallery', () => {
  it('buys a print that another shopper sells, and the order names it', async () => {
    const before = shop.demo.sandbox.orders().length;
    await ridges().getByRole('button', { name: 'Buy for 210 USDC' }).click();
    const widget = await findWidgetFrame(shop);
    expect(await getWidgetState(widget)).toBe('form');
    await payInWidget(widget);

    const orders = ordersSince(before);
    expect(orders).toHaveLength(1);
    expect(orders[0]).toMatchObject({
      cryptoCurrencyCode: 'USDC_Polygon',
      cryptoCurrencyAmount: '210',
      walletAddress: '0x4f1E1d0A7E5b3C92D86A40f7Be21C9350D7a6e18',
      ext: new URL(widget.url()).searchParams.get('ext'),
      nftDetails: [
        {
          type: 'MARKET',
          tokenId: '919',
          contractAddress: '0x2b9D60c4f7318eA59fd4127B86c0E53Aa1F8d94E',
          nftNetwork: 'polygon',
          ownerWalletAddress: '0xE8406A9b3D7f12C5904eb8d16F37a2C05d9eB374',
          transferWalletAddress: await wallet(),
          merchantUniqueId: 'print-0919',
        },
      ],
    });

    await shop.page.getByRole('button', { name: 'Close the checkout' }).click();
    await shop.page.locator('dialog').waitFor({ state: 'detached' });
    await ridges().getByText('Paid: the print is yours.').waitFor();
    await ridges().getByText('Sold to you.').waitFor();
  });

  it('sees the print with its picture and what comes next, and nothing below the top-up', async () => {
    await mintWind().click();
    await payInWidget(await findWidgetFrame(shop));
    await shop.page.getByRole('button', { name: 'Close the checkout' }).click();
    await shop.page.locator('dialog').waitFor({ state: 'detached' });
    const card = shop.page.getByRole('group', { name: /^West Wind/ });
    const state = (name: string) =>
      shop.page.locator(`.bought[data-state="${name}"]`).waitFor({ timeout: 30_000 });
    await state('finished');
    await card.getByRole('img', { name: /^West Wind/ }).waitFor();
    await card.getByText('Paid', { exact: true }).waitFor();
    await card.getByText('Next, the payment goes to the seller').waitFor();
    expect(await shop.page.locator('.latest').isVisible()).toBe(false);
    expect(await listAxeViolations(shop.page, '.gallery')).toEqual([]);
    // The card of this print is there after a reload too.
    await shop.page.reload();
    await state('finished');
    await card.getByText('Next, the payment goes to the seller').waitFor();
  });

  it('mints two prints with the keyboard', async () => {
    const before = shop.demo.sandbox.orders().length;
    await oneMore().press('Enter');
    expect(await mintWind().innerText()).toBe('Mint 2 for 0.04\u00a0ETH');
    await shop.page.getByText(/^About \d+ USD each$/).waitFor();
    await mintWind().press('Enter');
    const widget = await findWidgetFrame(shop);
    expect(await getWidgetState(widget)).toBe('form');
    await payInWidget(widget);
    expect(ordersSince(before)).toMatchObject([
      {
        cryptoCurrencyAmount: '0.04',
        nftDetails: [{ type: 'MINT', mintQuantity: 2, transferWalletAddress: await wallet() }],
      },
    ]);
  });

  it('mints at least one print, and at most the limit of the edition', async () => {
    const fewer = wind().getByRole('button', { name: 'Decrease' });
    expect(await fewer.getAttribute('aria-disabled')).toBe('true');
    for (let press = 0; press < 6; press++) await oneMore().press('Enter');
    expect(await mintWind().innerText()).toBe('Mint 5 for 0.1\u00a0ETH');
    expect(await oneMore().getAttribute('aria-disabled')).toBe('true');
    expect(await oneMore().evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('signs in at a print, and the focus stays at the print', async () => {
    await shop.page.evaluate(() => fetch('/api/session', { method: 'DELETE' }));
    await shop.page.reload();
    await shop.page
      .getByRole('button', { name: 'Sign in to buy: Survey of a Quiet Hill' })
      .press('Enter');
    await buySurvey().waitFor();
    expect(await buySurvey().evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('sees "Sign in to buy" and no checkout when the session has ended', async () => {
    await buySurvey().waitFor();
    await shop.context.clearCookies();
    await buySurvey().click();
    await shop.page.getByRole('alert').filter({ hasText: 'Sign in to buy.' }).waitFor();
    expect(await shop.page.locator('dialog').count()).toBe(0);
  });
});

describe('the gallery', () => {
  const signedIn = () => buySurvey().waitFor();
  const signedOut = async () => {
    await shop.page.evaluate(() => fetch('/api/session', { method: 'DELETE' }));
    await shop.page.reload();
    await shop.page
      .getByRole('button', { name: /^Sign in to mint/ })
      .first()
      .waitFor();
  };

  it.each([
    ['on a phone, signed in', 360, signedIn],
    ['on a phone, signed out', 360, signedOut],
    ['on a wide screen', 1440, signedIn],
  ])('fits %s, with large enough targets and without axe violations', async (_, width, ready) => {
    await shop.page.setViewportSize({ width, height: 900 });
    await ready();
    const { overflow, small } = await shop.page.evaluate(() => ({
      overflow: document.documentElement.scrollWidth - window.innerWidth,
      small: [...document.querySelectorAll('.gallery button')]
        .filter((button) => {
          const box = button.getBoundingClientRect();
          return box.width < 44 || box.height < 44;
        })
        .map((button) => button.getAttribute('aria-label') ?? button.outerHTML),
    }));
    expect(overflow).toBeLessThanOrEqual(0);
    expect(small).toEqual([]);
    expect(await listAxeViolations(shop.page, '.gallery')).toEqual([]);
  });

  it('shows an error and no buttons when the prints cannot be loaded', async () => {
    await shop.page.route('**/listings.json', (route) => route.abort());
    await shop.page.reload();
    await shop.page.getByRole('alert').filter({ hasText: 'prints could not be loaded' }).waitFor();
    expect(await shop.page.locator('.gallery button').count()).toBe(0);
    expect(await shop.page.getByRole('img', { name: 'Print no. 0175' }).count()).toBe(1);
  });

  it('names the print in the description of every button or its group', async () => {
    await signedIn();
    const named = await shop.page.locator('.gallery button').evaluateAll((buttons) =>
      buttons.map((button) => {
        const described = button.closest('[aria-describedby]');
        const id = described?.getAttribute('aria-describedby') ?? '';
        const title = document.getElementById(id)?.textContent;
        return title === button.closest('article')?.querySelector('h3')?.textContent && title;
      }),
    );
    expect(named).not.toContain(false);
    const withButtons = shop.page.getByRole('article').filter({ has: shop.page.locator('button') });
    expect(new Set(named).size).toBe(await withButtons.count());
    expect(named.length).toBeGreaterThanOrEqual(9);
  });
});

describe('an attacker who changes the price', () => {
  const THEIRS = '0x000000000000000000000000000000000000dEaD';

  it('gets the signature for the listing only, with any proposal', async () => {
    const { status, body } = await checkout({
      merchantUniqueId: 'print-0175',
      amount: '0.000001',
      contractAddress: THEIRS,
      walletAddress: THEIRS,
      ownerWalletAddress: THEIRS,
      transferWalletAddress: THEIRS,
      tokenId: '1',
    });
    expect(status).toBe(201);
    expect(body.params).toMatchObject({
      amount: '0.05',
      contractAddress: '0x8c5a2F94be07d1636F0e9b3aD4752C81E09F6D35',
      walletAddress: '0x4f1E1d0A7E5b3C92D86A40f7Be21C9350D7a6e18',
      transferWalletAddress: await wallet(),
      tokenId: '175',
    });
    expect(JSON.stringify(body)).not.toContain(THEIRS);
    expect((await checkout({ merchantUniqueId: 'print-0386', mintQuantity: '6' })).status).toBe(
      403,
    );
  });

  it('is refused by the widget after an edit of the price in the URL', async () => {
    await shop.page.getByRole('button', { name: 'Buy for 160 USDC' }).click();
    const widget = await findWidgetFrame(shop);
    await getWidgetState(widget);
    const url = new URL(widget.url());
    url.searchParams.set('amount', '16');
    const response = await shop.page.goto(url.href);
    expect(response?.status()).toBe(403);
    expect(await getWidgetState(shop.page.mainFrame())).toBe('refused');
    expect(await shop.page.locator('body').innerText()).toContain('10003');
  });
});
