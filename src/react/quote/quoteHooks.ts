'use client';
import { onlineManager, useQuery } from '@tanstack/react-query';
import type { BackendSettings } from '../../client/backend/fetchBackend.js';
import type { QuoteForm, QuotePreviewOptions } from '../../client/quote/QuoteForm.js';
import type {
  CryptoCurrenciesOptions,
  CurrencyListState,
  QuoteOptions,
  QuoteState,
} from '../../client/quote/QuoteState.js';
import {
  cryptoCurrenciesQueryOptions,
  fiatCurrenciesQueryOptions,
} from '../../client/quote/quoteQueries.js';
import { type QuoteSelection, toQuoteQuery } from '../../client/quote/selection.js';
import type { CryptoCurrency, FiatCurrency } from '../../protocol/api/resources.js';
import { useRampSettings } from '../provider/RampProvider.js';
import { useCurrencyList } from './hooks/useCurrencyList.js';
import { useQuoteForm } from './hooks/useQuoteForm.js';
import { TYPING_PAUSE_MS, useQuoteState } from './hooks/useQuoteState.js';

const reactQuery = { useQuery, onlineManager };

/**
 * Returns the price of a purchase and keeps it up to date. The hook requests `GET {api}/quote`.
 *
 * The hook waits until typing has paused for 300 ms, and aborts requests that are no longer needed. A quote of an
 * earlier selection is always marked with `isPrevious`. By default, the quote is fetched again every 30 seconds, but
 * not while the page is hidden or offline. When the page is back, a quote that is due is fetched immediately. Amounts
 * are decimal strings. Missing backend settings are taken from `RampProvider`.
 *
 * Failures are in `error`, with the code `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_RESPONSE_INVALID`, or a code from the
 * backend. The code is `ERR_CONFIG_INVALID` if there is no `api`. With `ERR_QUOTE_UNAVAILABLE`, the status is
 * `unavailable`. The hook throws only without a `QueryClientProvider`, as `useQuery` does.
 *
 * @param selection - The purchase, as `QuotePreview` passes it to `onValueChange`. Without an amount, the hook sends no
 * request.
 * @example
 * const { status, data: quote } = useQuote({
 *   amount,
 *   fiatCurrency: 'USD',
 *   cryptoCurrencyCode: 'USDT_ERC20',
 * });
 */
export function useQuote(
  selection: QuoteSelection | undefined,
  { buyType, refreshSeconds, ...options }: QuoteOptions = {},
): QuoteState {
  const settings = useRampSettings(options);
  const query = selection && toQuoteQuery(selection, buyType);
  return useQuoteState(reactQuery, query, settings, refreshSeconds, TYPING_PAUSE_MS);
}

/**
 * Returns the fiat currencies that shoppers can pay in, with their payment methods and limits. The hook requests
 * `GET {api}/currencies`.
 *
 * Limits are decimal strings in the fiat currency. The list is cached for five minutes. Missing options are taken from
 * `RampProvider`.
 *
 * Failures are in `error`, with the code `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_RESPONSE_INVALID`, or a code from the
 * backend. The code is `ERR_CONFIG_INVALID` if there is no `api`. The hook throws only without a `QueryClientProvider`,
 * as `useQuery` does.
 *
 * @example
 * const { status, data } = useFiatCurrencies();
 * if (status === 'success') return data.map(({ fiatCurrency }) => <li key={fiatCurrency}>…</li>);
 */
export function useFiatCurrencies(options: BackendSettings = {}): CurrencyListState<FiatCurrency> {
  const query = fiatCurrenciesQueryOptions(useRampSettings(options));
  return useCurrencyList(reactQuery, query, ({ currencies }) => currencies);
}

/**
 * Returns the cryptocurrencies that can be bought, or with `buyType: 'nft'` the currencies of NFT prices. The hook
 * requests `GET {api}/cryptocurrencies`.
 *
 * The list is cached for five minutes. Missing backend settings are taken from `RampProvider`. Failures are in
 * `error`, with the codes of {@link useFiatCurrencies}.
 *
 * @example
 * const { data = [] } = useCryptoCurrencies();
 * const codes = data.map(({ cryptoCurrencyCode }) => cryptoCurrencyCode); // 'USDT_ERC20', …
 */
export function useCryptoCurrencies({
  buyType,
  ...options
}: CryptoCurrenciesOptions = {}): CurrencyListState<CryptoCurrency> {
  const query = cryptoCurrenciesQueryOptions({ ...useRampSettings(options), buyType });
  return useCurrencyList(reactQuery, query, ({ cryptoCurrencies }) => cryptoCurrencies);
}

/**
 * Returns the state of `QuotePreview` without its markup, for a form of your own: the currencies, payment methods and
 * limits, the selection, and its price. It follows the same rules as the card.
 *
 * The options are the card's props. Failures are in `error`, with the codes of {@link useQuote}. The hook throws only
 * without a `QueryClientProvider`, as `useQuery` does.
 *
 * @example
 * const { amount, fiat, data: quote, isPrevious, change } = useQuotePreview({
 *   defaultValue: { amount: '100', fiatCurrency: 'EUR' },
 * });
 */
export const useQuotePreview = (options: QuotePreviewOptions = {}): QuoteForm =>
  useQuoteForm(reactQuery, options);
