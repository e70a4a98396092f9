/** How far an order is: paid at once, then sent, then confirmed on the chain. */
export type OrderStep = 'paid' | 'sending' | 'finished';

/** The part of an order that the page receives. Amounts are decimal strings, times are Unix seconds. */
export interface OrderProgress {
  readonly orderId: string;
  readonly step: OrderStep;
  readonly payTime: number;
  /** Once it was sent. */
  readonly deliverTime?: number;
  readonly txHash?: string;
  /** Once it is finished. */
  readonly finishTime?: number;
  readonly fiatCurrency: string;
  readonly currencyAmount: string;
  readonly cryptoCurrencyCode: string;
  readonly cryptoCurrencyAmount: string;
  /** Absent when the URL hides it. */
  readonly walletAddress?: string;
}
