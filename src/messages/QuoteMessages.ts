/** The texts of the price preview. What stands in braces is filled in, in any order. */
export interface QuoteMessages {
  /** The name of the card, for a screen reader. */
  readonly preview: string;
  readonly youPay: string;
  readonly youGet: string;
  /** In place of `youPay` where an NFT is bought. */
  readonly nftPrice: string;
  /** After the code, on the button that opens the list of currencies. */
  readonly changeCurrency: string;
  readonly searchCurrency: string;
  readonly noCurrencyFound: string;
  readonly closeList: string;
  /** `{coin}`, `{amount}`: 1 USDT = 1.0032 USD */
  readonly unitPrice: string;
  readonly paymentMethod: string;
  readonly creditDebitCard: string;
  readonly cardPayment: string;
  readonly bankCardTransfer: string;
  /** `{min}`, `{max}` */
  readonly processingMinutes: string;
  /** `{min}`, `{max}`: the least and the most that may be paid. */
  readonly limits: string;
  /** `{amount}` */
  readonly limitFrom: string;
  /** `{amount}` */
  readonly limitTo: string;
  /** The widget asks for the payment method itself. */
  readonly methodChosenInCheckout: string;
  /** Opens the sum. */
  readonly priceBreakdown: string;
  readonly amount: string;
  readonly gasFee: string;
  readonly processingFee: string;
  readonly totalFee: string;
  readonly amountReceived: string;
  /** `{amount}`: the least that may be paid with the chosen method. */
  readonly atLeast: string;
  /** `{amount}` */
  readonly atMost: string;
  /** `{age}`, such as “2 minutes ago”. */
  readonly stalePrice: string;
  readonly noPrice: string;
  readonly nothingOffered: string;
  readonly priceOffline: string;
  readonly priceFailed: string;
  readonly priceLoading: string;
  /** `{amount}`: the button inside the card. */
  readonly buyAmount: string;
}

/** In English. */
export const quoteEnglish: QuoteMessages = {
  preview: 'Price',
  youPay: 'You pay',
  youGet: 'You get',
  nftPrice: 'Price of the NFT',
  changeCurrency: 'change currency',
  searchCurrency: 'Search currencies',
  noCurrencyFound: 'No currency found',
  closeList: 'Close the list',
  unitPrice: '1 {coin} = {amount}',
  paymentMethod: 'Payment method',
  creditDebitCard: 'Credit or debit card',
  cardPayment: 'Card payment',
  bankCardTransfer: 'Bank card transfer',
  processingMinutes: '{min} to {max} min',
  limits: '{min} to {max}',
  limitFrom: 'from {amount}',
  limitTo: 'up to {amount}',
  methodChosenInCheckout: 'You choose the payment method again in the checkout.',
  priceBreakdown: 'What it comes to',
  amount: 'Amount',
  gasFee: 'Gas fee',
  processingFee: 'Processing fee',
  totalFee: 'Total fee',
  amountReceived: 'What arrives',
  atLeast: 'At least {amount} with this method',
  atMost: 'At most {amount} with this method',
  stalePrice: 'This price may have changed; it was quoted {age}.',
  noPrice: 'There is no price for this right now. Try another amount or currency.',
  nothingOffered: 'There is nothing to buy here right now.',
  priceOffline: 'You are offline. The price comes back with the connection.',
  priceFailed: 'The price could not be loaded.',
  priceLoading: 'Loading the price…',
  buyAmount: 'Buy {amount}',
};
