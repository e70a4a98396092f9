import type { BuyType, Quote } from '../../protocol/api/resources.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { BackendSettings } from '../backend/fetchBackend.js';

/** Options of `useQuote`. Missing backend settings are taken from `RampProvider`. */
export interface QuoteOptions extends BackendSettings {
  /**
   * With `nft`, the amount is the price of an NFT in cryptocurrency, and the quote is that price in fiat.
   *
   * @default 'fiat'
   */
  readonly buyType?: BuyType | undefined;
  /**
   * The interval between two quotes, in seconds, at most one day (86400). `0`: the quote is requested once, or not at
   * all if a quote from the last five minutes is cached.
   *
   * @default 30
   */
  readonly refreshSeconds?: number | undefined;
}

/**
 * The state of a quote.
 *
 * - `idle`: there is no selection, or it has no amount.
 * - `loading`: the first quote is being fetched, or the last one is too old to be shown, because its replacement was
 *   due more than five minutes ago.
 * - `success`: `data` is the price of the current selection.
 * - `refreshing`: `data` is the last quote, and the next is being fetched. If `isPrevious` is true, `data` belongs to
 *   an earlier amount or payment method. Never use it as the current price then.
 * - `stale`: `data` belongs to this selection, but may be out of date. Either the service is down, or the refresh
 *   failed and `error` is set.
 * - `unavailable`: the service has no price for this pair, amount and method.
 * - `offline`: there is no connection. `data` may be an earlier quote. A new one is fetched when the connection is
 *   back.
 * - `error`: `error` holds the reason; `retry` fetches the quote again.
 */
export type QuoteStatus =
  | 'idle'
  | 'loading'
  | 'success'
  | 'refreshing'
  | 'stale'
  | 'unavailable'
  | 'offline'
  | 'error';

/** What `useQuote` returns. */
export interface QuoteState {
  /** Says whether `data` is the current price: see {@link QuoteStatus}. */
  readonly status: QuoteStatus;
  /** The quote, or undefined if there is none to show. Amounts are exact decimal strings. */
  readonly data: Quote | undefined;
  /** True if `data` belongs to an earlier selection with the same two currencies. */
  readonly isPrevious: boolean;
  /**
   * The error of the last request. It stays set while the request is retried, and is set with `stale` if a refresh
   * failed.
   */
  readonly error: RampError | undefined;
  /** When the service returned the quote, in Unix seconds of the page's clock. */
  readonly quotedAt: number | undefined;
  /** When the next quote will be fetched, in Unix seconds. Set only while the status is `success` or `stale`. */
  readonly nextQuoteAt: number | undefined;
  /** The refresh interval in seconds, for a countdown to `nextQuoteAt`. 0 if the quote is not refreshed. */
  readonly refreshSeconds: number;
  /** Fetches the quote again immediately, even if there was no error. */
  readonly retry: () => void;
}

/** Options of `useCryptoCurrencies`. Missing backend settings are taken from `RampProvider`. */
export interface CryptoCurrenciesOptions extends BackendSettings {
  /** `fiat` for the cryptocurrencies that can be bought, `nft` for the currencies of NFT prices. @default 'fiat' */
  readonly buyType?: BuyType | undefined;
}

/** What `useFiatCurrencies` and `useCryptoCurrencies` return. */
export interface CurrencyListState<T> {
  /**
   * `loading`: the first list is being fetched. `success`: `data` is set, and may be empty.
   * `offline`: there is neither a connection nor a list; the list loads when the connection is back.
   * `error`: `error` holds the reason.
   */
  readonly status: 'loading' | 'success' | 'error' | 'offline';
  /** Undefined until the first list is loaded. If a refresh fails, the last known list stays. */
  readonly data: readonly T[] | undefined;
  /** True if `data` is the last known list, because the service is down or the refresh failed. */
  readonly stale: boolean;
  /** The error of the last request. It stays set while the request is retried. */
  readonly error: RampError | undefined;
  /** Fetches the list again immediately, even if there was no error. */
  readonly retry: () => void;
}
