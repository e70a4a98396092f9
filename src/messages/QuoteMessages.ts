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
  readonly minutes: string;
  /** `{min}`, `{max}`: the least and the most that may be paid. */
  readonly limits: string;
  /** `{amount}` */
  readonly limitFrom: string;
  /** `{amount}` */
  readonly limitTo: string;
  /** The widget asks for the payment method itself. */
  readonly chosenAgain: string;
  /** Opens the sum. */
  readonly sum: string;
  readonly amount: string;
  readonly gasFee: string;
  readonly processingFee: string;
  readonly totalFee: string;
  readonly arrives: string;
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
