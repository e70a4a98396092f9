/** An order, as `/api/operator` returns it. Amounts are decimal strings, times Unix seconds. */
export interface OperatorOrder {
  readonly orderId: string;
  readonly matchStatus: 'matched' | 'quarantined' | 'unmatched';
  readonly state: 'finished' | 'settlement' | 'settled' | 'unknown';
  readonly changedAt: number;
  readonly finishTime?: number;
  readonly reference?: string;
  readonly title?: string;
  readonly paid: string;
  readonly bought: string;
  readonly fulfilment: 'delivered' | 'settled' | 'needs-attention' | 'handled' | 'none';
}

interface OperatorCase {
  readonly orderId: string;
  readonly reference: string;
  readonly reason: string;
  readonly field?: string;
  readonly openedAt: number;
  readonly order?: OperatorOrder;
}

export interface SyncReport {
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly from: number;
  readonly listed: number;
  readonly recorded: number;
  /** Listed orders that could not be parsed. */
  readonly malformed?: number;
  readonly failed?: true;
}

export interface WebhookCount {
  readonly minute: number;
  readonly outcome: 'accepted' | 'replayed' | 'refused';
  readonly reason?: string;
  readonly count: number;
}

export interface OperatorOverview {
  readonly cases: readonly OperatorCase[];
  readonly moreCases: number;
  readonly sync?: SyncReport;
  readonly webhooks: readonly WebhookCount[];
}

export interface OperatorOrderPage {
  readonly orders: readonly OperatorOrder[];
  readonly isMore: boolean;
}
