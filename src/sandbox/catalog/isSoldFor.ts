import type { CatalogCryptoCurrency } from './cryptoCurrencies.js';
import type { CatalogFiatCurrency } from './fiatCurrencies.js';

/** Returns whether the fiat currency can buy the cryptocurrency. The page imports this without the catalog. */
export const isSoldFor = (
  { notFor }: CatalogCryptoCurrency,
  { code }: CatalogFiatCurrency,
): boolean => !notFor?.includes(code);
