/**
 * Hooks and queries for prices, cached with `@tanstack/react-query`.
 *
 * @module
 */

export { createPriceFormats, type PriceFormats } from './client/format/createPriceFormats.js';
export type {
  QuoteForm,
  QuotePreviewOptions,
  QuotePreviewState,
  QuotePreviewStatus,
} from './client/quote/QuoteForm.js';
export type {
  CryptoCurrenciesOptions,
  CurrencyListState,
  QuoteOptions,
  QuoteState,
  QuoteStatus,
} from './client/quote/QuoteState.js';
export {
  cryptoCurrenciesQueryOptions,
  fiatCurrenciesQueryOptions,
  quoteQueryOptions,
  type RampQueryKey,
  type RampQueryOptions,
} from './client/quote/quoteQueries.js';
export type { AmountLimit, QuoteSelection } from './client/quote/selection.js';
export {
  useCryptoCurrencies,
  useFiatCurrencies,
  useQuote,
  useQuotePreview,
} from './react/quote/quoteHooks.js';
