/** The progress of an order: paid immediately, then sent, then confirmed on the chain. */
export type OrderStep = 'paid' | 'sending' | 'finished';

/** The part of an order that the page receives. Amounts are decimal strings, times are Unix seconds. */
export interface OrderProgress {
  readonly orderId: string;
  readonly step: OrderStep;
  readonly payTime: number;
  /** Present once the order was sent. */
  readonly deliverTime?: number;
  readonly txHash?: string;
  /** Present once the order is finished. */
  readonly finishTime?: number;
  readonly fiatCurrency: string;
  readonly currencyAmount: string;
  readonly cryptoCurrencyCode: string;
  readonly cryptoCurrencyAmount: string;
  /** Absent when the URL hides it. */
  readonly walletAddress?: string;
}
