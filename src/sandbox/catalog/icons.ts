import { cryptoCurrencies } from './cryptoCurrencies.js';

export const getPaymentIconPath = (name: string): string => `/icons/${name}.svg`;

/** Returns the path of a coin's icon, which is the same on every network. */
export const getCryptoIconPath = (symbol: string): string => `/icons/crypto/${symbol}.svg`;

/** The SVG icons of the coins, by symbol. Each icon shows the symbol on a disc. */
export const cryptoIcons: ReadonlyMap<string, string> = new Map(
  cryptoCurrencies.map(({ symbol, colour }) => [symbol, renderDisc(symbol, colour)]),
);

function renderDisc(symbol: string, colour: string): string {
  const size = symbol.length > 3 ? 10.5 : 13;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40"><circle cx="20" cy="20" r="20" fill="${colour}"/><circle cx="20" cy="20" r="17.25" fill="none" stroke="#fff" stroke-opacity=".3" stroke-width="1.5"/><text x="20" y="20" dy=".36em" text-anchor="middle" font-family="system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" font-size="${size}" font-weight="700" letter-spacing=".2" fill="#fff">${symbol}</text></svg>`;
}

const bolt = 'M21.5 9 12 22h7l-1 9 10-13.5h-7.5z';
const code =
  'M10.5 10.5h7v7h-7zM22.5 10.5h7v7h-7zM10.5 22.5h7v7h-7zM22.5 22.5h2.5M29.5 22.5v3M22.5 26v3.5h2.5M29.5 29.5h.01';

/** The drawing of each payment option as an SVG path, for a view box of 40 by 40. */
const glyphs = {
  CREDIT_DEBIT_CARD:
    'M11 12h18a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H11a3 3 0 0 1-3-3V15a3 3 0 0 1 3-3zM8 17.5h24M12.5 23.5h5',
  CARD_PAYMENT:
    'M16 8.5h8a3 3 0 0 1 3 3v17a3 3 0 0 1-3 3h-8a3 3 0 0 1-3-3v-17a3 3 0 0 1 3-3zM17 13h6v4h-6zM17 22h.01M20 22h.01M23 22h.01M17 26h.01M20 26h.01M23 26h.01',
  BANK_CARD_TRANSFER: 'M9 16.5 20 10l11 6.5zM12.5 20v7M17.5 20v7M22.5 20v7M27.5 20v7M9 30.5h22',
  ACH_TRANSFER: 'M10 15h19.5m-4.5-4.5 4.5 4.5-4.5 4.5M30 25.5H10.5m4.5-4.5-4.5 4.5 4.5 4.5',
  SEPA_INSTANT: bolt,
  FASTER_PAYMENTS: bolt,
  CONVENIENCE_STORE: 'M11.5 19.5v11h17v-11M9 18l2.5-7.5h17L31 18zM17.5 30.5v-6h5v6',
  PIX: code,
  PROMPT_PAY: code,
} as const;

/** The names of the payment options. Each one has an icon. */
export type PaymentName = keyof typeof glyphs;

/** The SVG icons of the payment options, by name. Their background follows the color scheme of the page. */
export const paymentIcons: ReadonlyMap<string, string> = new Map(
  Object.entries(glyphs).map(([name, path]) => [name, renderTile(path)]),
);

function renderTile(path: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40"><style>rect{fill:#e3f1f1}path{stroke:#00686e}@media(prefers-color-scheme:dark){rect{fill:#1c3334}path{stroke:#7fd3d6}}</style><rect width="40" height="40" rx="10"/><path d="${path}" fill="none" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
}
