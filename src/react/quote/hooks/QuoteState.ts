import type { Quote } from '../../../protocol/api/resources.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import type { BackendSettings } from '../../backend/fetchBackend.js';

/** The options of {@link useQuote}. */
export interface QuoteOptions extends BackendSettings {
  /** How often the quote is refreshed, in seconds; `0` never. At most one day. @default 30 */
  readonly refreshSeconds?: number | undefined;
}

/**
 * The state of a quote.
 *
 * - `idle`: without a query.
 * - `loading`: the first quote is being fetched.
 * - `quote`: `quote` is the price of the present query.
 * - `refreshing`: `quote` is the last one, and the next is being fetched. With `isPrevious` it belongs to an
 *   earlier amount or payment method; never use it as the present price.
 * - `stale`: `quote` belongs to this query and may be out of date: the service is down, or the refresh
 *   failed (then `error` is set).
 * - `unavailable`: the service has no price for this pair, amount and method.
 * - `offline`: no connection; `quote` may be an earlier one. Fetching resumes automatically.
 * - `error`: `error` has the reason; `refetch` retries.
 */
export type QuoteStatus =
  | 'idle'
  | 'loading'
  | 'quote'
  | 'refreshing'
  | 'stale'
  | 'unavailable'
  | 'offline'
  | 'error';

/** The result of {@link useQuote}. */
export interface QuoteState {
  /** The state of the quote. */
  readonly status: QuoteStatus;
  /** The quote. Amounts are exact decimal strings. */
  readonly quote: Quote | undefined;
  /** `quote` belongs to an earlier query with the same two currencies. */
  readonly isPrevious: boolean;
  /** The error of the last request, also with `stale` and while it is retried. */
  readonly error: RampError | undefined;
  /** When the service returned the quote, in Unix seconds of the page's clock. */
  readonly quotedAt: number | undefined;
  /** When the next quote will be fetched, in Unix seconds. `undefined` during a fetch. */
  readonly nextQuoteAt: number | undefined;
  /** The refresh interval in seconds, for a countdown to `nextQuoteAt`. */
  readonly refreshSeconds: number;
  /** Fetches the quote again immediately. */
  readonly refetch: () => void;
}
