/**
 * Text that the page sent without a signature, so anyone may have written it. At run time the text is a string, but its
 * type is not, so that signed parameters do not accept the text until the policy has checked it.
 */
export interface Untrusted {
  // Only the types declare this field. It is not a unique symbol, because then the types of the package's two builds,
  // for `import` and for `require`, would not fit each other.
  readonly 'untrusted text': true;
}

/**
 * What the shopper has selected on the page: the unsigned parameters of the widget URL that decide what is bought
 * (service interface, section 4.7). The service does not enforce them, and neither does this package.
 */
export interface CheckoutSelection {
  /** Codes of the cryptocurrencies that the widget offers, separated by commas. */
  readonly cryptoCurrency?: Untrusted | undefined;
  /** The code of the cryptocurrency that is selected at the start. */
  readonly defaultCurrency?: Untrusted | undefined;
  /** The networks that the widget offers, separated by commas. */
  readonly cryptoNetwork?: Untrusted | undefined;
  /** The fiat currencies that the widget offers, separated by commas. */
  readonly fiatCurrency?: Untrusted | undefined;
  /** The fiat currency that is selected at the start. */
  readonly defaultFiatCurrency?: Untrusted | undefined;
  /** A fiat amount that the widget does not let the shopper change. */
  readonly amountFixed?: Untrusted | undefined;
  /** A fiat amount to start with. The shopper may change it. */
  readonly amount?: Untrusted | undefined;
}
