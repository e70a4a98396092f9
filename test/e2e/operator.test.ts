import type { BrowserContext, Locator, Page } from 'playwright';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contextOptions } from '../support/browser/launchOptions.js';
import { listAxeViolations } from '../support/browser/listAxeViolations.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import {
  type SupportCase,
  type SupportCases,
  startSupportCases,
} from '../support/shop/supportCases.js';

const chrome = setUpBrowser();
let shared: SupportCases;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  shared = await startSupportCases();
  chrome.closeLater(shared.demo);
});
beforeEach(async () => {
  context = await chrome.browser.newContext({
    ...contextOptions,
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  page = await context.newPage();
  await signIn();
});
afterEach(() => context.close());

async function signIn(hash = '') {
  await page.goto(`${shared.demo.shopUrl}operator${hash}`);
  await page.getByLabel('Password').fill(shared.demo.operatorPassword);
  await page.keyboard.press('Enter');
  await page.getByLabel('Reference, order, wallet or transaction').waitFor();
}
function findCase(name: string): SupportCase {
  const found = shared.cases.find((one) => one.name === name);
  if (!found) throw new Error(`There is no case "${name}".`);
  return found;
}
const field = () => page.getByLabel('Reference, order, wallet or transaction');
const drawer = () => page.getByRole('dialog');
const answer = () => drawer().locator('.answer');
const results = () => page.getByRole('table', { name: /^Search results/ });
const firstResult = () => results().getByRole('link').first();
const step = (name: string) =>
  drawer().getByRole('list', { name: 'Timeline' }).getByRole('listitem').filter({ hasText: name });
async function search(text: string) {
  await field().fill(text);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /results?$|^Nothing found|^Not searched/ }).waitFor();
}
/** Searches for what a shopper wrote. The only result opens by itself. */
async function answerCase(name: string): Promise<Locator> {
  await field().fill(findCase(name).words);
  await page.keyboard.press('Enter');
  await answer().waitFor();
  return answer();
}
const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
/** Requests the data of the page now instead of after some seconds. */
const refresh = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
const getFocusedText = () => page.evaluate(() => document.activeElement?.textContent);

