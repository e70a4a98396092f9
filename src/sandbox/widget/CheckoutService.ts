import type { RampIssue } from '../../protocol/ramp-error.js';
import type { OrderRequest, PurchaseRequest } from '../check-purchase.js';
import type { OrderProgress } from '../order-progress.js';
import type { Quote } from '../quote.js';

/** What the page asks its server for. Every call rejects with a {@link ServiceError}. */
export interface CheckoutService {
  quote(purchase: PurchaseRequest, signal?: AbortSignal): Promise<Quote>;
  order(request: OrderRequest): Promise<OrderProgress>;
  progress(orderId: string): Promise<OrderProgress>;
}

/** `status` is 0 when there was no answer at all. */
export class ServiceError extends Error {
  constructor(
    readonly status: number,
    readonly issues: readonly RampIssue[] = [],
  ) {
    super(`The service answered ${status}`);
  }
}
