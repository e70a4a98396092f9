import type {
  BuyType,
  CryptoCurrency,
  FiatCurrency,
  PaymentOption,
  Quote,
} from '../../protocol/api/resources.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import type { OnRampParameterProps } from '../params/OnRampParameters.js';
import type { QuoteState, QuoteStatus } from './QuoteState.js';
import type { AmountLimit, QuoteSelection } from './selection.js';

/** What {@link QuotePreview} and `useQuotePreview` offer to the shopper, and what is selected. */
export interface QuotePreviewOptions
  extends BackendSettings,
    Pick<OnRampParameterProps, 'fiatCurrency' | 'cryptoCurrency' | 'cryptoNetwork'> {
  /**
   * The chains on which the user has a wallet, such as `['ethereum', 'bitcoin']`. A chain's name is the `network` of
   * its currencies without `_mainnet`. Coins on other or unknown chains are not offered, and the button in the card
   * opens the widget with only the selected coin. With an empty list, nothing is offered.
   *
   * This option keeps shoppers from choosing a coin that they cannot receive. Your backend's policy chooses the wallet.
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
   * Whether prices are requested without the payment method. Set it if the service returns no price when a request
   * names one of its own payment methods.
   *
   * @default false: the `name` of the selected method is sent as `payment`
   */
  readonly omitPayment?: boolean | undefined;
  /**
   * Amounts that the shopper can choose with one press, as decimal strings: a list, or one list per fiat currency.
   * Amounts outside the limits of the selected payment method are left out. There are none with `buyType="nft"`.
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
  /**
   * The initial selection. If it names the amount, both currencies and the payment method, the price is requested
   * together with the lists of currencies. Otherwise it is requested after them.
   *
   * @default USD and USDT_ERC20, or the first available currencies; no amount
   */
  readonly defaultValue?:
    | { readonly [K in keyof QuoteSelection]?: QuoteSelection[K] | undefined }
    | undefined;
  /** Called with the whole new selection when the shopper changes a part of it. */
  readonly onValueChange?: ((value: QuoteSelection) => void) | undefined;
  /** Called with each quote for the selection, and with `undefined` when there is no quote. */
  readonly onQuote?: ((quote: Quote | undefined) => void) | undefined;
  /**
   * The interval between two quotes, in seconds, at most one day (86400). `0`: the quote is not refreshed.
   *
   * @default 30
   */
  readonly refreshSeconds?: number | undefined;
}

/**
 * The state of the card. In addition to each {@link QuoteStatus}, it can be `empty` if no currency is available, and
 * `below` or `above` if the amount is outside the limits. In these three states, no quote is fetched.
 */
export type QuotePreviewStatus = QuoteStatus | 'empty' | 'below' | 'above';

/** What {@link QuotePreview} passes to its functions `children` and `render`. */
export interface QuotePreviewState {
  /** The same as the card's attribute `data-state`. */
  readonly status: QuotePreviewStatus;
  /** The selection, once the currencies are known. */
  readonly selection: QuoteSelection | undefined;
  /** The last quote. If `isPrevious` is true, it belongs to an earlier selection. */
  readonly data: Quote | undefined;
  /** True if `data` belongs to an earlier selection, and is therefore not the current price. */
  readonly isPrevious: boolean;
  /** The error of the last request, for a quote or for a list of currencies. */
  readonly error: RampError | undefined;
  /** The minimum payment if the status is `below`, the maximum if it is `above`, in the fiat currency. */
  readonly limit: string | undefined;
  /** Sends the failed requests again. */
  readonly retry: () => void;
}

/** The state and the functions of a price form, which `useQuotePreview` returns. */
export interface QuoteForm
  extends QuotePreviewState,
    Pick<QuoteState, 'quotedAt' | 'nextQuoteAt' | 'refreshSeconds'> {
  /** The selection's amount, even before the currencies are known, or `''` if there is none. */
  readonly amount: string;
  /** The fiat currencies to choose from. Empty until they are loaded. */
  readonly fiatCurrencies: readonly FiatCurrency[];
  /** The cryptocurrencies to choose from: those that the options allow. Empty until they are loaded. */
  readonly cryptoCurrencies: readonly CryptoCurrency[];
  /** The selected fiat currency. Its `paymentOptions` are the payment methods to choose from. */
  readonly fiat: FiatCurrency | undefined;
  /** The selected cryptocurrency. */
  readonly crypto: CryptoCurrency | undefined;
  /** The selected payment method, with its limits. `undefined` if the fiat currency has none. */
  readonly method: PaymentOption | undefined;
  /** The preset amounts of the selected fiat currency that are within the limits. */
  readonly presets: readonly string[];
  /**
   * Changes a part of the selection, and reports the whole to `onValueChange`. Pass `amount` as a decimal string: any
   * other text counts as no amount.
   */
  readonly change: (part: Partial<QuoteSelection>) => void;
  /** Returns the limit that an amount would violate with the selected payment method, if any. */
  readonly findLimit: (amount: string) => AmountLimit | undefined;
}
