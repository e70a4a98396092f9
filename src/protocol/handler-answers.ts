import type { CryptoCurrency, FiatCurrency, Quote } from './resources.js';

/** How old an answer is that the backend may have kept for a while. */
export interface Kept {
  /** Time since the service said it, by the backend's clock. */
  readonly ageSeconds: number;
  /** The service is down, and this is the last that it said. */
  readonly stale: boolean;
}

/** `GET {basePath}/currencies` */
export interface FiatCurrenciesAnswer extends Kept {
  readonly currencies: readonly FiatCurrency[];
}

/** `GET {basePath}/cryptocurrencies?buyType=…` */
export interface CryptoCurrenciesAnswer extends Kept {
  readonly cryptoCurrencies: readonly CryptoCurrency[];
}

/** `GET {basePath}/quote?fiatCurrency=…&currencyAmount=…&cryptoCurrencyCode=…&payment=…&buyType=…` */
export interface QuoteAnswer extends Kept {
  readonly quote: Quote;
}
