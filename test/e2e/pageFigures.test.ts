import type { BrowserContext, Frame, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { contextOptions } from '../support/browser/launchOptions.js';
import { listAxeViolations } from '../support/browser/listAxeViolations.js';
import { payInWidget } from '../support/browser/payInWidget.js';
import { setUpBrowser } from '../support/browser/setUpBrowser.js';
import { type Demo, startDemo } from '../support/shop/startDemo.js';
import {
  listSmallTargets,
  listSmallTexts,
  measureShift,
  recordShifts,
  settle,
} from './pageFigures.js';

const MAX_SHIFT = 0.02;

const sizes = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 768, height: 1024 },
  phone: { width: 390, height: 844 },
};
type Size = keyof typeof sizes;

const chrome = setUpBrowser();
let demo: Demo;
/** The storage of a browser whose shopper has paid one checkout and opened another. */
let buyer: Awaited<ReturnType<BrowserContext['storageState']>>;
/** The storage of a browser that is signed in as the operator. */
let operator: typeof buyer;

const openContext = (size: Size, storageState?: typeof buyer) =>
  chrome.browser.newContext({
    ...contextOptions,
    viewport: sizes[size],
    locale: 'en-GB',
    ...(storageState && { storageState }),
  });

async function withPage(
  size: Size,
  storageState: typeof buyer | undefined,
  test: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await openContext(size, storageState);
  try {
    await test(await context.newPage());
  } finally {
    await context.close();
  }
}

async function findFrame(page: Page) {
  const frame = await (await page.waitForSelector('dialog iframe')).contentFrame();
  if (!frame) throw new Error('The dialog has no frame.');
  await frame.locator('main[data-state="form"]').waitFor();
  return frame;
}

const buy = (page: Page) => page.getByRole('button', { name: /^Buy [\d.,]+\sUSDT$/ });

beforeAll(async () => {
  demo = chrome.closeLater(await startDemo());
  const shopper = await openContext('desktop');
  const page = await shopper.newPage();
  await page.goto(demo.shopUrl);
  await buy(page).click();
  await payInWidget(await findFrame(page));
  await page.goto(demo.shopUrl);
  await page
    .getByRole('button', { name: /^Mint 1/ })
    .first()
    .click();
  await findFrame(page);
  buyer = await shopper.storageState();
  await shopper.close();
  const office = await openContext('desktop');
  const operatorPage = await office.newPage();
  await operatorPage.goto(`${demo.shopUrl}operator`);
  await operatorPage.getByLabel('Password').fill(demo.operatorPassword);
  await operatorPage.keyboard.press('Enter');
  await operatorPage.getByLabel('Password').waitFor({ state: 'detached' });
  operator = await office.storageState();
  await office.close();
});

const visitors = {
  newcomer: () => undefined,
  buyer: () => buyer,
  operator: () => operator,
};

/** Every page of the example, and who opens it. */
const views = [
  ['shop', '', 'newcomer'],
  ['shop', '', 'buyer'],
  ['orders', 'orders', 'newcomer'],
  ['orders', 'orders', 'buyer'],
  ['operator', 'operator', 'newcomer'],
  ['operator', 'operator', 'operator'],
] as const;

/** The job `example` tests only the phone, with slow responses. `CASES=all` runs all cases. */
const isSample = process.env.CASES !== 'all';
const speeds = isSample ? ['slow'] : ['quick', 'slow'];
const testedSizes = isSample ? (['phone'] as const) : (Object.keys(sizes) as Size[]);

describe.each(views)('the page %s', (_, path, visitor) => {
  const cases = testedSizes.flatMap((size) => speeds.map((speed) => ({ size, speed })));

  it.each(cases)(
    `keeps still for the ${visitor} on a $size with $speed responses`,
    async ({ size, speed }) => {
      await withPage(size, visitors[visitor](), async (page) => {
        await recordShifts(page);
        if (speed === 'slow')
          await page.route(/\/api\/|\.json$/, async (route) => {
            // The delay depends on the URL, so that responses overtake one another, as on a slow connection.
            const delay = 300 + (route.request().url().length % 7) * 150;
            await new Promise((resolve) => setTimeout(resolve, delay));
            await route.continue().catch(() => {});
          });
        await settle(page, () => page.goto(`${demo.shopUrl}${path}`));
        const { sum, shifts } = await measureShift(page);
        process.stdout.write(`/${path} ${visitor} ${size} ${speed}: ${sum.toFixed(4)}\n`);
        expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(MAX_SHIFT);
      });
    },
  );

  it.each(testedSizes)(
    `has large targets and no text below 12 px for the ${visitor} on a %s, and fits 320 px`,
    (size) =>
      withPage(size, visitors[visitor](), async (page) => {
        await settle(page, () => page.goto(`${demo.shopUrl}${path}`));
        expect(await listSmallTargets(page)).toEqual([]);
        expect(await listSmallTexts(page)).toEqual([]);
        await page.setViewportSize({ width: 320, height: 640 });
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
          .toBeLessThanOrEqual(320);
      }),
  );

  it.each(testedSizes)(`has no axe violations for the ${visitor} on a %s, light and dark`, (size) =>
    withPage(size, visitors[visitor](), async (page) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await settle(page, () => page.goto(`${demo.shopUrl}${path}`));
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        expect([colorScheme, await listAxeViolations(page)]).toEqual([colorScheme, []]);
      }
    }),
  );
});

describe('the shop', () => {
  it.each(testedSizes)(
    'has large targets in the account panel, the list and the limit on a %s',
    (size) =>
      withPage(size, undefined, async (page) => {
        await page.goto(demo.shopUrl);
        await buy(page).waitFor();
        await page.getByRole('button', { name: /^USDT/ }).click();
        await page.getByRole('combobox').waitFor();
        expect(await listSmallTargets(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.locator('.account').click();
        expect(await listSmallTargets(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByLabel('You pay').first().fill('5');
        await page.getByRole('button', { name: /^15\sUSD$/ }).waitFor();
        expect(await listSmallTargets(page)).toEqual([]);
      }),
  );

  it('has large targets and texts in the dialog and on each screen of the widget', () =>
    withPage('phone', undefined, async (page) => {
      await page.goto(demo.shopUrl);
      await buy(page).click();
      const frame = await findFrame(page);
      const listSmall = async (of: Page | Frame) => [
        ...(await listSmallTargets(of)),
        ...(await listSmallTexts(of)),
      ];
      expect(await listSmall(page)).toEqual([]);
      expect(await listSmall(frame)).toEqual([]);
      await frame.getByRole('button', { name: 'Continue' }).click();
      await frame.getByLabel('E-mail').fill('shopper@example.com');
      expect(await listSmall(frame)).toEqual([]);
      await frame.getByRole('button', { name: /^Pay / }).click();
      await frame.locator('main[data-state="finished"]').waitFor();
      expect(await listSmall(frame)).toEqual([]);
    }));

  it('is sent compressed', () =>
    withPage('desktop', undefined, async (page) => {
      const plain: string[] = [];
      page.on('response', async (response) => {
        const isStatic = /\/assets\/.*\.(?:js|css)$/.test(response.url());
        if (isStatic && (await response.body()).length > 1000) {
          const encoding = await response.headerValue('content-encoding');
          if (encoding !== 'br') plain.push(`${encoding} ${response.url()}`);
        }
      });
      await settle(page, () => page.goto(demo.shopUrl));
      expect(plain).toEqual([]);
    }));
});
