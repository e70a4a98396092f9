import type { Quote } from '../../../protocol/api/resources.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import type { BackendSettings } from '../../backend/BackendSettings.js';

/** How {@link useQuote} asks. */
export interface QuoteOptions extends BackendSettings {
  /** How long a quote stands before the next is asked for; `0` never asks again. @default 30 */
  readonly refreshSeconds?: number | undefined;
}

/**
 * Where a quote stands.
 *
 * - `idle`: nothing is asked.
 * - `loading`: no quote to show yet.
 * - `quote`: the price of what is asked now.
 * - `refreshing`: `quote` is the last one and the next is on its way. With `isPrevious` it answers an
 *   earlier amount or payment method; never take it for the present one.
 * - `stale`: `quote` answers this question and may be out of date: the service is down, or asking
 *   again failed (then `error` is there).
 * - `unavailable`: the service has no price for this pair, amount and method.
 * - `offline`: no connection; `quote` may be there from before. It goes on by itself.
 * - `error`: `error` says why; `refetch` tries again.
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

/** What {@link useQuote} answers. */
export interface QuoteState {
  readonly status: QuoteStatus;
  /** Amounts are decimal strings, exact to the last digit. */
  readonly quote: Quote | undefined;
  /** `quote` answers an earlier question about the same two currencies. */
  readonly isPrevious: boolean;
  readonly error: RampError | undefined;
  /** When the service said it: Unix seconds by the page's clock. */
  readonly quotedAt: number | undefined;
  /** When the next quote will be asked for, in Unix seconds. Not while one is being asked for. */
  readonly nextQuoteAt: number | undefined;
  /** How long a quote stands, in seconds, for a countdown to `nextQuoteAt`. */
  readonly refreshSeconds: number;
  /** Asks again at once. */
  readonly refetch: () => void;
}
