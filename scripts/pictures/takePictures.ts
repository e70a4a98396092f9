import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { launchOptions } from '../../test/support/browser/launchOptions.js';
import { type Demo, startDemo } from '../../test/support/shop/startDemo.js';
import { installFolder, root } from '../install.mjs';
import { annotate, formatImage, takePictureOf } from './compose.js';
import { openPicturePage } from './picturePage.js';
import { takeOperatorPage } from './takeOperatorPage.js';

const FOLDER = 'docs/pictures';

interface Studio {
  readonly demo: Demo;
  readonly context: BrowserContext;
  /** An empty page on which pictures are composed. */
  readonly canvas: Page;
}

const VIEWPORT = { width: 960, height: 820 };

/** Waits for the widget's form, and shows a name instead of the sandbox's address and port. */
async function openForm(page: Page): Promise<void> {
  await page.frameLocator('iframe.ramp-frame').locator('main[data-state="form"]').waitFor();
  await page.locator('.ramp-bar-host').evaluate((bar) => {
    bar.textContent = 'pay.example';
  });
  // Wait until the dialog has faded in.
  await page.waitForTimeout(600);
}

/** Takes a picture of a purchase in three states side by side: the price, the dialog, and the delivered order. */
async function takeJourney({ demo, context, canvas }: Studio): Promise<Buffer> {
  const page = await openPicturePage(context, demo, 'shop');
  const card = page.locator('.ramp-quote');
  const amount = card.getByRole('textbox');
  await amount.fill('250');
  await page.getByRole('button', { name: /^Buy 2/ }).waitFor();
  await amount.blur();
  const cardPng = await card.screenshot();
  await page.getByRole('button', { name: /^Buy 2/ }).click();
  await openForm(page);
  const dialogPng = await page.locator('dialog').screenshot();
  const frame = page.frameLocator('iframe.ramp-frame');
  await frame.getByRole('button', { name: 'Continue' }).click();
  await frame.getByLabel('E-mail').fill('shopper@example.com');
  await frame.getByRole('button', { name: /^Pay / }).press('Enter');
  await page.getByRole('button', { name: 'Back to the shop' }).click();
  const status = page.locator('.ramp-status[data-state="finished"]');
  await status.waitFor();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(800);
  const statusPng = await status.screenshot();
  await page.close();
  const css = `
    #picture { display: inline-flex; align-items: center; gap: 28px; padding: 32px }
    img { border-radius: 14px; box-shadow: 0 8px 30px rgb(0 0 0 / 12%) }
    span { color: light-dark(#00747a, #4fc3c7); font-size: 32px }`;
  const pictures = [cardPng, dialogPng, statusPng].map((png) => formatImage(png, 400));
  return takePictureOf(canvas, css, pictures.join('<span>→</span>'));
}

/** Takes a picture of a button's four displays: in a dialog, in the page, in a window, in place of the page. */
async function takeDisplays({ demo, context, canvas }: Studio): Promise<Buffer> {
  const shots: Record<string, Buffer> = {};
  let popupPng: Buffer | undefined;
  for (const display of ['modal', 'inline', 'window', 'redirect']) {
    const page = await openPicturePage(context, demo, 'display', display);
    const button = page.getByRole('button', { name: 'Buy crypto' });
    if (display === 'window') {
      const [popup] = await Promise.all([page.waitForEvent('popup'), button.click()]);
      await popup.locator('main[data-state="form"]').waitFor();
      await popup.setViewportSize({ width: 420, height: 600 });
      popupPng = await popup.screenshot();
      shots[display] = await page.screenshot();
      await popup.close();
    } else {
      await button.click();
      if (display === 'redirect') await page.locator('main[data-state="form"]').waitFor();
      else await openForm(page);
      shots[display] = await page.screenshot();
    }
    await page.close();
  }
  const css = `
    #picture { display: inline-grid; grid-template-columns: repeat(2, 560px); gap: 28px; padding: 28px }
    figure { margin: 0 }
    figcaption { margin-block-end: 8px; font: 600 15px ui-monospace, Menlo, monospace }
    .browser { position: relative; overflow: hidden; border: 1px solid light-dark(#c9d2cf, #3a4543); border-radius: 12px; background: light-dark(#e9eeec, #1d2423) }
    .bar { padding: 7px 14px; color: light-dark(#55625f, #a3b0ad); font-size: 13px }
    .bar::before { content: "● ● ●"; margin-inline-end: 14px; letter-spacing: 1px; opacity: 0.5 }
    .popup { position: absolute; inset-block-start: 64px; inset-inline-start: 170px; border-radius: 12px; box-shadow: 0 10px 40px rgb(0 0 0 / 35%) }`;
  const browser = (host: string, content: string) =>
    `<div class="browser"><div class="bar">${host}</div>${content}</div>`;
  const figures = Object.entries(shots).map(([display, png]) => {
    const window =
      display === 'window' && popupPng
        ? `<div class="popup">${browser('pay.example', formatImage(popupPng, 230))}</div>`
        : '';
    const host = display === 'redirect' ? 'pay.example' : 'shop.example';
    return `<figure><figcaption>display="${display}"</figcaption>${browser(host, formatImage(png, 560) + window)}</figure>`;
  });
  return takePictureOf(canvas, css, figures.join(''));
}

