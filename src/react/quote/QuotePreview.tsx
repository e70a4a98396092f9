import { type HTMLAttributes, type ReactElement, type ReactNode, type Ref, useId } from 'react';
import type { BackendSettings } from '../../client/backend/fetchBackend.js';
import type { OnRampParameterProps } from '../../client/params/OnRampParameters.js';
import type { QuoteSelection } from '../../client/quote/selection.js';
import type { BuyType, Quote } from '../../protocol/api/resources.js';
import { createComponent } from '../card/createComponent.js';
import { createLazyPart } from '../card/createLazyPart.js';
import { callPage, PageNodes } from '../card/PageNodes.js';
import { RampContext, type RampSettings, useRampSettings } from '../provider/RampProvider.js';
import {
  type QuotePreviewState,
  type QuotePreviewStatus,
  useQuotePreview,
} from './useQuotePreview.js';

type RootProps = HTMLAttributes<HTMLDivElement>;

/** The props that a `render` function spreads onto its own element; `children` is the content of the card. */
export type QuotePreviewRootProps = RootProps & {
  /** The ref that was passed to the component. */
  readonly ref: Ref<HTMLDivElement>;
  /** The {@link QuotePreviewStatus} of the card, for stylesheets. */
  readonly 'data-state': QuotePreviewStatus;
  /** Set while the amounts belong to an earlier selection. */
  readonly 'data-previous': true | undefined;
};

/** Props of {@link QuotePreview}. Native attributes are passed to the card's root element. */
export interface QuotePreviewProps
  extends BackendSettings,
    Pick<RampSettings, 'messages' | 'language'>,
    Pick<OnRampParameterProps, 'fiatCurrency' | 'cryptoCurrency' | 'cryptoNetwork'>,
    Omit<RootProps, 'children' | 'defaultValue'> {
  /**
   * The chains on which the user has a wallet, such as `['ethereum', 'bitcoin']`: the `network` of a currency without
   * `_mainnet`. The card offers no coin of another chain or of an unknown one, and the button in it opens the widget
   * with the selected coin only. An empty list offers nothing.
   *
   * It keeps shoppers from choosing a coin that they cannot receive. The policy of your backend chooses the wallet.
   *
   * @default all chains
   */
  readonly walletChains?: readonly string[] | undefined;
  /**
   * With `nft`, the amount is the price of an NFT in cryptocurrency, and the quote is that price in fiat.
   *
   * @default 'fiat'
   */
  readonly buyType?: BuyType | undefined;
  /**
   * Whether prices are requested without the payment method. Set it if the service gives no price for the names of
   * its own payment methods.
   *
   * @default false: the `name` of the selected method is sent as `payment`
   */
  readonly omitPayment?: boolean | undefined;
  /**
   * Amounts that the shopper can choose with one press, as decimal strings: a list, or one list per fiat currency. The
   * card leaves out amounts outside the limits of the selected payment method. Not shown with `buyType="nft"`.
   *
   * @default none
   * @example
   * <QuotePreview presetAmounts={{ USD: ['50', '100', '250'], JPY: ['5000', '10000'] }} />
   */
  readonly presetAmounts?:
    | readonly string[]
    | Readonly<Record<string, readonly string[] | undefined>>
    | undefined;
  /** The selection, if the page controls it. Update it in `onValueChange`. */
  readonly value?: QuoteSelection | undefined;
  /** The initial selection. @default USD and USDT_ERC20, or the first available currencies; no amount */
  readonly defaultValue?:
    | { readonly [K in keyof QuoteSelection]?: QuoteSelection[K] | undefined }
    | undefined;
  /** Called with the whole new selection when the shopper changes a part of it. */
  readonly onValueChange?: ((value: QuoteSelection) => void) | undefined;
  /** Called with each quote of the selection, and with `undefined` when there is none. */
  readonly onQuote?: ((quote: Quote | undefined) => void) | undefined;
  /** The locale of amounts. @default `language`, or else the language of the document, or of the browser */
  readonly locale?: string | undefined;
  /**
   * The interval between two quotes, in seconds, at most one day (86400). `0`: the quote is not refreshed.
   *
   * @default 30
   */
  readonly refreshSeconds?: number | undefined;
  /** Shown at the end of the card. An `OnRampButton` among the children buys the selection. */
  readonly children?: ReactNode | ((state: QuotePreviewState) => ReactNode) | undefined;
  /** Renders your own element as the card. Spread the props onto it, including `ref`. */
  readonly render?:
    | ((props: QuotePreviewRootProps, state: QuotePreviewState) => ReactElement)
    | undefined;
}