describe('the words of a shopper who paid and got nothing', () => {
  it('lead to the wallet that the crypto was sent to', async () => {
    await answerCase('quarantined by wallet');
    await answer().getByText('Paid. The crypto was sent to another wallet.').waitFor();
    const evidence = drawer().getByLabel('Evidence: Wallet');
    expect(await evidence.innerText()).toMatch(/Expected[\s\S]*0x[\s\S]*Sent to[\s\S]*0x93c7/);
    await evidence.getByRole('button', { name: 'Copy actual value' }).click();
    await evidence.getByText('Copied').waitFor();
    expect(await readClipboard()).toBe(`0x${'93c7'.repeat(10)}`);
    await drawer().getByRole('button', { name: 'Copy answer' }).click();
    await drawer().locator('.actions').getByText('Copied').waitFor();
    expect(await readClipboard()).toMatch(/^Hello,[\s\S]+Is the first wallet yours, too\?/);
    await drawer().getByRole('button', { name: 'Copy for the service' }).click();
    await expect
      .poll(readClipboard)
      .toMatch(/^Order: \w{32}\nReference: .{22}\n[\s\S]+\nSent to: 0x93c7/);
    expect(await step('Booked in the shop').innerText()).toContain('No, held for review');
    await drawer().getByText('Your order is under review.').waitFor();
  });

  it('lead to the order that the shop fails to book, with the error and another attempt', async () => {
    await answerCase('delivery that fails');
    await answer()
      .getByText(/^Paid\. The service sent [\d.]+ ETH to the shopper’s wallet\. Booking the order/)
      .waitFor();
    await answer()
      .getByText(/booking attempts? failed; the next is (?:at \d|due with the next sync)/)
      .waitFor();
    expect(await step('Booked in the shop').innerText()).toMatch(/booking attempts? failed/);
    await drawer()
      .getByText(/^Last error, .+: ERR_SQLITE_ERROR: The warehouse does not respond\.$/)
      .waitFor();
    await drawer().getByText('“Delivered. Your purchase has arrived in your wallet.”').waitFor();
    await drawer().getByRole('button', { name: 'Try again now' }).click();
    await drawer()
      .getByText(/^It failed again\.|^The attempt follows/)
      .waitFor();
  });

  it('lead to the completed order whose webhook was lost', async () => {
    await answerCase('webhook lost');
    await answer().getByText('Paid and completed.').waitFor();
    await answer().getByText('The service’s message to the shop was lost').waitFor();
    expect(await step('The service’s message to the shop').innerText()).toContain('Lost');
    const link = drawer().getByRole('link', { name: 'Explorer (new tab)' });
    expect(await link.getAttribute('href')).toMatch(
      /^https:\/\/explorer\.example\/.*0x[0-9a-f]{64}$/,
    );
  });

  it('lead to the checkout that the same shopper paid on another device', async () => {
    await answerCase('paid on another device');
    await answer().getByText('Not paid. But the same shopper paid another checkout.').waitFor();
    const others = drawer().getByRole('table', { name: /^Other checkouts/ });
    await others.getByText('Completed').waitFor();
    await others.getByRole('link', { name: 'Top-up' }).press('Enter');
    await answer().getByText('Paid and completed.').waitFor();
    await expect.poll(getFocusedText).toBe('Top-up, 100.00 USD');
    await page.keyboard.press('Escape');
    await drawer().waitFor({ state: 'detached' });
    await expect.poll(getFocusedText).toBe('1 result');
  });

  it('lead to the checkout that was not paid at all', async () => {
    const { reference } = findCase('not paid at all');
    await answerCase('not paid at all');
    await answer().getByText('Not paid.', { exact: true }).waitFor();
    await answer()
      .getByText(/The service has no order for it, as of \d/)
      .waitFor();
    await drawer()
      .getByText(/^Can be paid until/)
      .first()
      .waitFor();
    await drawer().getByRole('button', { name: 'Sync now' }).click();
    await drawer()
      .getByText(/^(Synced just now|A sync is running)/)
      .waitFor();
    await answer()
      .getByText(/If the shopper has a receipt of the service, search for its order number\.$/)
      .waitFor();
    await drawer().getByText(reference).waitFor();
    await page.keyboard.press('Escape');
    await results().getByText('100 USD').waitFor();
    await results().getByText('requested').waitFor();
  });
});

