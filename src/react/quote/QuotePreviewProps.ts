import type { HTMLAttributes, ReactElement, ReactNode, Ref } from 'react';
import type { BuyType, Quote } from '../../protocol/api/resources.js';
import type { BackendSettings } from '../backend/BackendSettings.js';
import type { OnRampParameterProps } from '../params/OnRampParameterProps.js';
import type { RampSettings } from '../provider/RampSettings.js';
import type {
  QuotePreviewState,
  QuotePreviewStatus,
  QuoteSelection,
} from './selection/QuotePreviewState.js';

type RootProps = HTMLAttributes<HTMLDivElement>;

/** What a `render` function spreads onto its own element; the content of the card is in `children`. */
export type QuotePreviewRootProps = RootProps & {
  readonly ref: Ref<HTMLDivElement>;
  readonly 'data-state': QuotePreviewStatus;
  /** The figures are those of an earlier question. */
  readonly 'data-previous': true | undefined;
};

/** The props of {@link QuotePreview}. */
export interface QuotePreviewProps
  extends BackendSettings,
    Pick<RampSettings, 'messages' | 'language'>,
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
  /** Called when the shopper changes the selection. */
  readonly onValueChange?: ((value: QuoteSelection) => void) | undefined;
  /** Gets each quote for what is chosen, and `undefined` once there is none. */
  readonly onQuote?: ((quote: Quote | undefined) => void) | undefined;
  /** How figures are written. @default `language`, the document's language, the browser's */
  readonly locale?: string | undefined;
  /** How long a quote stands before the next is asked for. @default 30 */
  readonly refreshSeconds?: number | undefined;
  /** Stands at the end of the card. An `OnRampButton` in it buys what is chosen. */
  readonly children?: ReactNode | ((state: QuotePreviewState) => ReactNode) | undefined;
  /** Draws the card's root in your own way: spread what it is given, `ref` included. */
  readonly render?:
    | ((props: QuotePreviewRootProps, state: QuotePreviewState) => ReactElement)
    | undefined;
}
