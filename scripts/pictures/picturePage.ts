import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright';
import { transformWithOxc } from 'vite';
import { buildPageScript } from '../../test/support/shop/buildPageScript.js';
import type { Demo } from '../../test/support/shop/startDemo.js';

/** What the picture page shows: the README's page, one component, or a button with a `display`. */
export type PictureView = 'shop' | 'nft' | 'display';

const script = `
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { NftCard } from '@partner-ramp/react';

const { view, display, widgetUrl } = window.pictureSettings;
const hills = h('svg', { viewBox: '0 0 8 8', 'aria-hidden': true },
  h('path', { d: 'M0 0h8v8H0z', fill: '#f5d9b0' }),
  h('circle', { cx: 5.4, cy: 3, r: 1.1, fill: '#d9522e' }),
  h('path', { d: 'M0 5q2-2 4 0t4 0v3H0z', fill: '#a5586b' }),
  h('path', { d: 'M0 6.4q2-1.4 4 0t4-.2V8H0z', fill: '#33304f' }));
const views = {
  shop: () => [
    h('header', { key: 'words' },
      h('h1', null, 'Top up your wallet'),
      h('p', null, 'Pay by card. The crypto arrives in a few minutes.')),
    h(TopUp, { key: 'page' }),
  ],
  nft: () => h('div', { className: 'narrow' }, h(NftCard, {
    name: 'Two Hills, Evening', collection: 'Fieldnotes', image: hills, price: '0.05', currency: 'ETH',
    fiatPrice: '≈ 162 USD', maxQuantity: 5,
    button: { merchantUniqueId: 'print-7', type: 'MINT', mintQuantity: 2 },
    children: h('p', { className: 'hint' }, 'Edition of 50, 31 left'),
  })),
  display: () => h('article', null,
    h('h1', null, 'Top up your wallet'),
    h('p', null, 'Pay by card. The crypto arrives in a few minutes.'),
    h(OnRampButton, { display, amount: '100', defaultFiatCurrency: 'USD' })),
};
createRoot(document.querySelector('#root')).render(
  h(RampProvider, { widgetUrl, api: '/api/ramp', language: 'en' }, views[view]()),
);
`;

/** Returns the README's example component as JavaScript, with the demo's widget. */
async function readReadmePage(): Promise<string> {
  const [, code = ''] = /^```tsx\n([\s\S]*?)^```/m.exec(readFileSync('README.md', 'utf8')) ?? [];
  const page = code
    .replace(/^import '.*\.css';$/m, '')
    .replace('widgetUrl="https://pay.example"', 'widgetUrl={window.pictureSettings.widgetUrl}')
    .replace('export default ', '');
  return (await transformWithOxc(page, 'TopUp.tsx', { jsx: { runtime: 'automatic' } })).code;
}

const style = `
html { color-scheme: light dark }
body { margin: 0; background: light-dark(#f5f7f7, #101515); color: light-dark(#16201f, #e8eeec); font: 16px/1.5 system-ui, sans-serif }
main { box-sizing: border-box; max-width: 960px; margin: auto; padding: 32px }
#root:has(.ramp-quote) { display: grid; grid-template-columns: 1fr 430px; grid-template-rows: auto 1fr; column-gap: 40px; align-items: start }
#root .ramp-quote { grid-area: 1 / 2 / span 2 }
.narrow { inline-size: 340px; margin: auto }
h1 { margin: 0; font-size: 28px; line-height: 1.2 }
p { margin: 8px 0 24px }
.hint { margin: 0; color: light-dark(#566361, #9fb0ac); font-size: 14px }
`;

let page: Promise<string> | undefined;

async function buildPage(): Promise<string> {
  const css = readFileSync('dist/styles.css', 'utf8');
  const code = (await buildPageScript(`${await readReadmePage()}${script}`)).replaceAll(
    '</script',
    '<\\/script',
  );
  return `<!doctype html><html lang="en"><title>Shop</title><style>${css}${style}</style><body><main id="root"></main><script>${code}</script>`;
}

/**
 * Opens the picture page at the demo's origin, so that the page uses the demo's backend. The context must bypass the
 * demo's Content-Security-Policy.
 */
export async function openPicturePage(
  context: BrowserContext,
  { shopUrl, sandbox }: Demo,
  view: PictureView,
  display = 'modal',
): Promise<Page> {
  page ??= buildPage();
  const html = await page;
  const opened = await context.newPage();
  // Open the storefront, because it signs the shopper in. Then open a page without scripts, and replace its content.
  // The page keeps its origin.
  await opened.goto(shopUrl, { waitUntil: 'networkidle' });
  await opened.goto(`${shopUrl}listings.json`);
  const settings = JSON.stringify({ view, display, widgetUrl: sandbox.widgetUrl });
  await opened.setContent(
    html.replace('<body>', () => `<body><script>window.pictureSettings = ${settings}</script>`),
  );
  return opened;
}
