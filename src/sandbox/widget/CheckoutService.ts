import type { RampIssue } from '../../protocol/ramp-error.js';
import type { NftOrderRequest, NftRequest } from '../check-nft-purchase.js';
import type { OrderRequest, PurchaseRequest } from '../check-purchase.js';
import type { OrderProgress } from '../order-progress.js';
import type { Quote } from '../quote.js';

/** What a page asks its server for. Every call rejects with a {@link ServiceError}. */
interface Service<Q, O> {
  quote(purchase: Q, signal?: AbortSignal): Promise<Quote>;
  order(request: O): Promise<OrderProgress>;
  progress(orderId: string): Promise<OrderProgress>;
}

export type CheckoutService = Service<PurchaseRequest, OrderRequest>;
export type NftService = Service<NftRequest, NftOrderRequest>;

export interface SignInService {
  /** Signs the shopper in. Resolves to whether the service can read its cookie. */
  signIn(): Promise<boolean>;
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
