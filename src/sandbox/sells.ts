import type { CryptoCurrency } from './crypto-currencies.js';
import type { FiatCurrency } from './fiat-currencies.js';

/** Whether the one buys the other. In a file of its own, as the page needs it without the catalog. */
export const sells = ({ notFor }: CryptoCurrency, { code }: FiatCurrency): boolean =>
  !notFor?.includes(code);
