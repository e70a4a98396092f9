import type { QuoteQuery } from '../../../protocol/api/resources.js';
import type { QuoteOptions, QuoteState } from './QuoteState.js';
import { useDebouncedQuote } from './useDebouncedQuote.js';

/** A pause in typing. */
export const DEBOUNCE_MS = 300;

/**
 * Returns the price of a purchase and keeps it up to date: `GET {api}/quote`.
 *
 * It waits until typing has paused for 300 ms, aborts requests that are no longer needed and never returns the quote
 * of an older query as the present one. It refetches every 30 seconds, not while the page is hidden
 * or offline, and at once when it is back. Amounts are decimal strings. Options not given come
 * from {@link RampProvider}.
 *
 * Nothing is thrown. `error` has the code `ERR_NETWORK`, `ERR_TIMEOUT`, `ERR_RESPONSE_INVALID`,
 * `ERR_CONFIG_INVALID` without an `api`, or one of the backend's; `ERR_QUOTE_UNAVAILABLE` is the
 * status `unavailable`.
 *
 * @param query - The purchase; `undefined` requests nothing.
 * @example
 * const { status, quote } = useQuote(
 *   amount ? { fiatCurrency: 'USD', currencyAmount: amount, cryptoCurrencyCode: 'USDT_ERC20' } : undefined,
 * );
 */
export const useQuote = (query: QuoteQuery | undefined, options: QuoteOptions = {}): QuoteState =>
  useDebouncedQuote(query, options, DEBOUNCE_MS);