/** Takes a picture of the price card, labelled with the props that set its parts. */
async function takePriceCard({ demo, context, canvas }: Studio): Promise<Buffer> {
  const page = await openPicturePage(context, demo, 'shop');
  const card = page.locator('.ramp-quote');
  await page.locator('.ramp-quote[data-state="success"]').waitFor();
  await page.waitForTimeout(400);
  const [fiat, coin] = [0, 1].map((at) => card.locator('.ramp-quote-pill').nth(at));
  if (!fiat || !coin) throw new Error('The card has no currencies.');
  const png = await annotate(canvas, card, [
    { of: card.getByRole('textbox'), text: 'defaultValue.amount', side: 'left' },
    { of: fiat, text: 'fiatCurrency', side: 'right' },
    { of: coin, text: 'cryptoCurrency,<br>cryptoNetwork', side: 'right' },
    { of: card.locator('.ramp-quote-ring'), text: 'refreshSeconds', side: 'right' },
    {
      of: card.locator('input[type="radio"]:checked'),
      text: 'defaultValue.payment',
      side: 'right',
    },
    { of: card.locator('.ramp-quote-breakdown'), text: 'onQuote', side: 'left' },
    { of: card.locator('.ramp-button'), text: 'children', side: 'right' },
  ]);
  await page.close();
  return png;
}

/** Takes a picture of the NFT card, labelled with the props that set its parts. */
async function takeNftCard({ demo, context, canvas }: Studio): Promise<Buffer> {
  const page = await openPicturePage(context, demo, 'nft');
  const card = page.locator('.ramp-nft');
  const png = await annotate(canvas, card, [
    { of: card.locator('.ramp-nft-image'), text: 'image', side: 'left' },
    { of: card.locator('.ramp-nft-collection'), text: 'collection', side: 'left' },
    { of: card.locator('.ramp-nft-name'), text: 'name', side: 'right' },
    { of: card.locator('.ramp-nft-price bdi'), text: 'price, currency', side: 'left' },
    { of: card.locator('.ramp-nft-fiat'), text: 'fiatPrice', side: 'right' },
    { of: card.locator('.ramp-nft-quantity'), text: 'maxQuantity', side: 'right' },
    { of: card.locator('.ramp-button'), text: 'button', side: 'left' },
    { of: card.locator('.hint'), text: 'children', side: 'right' },
  ]);
  await page.close();
  return png;
}

/** Loads the encoder. The first call installs it in this folder. */
function loadSharp() {
  const tools = join(root, 'scripts', 'pictures');
  installFolder(tools);
  return createRequire(join(tools, 'package.json'))('sharp');
}

/** Encodes a picture as WebP. Lossless WebP is often smaller for text and flat colours, so the smaller result wins. */
async function encode(png: Buffer): Promise<Buffer> {
  const sharp = loadSharp();
  const options = [{ lossless: true }, { quality: 86 }];
  const encoded: Buffer[] = await Promise.all(
    options.map((each) =>
      sharp(png)
        .removeAlpha()
        .webp({ ...each, effort: 6 })
        .toBuffer(),
    ),
  );
  return encoded.reduce((a, b) => (a.length <= b.length ? a : b));
}

async function takeInScheme(browser: Browser, scheme: 'light' | 'dark'): Promise<void> {
  const demo = await startDemo();
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: VIEWPORT,
    deviceScaleFactor: 1.5,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    bypassCSP: true,
  });
  try {
    const canvas = await context.newPage();
    await canvas.setViewportSize({ width: 1600, height: 1200 });
    const studio = { demo, context, canvas };
    const pictures = {
      journey: await takeJourney(studio),
      displays: await takeDisplays(studio),
      'price-card': await takePriceCard(studio),
      'nft-card': await takeNftCard(studio),
      operator: await takeOperatorPage(browser, scheme),
    };
    for (const [name, png] of Object.entries(pictures)) {
      const path = `${FOLDER}/${name}-${scheme}.webp`;
      const webp = await encode(png);
      writeFileSync(path, webp);
      process.stdout.write(`${path}, ${Math.round(webp.length / 1024)} kB
`);
    }
  } finally {
    await context.close();
    await demo.close();
  }
}

/** Takes the pictures of the guides and the README in both colour schemes, and writes them to docs/pictures. */
export async function takePictures(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch(launchOptions);
  try {
    for (const scheme of ['light', 'dark'] as const) await takeInScheme(browser, scheme);
  } finally {
    await browser.close();
  }
}
