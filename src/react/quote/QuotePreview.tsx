import {
  forwardRef,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type Ref,
  useId,
} from 'react';
import type { BuyType, Quote } from '../../protocol/api/resources.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import type { OnRampParameterProps } from '../button/OnRampButton.js';
import { createLazyPart } from '../card/createLazyPart.js';
import { RampContext, type RampSettings, useRampSettings } from '../provider/RampProvider.js';
import type { QuoteSelection } from './selection.js';
import {
  type QuotePreviewState,
  type QuotePreviewStatus,
  useQuotePreview,
} from './useQuotePreview.js';

type RootProps = HTMLAttributes<HTMLDivElement>;

/** The props that a `render` function spreads onto its own element; `children` is the content of the card. */
export type QuotePreviewRootProps = RootProps & {
  /** The ref of the card's root element. */
  readonly ref: Ref<HTMLDivElement>;
  /** The state of the card. */
  readonly 'data-state': QuotePreviewStatus;
  /** Set while the amounts belong to an earlier selection. */
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

/** Loads the content of the card while the currencies are requested. */
const useQuoteCard = /* @__PURE__ */ createLazyPart(() => import('./card/QuoteCard.js'));

/** Disables the button in the card until there is a selection. */
const disableWhileLoading = <P extends object>(props: P): P => ({
  'aria-disabled': true,
  ...props,
});

/**
 * Report no selection and no quote until the card's code has loaded: hydration must match the server's markup
 * even if another card has filled the cache.
 */
const noQuote = { selection: undefined, data: undefined, isPrevious: false } as const;

/**
 * A card that shows the price of a purchase before the checkout is opened: an amount, two currencies, the
 * payment methods with their limits, and a quote that is refreshed automatically.
 *
 * It requests the partner's backend under `api`, from {@link RampProvider} or its own prop. Amounts are plain
 * decimal strings: fiat with at most two decimals, with `buyType="nft"` cryptocurrency with at most
 * eighteen. An `OnRampButton` inside opens the widget with the selection; props of the button override it. The
 * payment method is only a preview, because the widget has its own choice. Nothing enforces the selection: a
 * shopper can change amount and currencies in the widget. The limits are in fiat, so an NFT's price is not
 * checked against them.
 *
 * The state is in `data-state`, see {@link QuotePreviewStatus}. Errors are shown in the card with a retry button
 * and passed to `children` and `render`; the card never throws.
 *
 * @example
 * <RampProvider widgetUrl="https://pay.example" api="/api/ramp">
 *   <QuotePreview defaultValue={{ amount: '100', fiatCurrency: 'EUR' }}>
 *     <OnRampButton />
 *   </QuotePreview>
 * </RampProvider>
 */
export const QuotePreview = /* @__PURE__ */ forwardRef<HTMLDivElement, QuotePreviewProps>(
  function QuotePreview(props, ref) {
    const {
      api,
      credentials,
      headers,
      messages,
      language,
      buyType: _buyType,
      omitPayment: _omitPayment,
      value: _value,
      defaultValue: _defaultValue,
      onValueChange: _onValueChange,
      onQuote: _onQuote,
      fiatCurrency: _fiatCurrency,
      cryptoCurrency: _cryptoCurrency,
      cryptoNetwork: _cryptoNetwork,
      locale,
      refreshSeconds: _refreshSeconds,
      render,
      className = '',
      children,
      ...native
    } = props;
    const settings = useRampSettings({ api, credentials, headers, messages, language });
    const { part: card, error, load } = useQuoteCard();
    const preview = useQuotePreview(props, settings);
    const state = { error, status: error ? 'error' : 'loading', retry: load } as const;
    const view = card ? preview : { ...preview, ...noQuote, ...state };
    const { status } = view;
    const id = useId();
    const shown = card?.createQuoteCardView(view, settings.messages, locale || settings.language);
    const bind = card && shown ? card.bindSelection(shown, props) : disableWhileLoading;
    const root: QuotePreviewRootProps = {
      role: 'group',
      'aria-label': settings.messages?.preview ?? 'Price',
      ...native,
      ref,
      className: `ramp-quote ${className}`,
      'data-state': status,
      'data-previous': view.isPrevious || undefined,
      'aria-busy': status === 'loading' || status === 'refreshing',
      children: (
        <>
          {card && shown ? <card.QuoteCard view={shown} id={id} /> : <QuoteSkeleton />}
          {error && (
            <p className="ramp-quote-note" role="alert">
              {settings.messages?.reload ?? error.message}
            </p>
          )}
          <RampContext.Provider value={{ ...settings, bind }}>
            {typeof children === 'function' ? children(view) : children}
          </RampContext.Provider>
        </>
      ),
    };
    return render ? render(root, view) : <div {...root} />;
  },
);

/** The skeleton of the card, with about its height. */
const QuoteSkeleton = () => (
  <div className="ramp-quote-skeleton" aria-hidden="true">
    <div className="ramp-quote-row ramp-quote-placeholder" />
    <div className="ramp-quote-divider" />
    <div className="ramp-quote-row ramp-quote-placeholder" />
    <div className="ramp-quote-methods ramp-quote-placeholder" />
  </div>
);
