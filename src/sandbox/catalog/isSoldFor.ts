import type { CatalogCryptoCurrency } from './cryptoCurrencies.js';
import type { CatalogFiatCurrency } from './fiatCurrencies.js';

/** Whether the one buys the other. In a file of its own, as the page needs it without the catalog. */
export const isSoldFor = (
  { notFor }: CatalogCryptoCurrency,
  { code }: CatalogFiatCurrency,
): boolean => !notFor?.includes(code);
