import type { Quote } from '../../../protocol/api/resources.js';
import type { RampError } from '../../../protocol/errors/RampError.js';
import type { QuoteStatus } from '../hooks/QuoteState.js';

/** The shopper's selection. */
export interface QuoteSelection {
  /**
   * A plain decimal such as `'99.50'`, or `''`. With `buyType="nft"` the price in cryptocurrency, with at most
   * eighteen decimals; otherwise fiat, with at most two.
   */
  readonly amount: string;
  /** The ISO code of the fiat currency. */
  readonly fiatCurrency: string;
  /** The code of the cryptocurrency, such as `USDT_ERC20`. */
  readonly cryptoCurrencyCode: string;
  /** The `name` of a payment method. */
  readonly payment?: string | undefined;
}

/**
 * The state of the card: a {@link QuoteStatus}, `empty` (no currency is available), `below` or `above` (the amount is
 * outside the limits, so no quote is fetched). `idle`: without an amount.
 */
export type QuotePreviewStatus = QuoteStatus | 'empty' | 'below' | 'above';

/** The argument of `children` and `render`. */
export interface QuotePreviewState {
  /** The state of the card. */
  readonly status: QuotePreviewStatus;
  /** The selection, once the currencies are known. */
  readonly selection: QuoteSelection | undefined;
  /** The last quote; with `isPrevious` it belongs to an earlier query. */
  readonly quote: Quote | undefined;
  /** Whether `quote` belongs to an earlier query. */
  readonly isPrevious: boolean;
  /** The error of the last request. */
  readonly error: RampError | undefined;
  /** With `below` and `above`: the minimum or maximum payment, in the fiat currency. */
  readonly limit: string | undefined;
  /** Retries the failed requests. */
  readonly retry: () => void;
}