/** Loads the code of the card's content, in parallel with the requests for the currencies. */
const useQuoteCard = /* @__PURE__ */ createLazyPart(() => import('./card/QuoteCard.js'));

/** Disables the button in the card until the code of the card has loaded. */
const disableWhileLoading = <P extends object>(props: P): P => ({
  'aria-disabled': true,
  ...props,
});

/**
 * A card that shows the price of a purchase before the checkout is opened: an amount, two currencies, the
 * payment methods with their limits, and a quote that is refreshed automatically.
 *
 * The card requests the partner's backend under `api`, which is its own prop or that of {@link RampProvider}. Amounts
 * are plain decimal strings. They are in fiat, with at most two decimals. With `buyType="nft"` they are in
 * cryptocurrency, with at most eighteen decimals. The limits are in fiat, so they do not apply to the price of an
 * NFT.
 *
 * An `OnRampButton` inside the card opens the widget with the selection. The button's own props override the selection.
 * Nothing enforces the selection: a shopper can change the amount and the currencies in the widget. The payment method
 * only selects the price, because the shopper chooses the method in the widget.
 *
 * Prices change until the payment, so the card marks the bought amount with "≈". It shows two decimals of a stablecoin
 * and six significant digits of other coins, rounded down. The price breakdown has all digits.
 *
 * The attribute `data-state` has the {@link QuotePreviewStatus}. The card never throws: it shows errors, with a retry
 * button unless only a reload of the page can help, and passes them to `children` and `render`.
 *
 * @example
 * <RampProvider widgetUrl="https://pay.example" api="/api/ramp">
 *   <QuotePreview defaultValue={{ amount: '100', fiatCurrency: 'EUR' }}>
 *     <OnRampButton />
 *   </QuotePreview>
 * </RampProvider>
 */
export const QuotePreview = /* @__PURE__ */ createComponent<HTMLDivElement, QuotePreviewProps>(
  'QuotePreview',
  function QuotePreview(props, ref) {
    const {
      api,
      credentials,
      headers,
      fetch,
      messages,
      language,
      buyType: _buyType,
      omitPayment: _omitPayment,
      presetAmounts,
      value: _value,
      defaultValue: _defaultValue,
      onValueChange: _onValueChange,
      onQuote: _onQuote,
      fiatCurrency: _fiatCurrency,
      cryptoCurrency: _cryptoCurrency,
      cryptoNetwork: _cryptoNetwork,
      walletChains: _walletChains,
      locale,
      refreshSeconds: _refreshSeconds,
      render,
      className = '',
      children,
      ...native
    } = props;
    const settings = useRampSettings({ api, credentials, headers, fetch, messages, language });
    const { part: card, error, load } = useQuoteCard();
    const preview = useQuotePreview(props, settings);
    // Until the code of the card has loaded, report neither a selection nor a quote. Otherwise hydration would not match
    // the server's markup if another card has filled the cache.
    const view: typeof preview = card
      ? preview
      : {
          ...preview,
          selection: undefined,
          data: undefined,
          isPrevious: false,
          error,
          status: error ? 'error' : 'loading',
          retry: load,
        };
    const { status } = view;
    const id = useId();
    const shown = card?.createQuoteCardView(view, settings.messages, locale || settings.language);
    const bind =
      card && shown ? card.bindSelection(shown, props, `${id}note`) : disableWhileLoading;
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
          {card && shown ? (
            <card.QuoteCard view={shown} id={id} presets={presetAmounts} />
          ) : (
            <QuoteSkeleton presets={presetAmounts} />
          )}
          {error && (
            <p className="ramp-quote-note" role="alert">
              {settings.messages?.reload ?? error.message}
            </p>
          )}
          <RampContext.Provider value={{ ...settings, bind }}>
            <PageNodes>
              {typeof children === 'function' ? callPage(() => children(view)) : children}
            </PageNodes>
          </RampContext.Provider>
        </>
      ),
    };
    return render ? callPage(() => render(root, view)) : <div {...root} />;
  },
);

/** The skeleton of the card, with about its height. */
const QuoteSkeleton = ({ presets }: { presets: object | undefined }) => (
  <div className="ramp-quote-skeleton" aria-hidden="true">
    <div className="ramp-quote-row ramp-quote-placeholder" />
    {presets && <div className="ramp-quote-presets" />}
    <div className="ramp-quote-divider" />
    <div className="ramp-quote-row ramp-quote-placeholder" />
    <div className="ramp-quote-methods ramp-quote-placeholder" />
  </div>
);
