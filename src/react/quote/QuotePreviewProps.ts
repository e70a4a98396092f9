import type { HTMLAttributes, ReactElement, ReactNode, Ref } from 'react';
import type { BuyType, Quote } from '../../protocol/api/resources.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { RampSettings } from '../checkout/CheckoutOptions.js';
import type { OnRampParameterProps } from '../params/OnRampParameterProps.js';
import type { QuoteStatus } from './hooks/QuoteState.js';

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

type RootProps = HTMLAttributes<HTMLDivElement>;

/** What a `render` function spreads onto its own element; the content of the card is in `children`. */
export type QuotePreviewRootProps = RootProps & {
  readonly ref: Ref<HTMLDivElement>;
  readonly 'data-state': QuotePreviewStatus;
  /** The figures are those of an earlier question. */
  readonly 'data-previous': true | undefined;
};

export interface QuotePreviewProps
  extends Pick<RampSettings, 'api' | 'credentials' | 'headers' | 'messages' | 'language'>,
    Pick<OnRampParameterProps, 'fiatCurrency' | 'cryptoCurrency' | 'cryptoNetwork'>,
    Omit<RootProps, 'children' | 'defaultValue'> {
  /** `nft`: the amount is an NFT's price in the cryptocurrency, the result what it costs in fiat. @default 'fiat' */
  readonly buyType?: BuyType | undefined;
  /** What is chosen, when the page keeps it; then change it in `onValueChange`. */
  readonly value?: QuoteSelection | undefined;
  /** What is chosen at first. @default USD and USDT_ERC20, or the first that is offered; no amount */
  readonly defaultValue?:
    | { readonly [K in keyof QuoteSelection]?: QuoteSelection[K] | undefined }
    | undefined;
  readonly onValueChange?: ((value: QuoteSelection) => void) | undefined;
  /** Gets each quote for what is chosen, and `undefined` once there is none. */
  readonly onQuote?: ((quote: Quote | undefined) => void) | undefined;
  /** How figures are written. @default `language`, the document's language, the browser's */
  readonly locale?: string | undefined;
  /** How long a quote stands before the next is asked for. @default 30 */
  readonly refreshSeconds?: number | undefined;
  /** Stands at the end of the card. An `OnRampButton` in it buys what is chosen. */
  readonly children?: ReactNode | ((state: QuotePreviewState) => ReactNode);
  /** Draws the card's root in your own way: spread what it is given, `ref` included. */
  readonly render?:
    | ((props: QuotePreviewRootProps, state: QuotePreviewState) => ReactElement)
    | undefined;
}
