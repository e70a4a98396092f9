import type { HTMLAttributes, ReactElement, ReactNode, Ref } from 'react';
import type { BuyType, Quote } from '../../protocol/api/resources.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import type { OnRampParameterProps } from '../button/OnRampButton.js';
import type { RampSettings } from '../provider/RampProvider.js';
import type {
  QuotePreviewState,
  QuotePreviewStatus,
  QuoteSelection,
} from './selection/QuotePreviewState.js';

type RootProps = HTMLAttributes<HTMLDivElement>;

/** The props that a `render` function spreads onto its own element; `children` is the content of the card. */
export type QuotePreviewRootProps = RootProps & {
  /** The ref of the card's root element. */
  readonly ref: Ref<HTMLDivElement>;
  /** The state of the card. */
  readonly 'data-state': QuotePreviewStatus;
  /** Set while the amounts belong to an earlier query. */
  readonly 'data-previous': true | undefined;
};

/** The props of {@link QuotePreview}. */
export interface QuotePreviewProps
  extends BackendSettings,
    Pick<RampSettings, 'messages' | 'language'>,
    Pick<OnRampParameterProps, 'fiatCurrency' | 'cryptoCurrency' | 'cryptoNetwork'>,
    Omit<RootProps, 'children' | 'defaultValue'> {
  /** `nft`: the amount is an NFT's price in cryptocurrency, and the quote is its price in fiat. @default 'fiat' */
  readonly buyType?: BuyType | undefined;
  /**
   * Whether prices are requested without the payment method, for a service that does not know its names there.
   *
   * @default false: the `name` of the selected method is sent as `payment`
   */
  readonly omitPayment?: boolean | undefined;
  /** The selection, if the page controls it; update it in `onValueChange`. */
  readonly value?: QuoteSelection | undefined;
  /** The initial selection. @default USD and USDT_ERC20, or the first available currencies; no amount */
  readonly defaultValue?:
    | { readonly [K in keyof QuoteSelection]?: QuoteSelection[K] | undefined }
    | undefined;
  /** Called with the new selection when the shopper changes it. */
  readonly onValueChange?: ((value: QuoteSelection) => void) | undefined;
  /** Called with each quote of the selection, and with `undefined` when there is none. */
  readonly onQuote?: ((quote: Quote | undefined) => void) | undefined;
  /** The locale of amounts. @default `language`, the document's language, the browser's */
  readonly locale?: string | undefined;
  /** How often the quote is refreshed, in seconds; `0` never. At most one day. @default 30 */
  readonly refreshSeconds?: number | undefined;
  /** Shown at the end of the card. An `OnRampButton` in it buys the selection. */
  readonly children?: ReactNode | ((state: QuotePreviewState) => ReactNode) | undefined;
  /** Renders the card as your own element: spread the props, including `ref`. */
  readonly render?:
    | ((props: QuotePreviewRootProps, state: QuotePreviewState) => ReactElement)
    | undefined;
}
