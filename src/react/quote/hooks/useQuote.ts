import type { QuoteQuery } from '../../../protocol/api/resources.js';
import type { QuoteOptions, QuoteState } from './QuoteState.js';
import { useDebouncedQuote } from './useDebouncedQuote.js';

/** How long typing must pause before a request. */
export const DEBOUNCE_MS = 300;

/**
 * Returns the price of a purchase and keeps it up to date: `GET {api}/quote`.
 *
 * It waits until typing has paused for 300 ms, aborts requests that are no longer needed and never returns the quote
 * of an earlier query as the present one. By default it refetches every 30 seconds, except while the page is hidden or
 * offline; then it refetches as soon as the page is back. Amounts are decimal strings. Missing options are
 * taken from {@link RampProvider}.
 *
 * It never throws. `error` has the code `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_RESPONSE_INVALID`,
 * `ERR_CONFIG_INVALID` without an `api`, or one of the backend's; for `ERR_QUOTE_UNAVAILABLE` the status is
 * `unavailable`.
 *
 * @param query - The purchase; with `undefined` the hook sends no request.
 * @example
 * const { status, quote } = useQuote(
 *   amount ? { fiatCurrency: 'USD', currencyAmount: amount, cryptoCurrencyCode: 'USDT_ERC20' } : undefined,
 * );
 */
export const useQuote = (query: QuoteQuery | undefined, options: QuoteOptions = {}): QuoteState =>
  useDebouncedQuote(query, options, DEBOUNCE_MS);
