import type { Quote } from '../../../protocol/api/resources.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import type { QuoteStatus } from '../hooks/QuoteState.js';

/** What a shopper has chosen. */
export interface QuoteSelection {
  /**
   * A plain decimal such as `'99.50'`, or `''`. Fiat with at most two decimals; with
   * `buyType="nft"` the price in the cryptocurrency, with at most eighteen.
   */
  readonly amount: string;
  /** ISO code. */
  readonly fiatCurrency: string;
  readonly cryptoCurrencyCode: string;
  /** The `name` of a payment method. */
  readonly payment?: string | undefined;
}

/**
 * Where the card stands: as {@link QuoteStatus}, with `empty` (no currency is offered), `idle` (no
 * amount), `below` and `above` (the amount is outside the limits, so no quote is asked for).
 */
export type QuotePreviewStatus = QuoteStatus | 'empty' | 'below' | 'above';

/** What `children` and `render` are given. */
export interface QuotePreviewState {
  readonly status: QuotePreviewStatus;
  /** Once the currencies are known. */
  readonly selection: QuoteSelection | undefined;
  /** The last quote; with `isPrevious` it answers an earlier question. */
  readonly quote: Quote | undefined;
  readonly isPrevious: boolean;
  readonly error: RampError | undefined;
  /** With `below` and `above`: the least or most that may be paid, in the fiat currency. */
  readonly limit: string | undefined;
  /** Asks again for what failed. */
  readonly retry: () => void;
}
