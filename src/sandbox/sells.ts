import type { CatalogCryptoCurrency } from './crypto-currencies.js';
import type { CatalogFiatCurrency } from './fiat-currencies.js';

/** Whether the one buys the other. In a file of its own, as the page needs it without the catalog. */
export const isSoldFor = (
  { notFor }: CatalogCryptoCurrency,
  { code }: CatalogFiatCurrency,
): boolean => !notFor?.includes(code);