describe('the drawer', () => {
  it('opens and closes by keyboard, and returns the focus to its link', async () => {
    const { reference } = findCase('webhook lost');
    await answerCase('webhook lost');
    await page.goBack();
    await drawer().waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: '1 result' }).waitFor();
    await firstResult().focus();
    await page.keyboard.press('Enter');
    await answer().waitFor();
    await expect.poll(() => page.url()).toMatch(new RegExp(`#checkout=${reference}$`));
    expect(await page.evaluate(() => document.querySelector('dialog')?.matches(':modal'))).toBe(
      true,
    );
    await page.keyboard.press('Escape');
    await drawer().waitFor({ state: 'detached' });
    await expect.poll(getFocusedText).toBe('Top-up');
    await expect.poll(() => page.url()).not.toContain('#');
  });

  it('has an address that can be sent to a colleague', async () => {
    const { reference } = findCase('quarantined by wallet');
    await signInAsColleague(`#checkout=${reference}`);
    await answer().getByText('Paid.').waitFor();
    await page.goBack();
    await page.goto(`${shared.demo.shopUrl}operator#checkout=unknown`);
    await drawer().getByText('This shop has no such checkout or order.').waitFor();
  });

  async function signInAsColleague(hash: string) {
    await context.clearCookies();
    await page.goto('about:blank');
    await signIn(hash);
  }

  it('asks what was done, tells the shopper, and can undo it', async () => {
    const { reference } = findCase('quarantined by wallet');
    await page.goto(`${shared.demo.shopUrl}operator#checkout=${reference}`);
    await drawer().getByRole('button', { name: 'Mark as handled' }).click();
    await drawer()
      .getByRole('alert')
      .filter({ hasText: 'Choose what happens to the order.' })
      .waitFor();
    await drawer().getByLabel('Refunded').check();
    const note = drawer().getByLabel('Note for colleagues');
    await note.fill('x'.repeat(10_000));
    await drawer().getByText('10,000 of 2,000 characters. Shorten it').waitFor();
    await drawer().getByRole('button', { name: 'Mark as handled' }).click();
    await drawer().getByRole('alert').filter({ hasText: 'Shorten the note.' }).waitFor();
    await note.fill('\u202eسارة called. <b>Paid back</b> by bank.');
    await drawer().getByRole('button', { name: 'Mark as handled' }).click();
    await answer().getByText('Handled: refunded.').waitFor();
    await expect.poll(getFocusedText).toBe('Top-up, 100.00 USD');
    await drawer().getByText('<b>Paid back</b> by bank.').waitFor();
    await drawer().getByText('The shop has sent your money back.').waitFor();

    await drawer().getByRole('button', { name: 'Undo' }).click();
    await answer().getByText('Paid. The crypto was sent to another wallet.').waitFor();
    await drawer().getByText('Your order is under review.').waitFor();
  });

  it('can change what was done later', async () => {
    const { reference } = findCase('quarantined by wallet');
    await page.goto(`${shared.demo.shopUrl}operator#checkout=${reference}`);
    await drawer().getByText('This only records it. Then refund it at the service.').waitFor();
    await drawer().getByLabel('Nothing to do').check();
    await drawer().getByLabel('Note for colleagues').fill('It is her wallet.');
    await drawer().getByRole('button', { name: 'Mark as handled' }).click();
    await answer().getByText('Handled: nothing to do.').waitFor();
    // On another page load, such as a colleague's, the case can be changed without a time limit.
    await page.reload();
    await answer().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Handled', exact: true }).click();
    const rows = page.getByRole('table', { name: /^Orders/ }).locator('tbody tr');
    await expect.poll(() => rows.locator('.badge').allInnerTexts()).toEqual(['Handled']);
    await rows.getByRole('link').click();
    await drawer().getByRole('button', { name: 'Change' }).click();
    await answer().getByText('Paid. The crypto was sent to another wallet.').waitFor();
    expect(await drawer().getByLabel('Note for colleagues').inputValue()).toBe('It is her wallet.');
    await drawer().getByText('Your order is under review.').waitFor();
  });

  it('shows what a colleague did meanwhile, and changes nothing', async () => {
    const { reference } = findCase('quarantined by wallet');
    await page.goto(`${shared.demo.shopUrl}operator#checkout=${reference}`);
    await drawer().getByLabel('Completed by hand').check();
    // From here on, the open drawer does not learn what the colleague does.
    await page.route('**/api/operator/details*', (route) => route.abort());
    const path = await page.evaluate(async () => {
      const response = await fetch('/api/operator/overview');
      const { cases } = await response.json();
      const orderId = cases.find(
        (one: { case: { reason: string } }) => one.case.reason === 'wallet',
      ).orderId;
      return `/api/operator/cases/${orderId}`;
    });
    const post = (action: string, body: object) =>
      page.evaluate(
        async ([url, text]) => {
          const headers = { 'Content-Type': 'application/json' };
          const response = await fetch(url, { method: 'POST', headers, body: text });
          return response.json();
        },
        [`${path}/${action}`, JSON.stringify(body)] as const,
      );
    const { handledAt } = await post('handled', { outcome: 'closed', note: '' });
    await drawer().getByRole('button', { name: 'Mark as handled' }).click();
    await drawer()
      .getByRole('alert')
      .filter({ hasText: 'A colleague has already handled this case: nothing to do.' })
      .waitFor();
    await page.unroute('**/api/operator/details*');
    await answer().getByText('Handled: nothing to do.').waitFor({ timeout: 15_000 });
    await post('reopen', { handledAt });
  });
});

