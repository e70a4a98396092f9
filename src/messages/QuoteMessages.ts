/** The texts of the price card. A translation can place the `{placeholders}` in any order. */
export interface QuoteMessages {
  /** The accessible name of the card. */
  readonly preview: string;
  readonly youPay: string;
  /** The accessible name of the buttons that enter an amount. */
  readonly suggestedAmounts: string;
  readonly youGet: string;
  /** Replaces `youPay` if `buyType` is `nft`. */
  readonly nftPrice: string;
  /** Follows the currency code in the accessible name of the button that opens the currency list. */
  readonly changeCurrency: string;
  readonly searchCurrency: string;
  readonly noCurrencyFound: string;
  readonly closeList: string;
  /** `{coin}`, `{amount}`: the price of one unit, such as 1 USDT = 1.0032 USD. */
  readonly unitPrice: string;
  /**
   * The heading above the payment methods. The choice changes only the quote: the shopper chooses the actual payment
   * method in the widget.
   */
  readonly paymentMethod: string;
  readonly creditDebitCard: string;
  readonly cardPayment: string;
  readonly bankCardTransfer: string;
  /** `{min}`, `{max}`: the processing time in minutes. */
  readonly processingMinutes: string;
  /** `{min}`, `{max}`: the minimum and maximum payment. */
  readonly limits: string;
  /** `{amount}`: the minimum payment of a method without a maximum. */
  readonly limitFrom: string;
  /** `{amount}`: the maximum payment of a method without a minimum. */
  readonly limitTo: string;
  /** The control that expands the fees and totals. */
  readonly priceBreakdown: string;
  /** `{amount}`: the total fee, beside `priceBreakdown`. */
  readonly fees: string;
  readonly amount: string;
  readonly gasFee: string;
  readonly processingFee: string;
  readonly totalFee: string;
  readonly amountReceived: string;
  /** `{amount}`: the minimum payment with the chosen method. */
  readonly atLeast: string;
  /** `{amount}`: the maximum payment with the chosen method. */
  readonly atMost: string;
  /** `{age}`: the age of the quote, such as “2 minutes ago”. */
  readonly stalePrice: string;
  readonly noPrice: string;
  readonly nothingOffered: string;
  readonly priceOffline: string;
  readonly priceFailed: string;
  readonly priceLoading: string;
  /** `{amount}`: the label of the button inside the card. */
  readonly buyAmount: string;
  /** Replaces `buyAmount` while the amount is empty. */
  readonly enterAmount: string;
  /** `{example}`, an amount that would be accepted: shown below typed text that is not exactly one amount. */
  readonly unclearAmount: string;
}

export const quoteEnglish: QuoteMessages = {
  preview: 'Price',
  youPay: 'You pay',
  suggestedAmounts: 'Suggested amounts',
  youGet: 'You get',
  nftPrice: 'NFT price',
  changeCurrency: 'change currency',
  searchCurrency: 'Search currencies',
  noCurrencyFound: 'No currency found',
  closeList: 'Close the list',
  unitPrice: '1 {coin} = {amount}',
  paymentMethod: 'Price by payment method',
  creditDebitCard: 'Credit or debit card',
  cardPayment: 'Card payment',
  bankCardTransfer: 'Bank card transfer',
  processingMinutes: '{min} to {max} min',
  limits: '{min} to {max}',
  limitFrom: 'from {amount}',
  limitTo: 'up to {amount}',
  priceBreakdown: 'Price breakdown',
  fees: 'Fees {amount}',
  amount: 'Amount',
  gasFee: 'Network fee',
  processingFee: 'Processing fee',
  totalFee: 'Total fee',
  amountReceived: 'You receive',
  atLeast: 'At least {amount} with this method',
  atMost: 'At most {amount} with this method',
  stalePrice: 'Quoted {age}. The price may have changed.',
  noPrice: 'No price available right now. Try another amount or currency.',
  nothingOffered: 'No currencies are available right now.',
  priceOffline: "You're offline. The price will update when you're back online.",
  priceFailed: 'The price could not be loaded.',
  priceLoading: 'Loading the price…',
  buyAmount: 'Buy {amount}',
  enterAmount: 'Enter an amount',
  unclearAmount: 'Write the amount like {example}',
};
