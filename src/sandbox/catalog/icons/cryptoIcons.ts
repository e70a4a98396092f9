import { cryptoCurrencies } from '../cryptoCurrencies.js';

/** The SVG icon of each coin by its symbol: the symbol on a disc. */
export const cryptoIcons: ReadonlyMap<string, string> = new Map(
  cryptoCurrencies.map(({ symbol, colour }) => [symbol, renderDisc(symbol, colour)]),
);

function renderDisc(symbol: string, colour: string): string {
  const size = symbol.length > 3 ? 10.5 : 13;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40"><circle cx="20" cy="20" r="20" fill="${colour}"/><circle cx="20" cy="20" r="17.25" fill="none" stroke="#fff" stroke-opacity=".3" stroke-width="1.5"/><text x="20" y="20" dy=".36em" text-anchor="middle" font-family="system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" font-size="${size}" font-weight="700" letter-spacing=".2" fill="#fff">${symbol}</text></svg>`;
}