describe('the operator page', () => {
  it('begins with the focus in the field that is needed first', async () => {
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await expect.poll(focused).toBe('search');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect.poll(focused).toBe('password');
  });

  it('syncs on request, and says when it has', async () => {
    const head = page.locator('.operator-head');
    await head.getByText(/^Synced \d/).waitFor();
    await head.getByRole('button', { name: 'Sync now' }).click();
    await head.getByText(/^Synced just now\.|^A sync is running/).waitFor();
  });

  it('says that nothing has what was searched', async () => {
    await search(`0x${'0'.repeat(40)}`);
    await page.getByText('No checkout or order has this wallet.').waitFor();
    await search('x'.repeat(10_000));
    await page.getByRole('alert').filter({ hasText: 'This text has 10,000 characters.' }).waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  });

  it('counts as many cases as its rows have', async () => {
    await page.getByRole('button', { name: 'Needs attention' }).click();
    const rows = page.getByRole('table', { name: /^Orders/ }).locator('tbody tr');
    await expect
      .poll(async () => {
        const badges = await rows.locator('.badge').allInnerTexts();
        const cases = await page.getByRole('list', { name: 'Cases' }).getByRole('listitem').count();
        const count = Number(await page.locator('.count').innerText());
        return count > 0 && count === cases && count === badges.length ? [...new Set(badges)] : [];
      })
      .toEqual(['Needs attention']);
    await page.getByRole('button', { name: 'Completed', exact: true }).click();
    await expect
      .poll(async () => [...new Set(await rows.locator('.badge').allInnerTexts())])
      .toEqual(['Completed']);
  });

  it('does not call an error of the server a lost connection', async () => {
    await page.route('**/api/operator/overview', (route) =>
      route.fulfill({ status: 500, body: '' }),
    );
    await refresh();
    const line = page.getByRole('alert');
    await line.filter({ hasText: 'Error 500 of the server since' }).waitFor();
    await page.unroute('**/api/operator/overview');
    await refresh();
    await page.getByText(/^Synced/).waitFor();
    await page.route('**/api/operator/overview', (route) => route.abort());
    await refresh();
    await line.filter({ hasText: 'No connection to the server since' }).waitFor();
  });

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('has no axe violations in %s at %i pixels, and fits', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 844 });
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect([await overflow(), await listAxeViolations(page)]).toEqual([0, []]);
    for (const name of ['quarantined by wallet', 'webhook lost', 'paid on another device']) {
      await answerCase(name);
      expect([name, await overflow(), await listAxeViolations(page)]).toEqual([name, 0, []]);
      const isWide = await drawer().evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth);
      expect(isWide).toBe(false);
      await page.keyboard.press('Escape');
      await drawer().waitFor({ state: 'detached' });
    }
    await search('nothing');
    expect([await overflow(), await listAxeViolations(page)]).toEqual([0, []]);
  });

  it('fades nothing for a person who asked for less motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    const durations = await page
      .locator('button, a, input')
      .evaluateAll((all) => all.map((element) => getComputedStyle(element).transitionDuration));
    expect([...new Set(durations)]).toEqual(['0s']);
  });

  it.each([1440, 768, 390])('moves nothing while it loads at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
          shifts.push(entry.value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    const sum = await page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((total, one) => total + one, 0),
    );
    expect(sum).toBeLessThanOrEqual(0.02);
  });

  it('breaks no word and cuts no name on the phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    expect(await page.locator('.brand').innerText()).toBe('Fieldnote Prints');
    const badges = page.getByRole('table', { name: /^Orders/ }).locator('.badge');
    const heights = await badges.evaluateAll((all) => all.map((badge) => badge.clientHeight));
    expect(heights.length).toBeGreaterThan(0);
    expect(Math.max(...heights)).toBeLessThan(30);
  });

  it('has targets of at least 44 pixels on the phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    const findSmallTargets = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('a, button, input, textarea, .outcome')]
          // The whole card is the target of its link, and the label is the target of its radio button.
          .filter((target) => !target.closest('.case') && !target.matches('[type="radio"]'))
          .map((target) => ({ text: target.textContent, box: target.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
          .map(({ text, box }) => [text, box.width, box.height]),
      );
    expect(await findSmallTargets()).toEqual([]);
    await answerCase('quarantined by wallet');
    expect(await findSmallTargets()).toEqual([]);
  });
});
