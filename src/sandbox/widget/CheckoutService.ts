import type { RampIssue } from '../../protocol/ramp-error.js';
import type { NftOrderRequest, NftRequest } from '../check-nft-purchase.js';
import type { OrderRequest, PurchaseRequest } from '../check-purchase.js';
import type { OrderProgress } from '../order-progress.js';
import type { SandboxQuote } from '../quote.js';

/** What a page asks its server for. Every call rejects with a {@link CheckoutClientError}. */
interface Client<Q, O> {
  quote(purchase: Q, signal?: AbortSignal): Promise<SandboxQuote>;
  order(request: O): Promise<OrderProgress>;
  progress(orderId: string): Promise<OrderProgress>;
}

export type CheckoutClient = Client<PurchaseRequest, OrderRequest>;
export type NftCheckoutClient = Client<NftRequest, NftOrderRequest>;

export interface SignInClient {
  /** Signs the shopper in. Resolves to whether the service can read its cookie. */
  signIn(): Promise<boolean>;
}

/** `status` is 0 when there was no answer at all. */
export class CheckoutClientError extends Error {
  constructor(
    readonly status: number,
    readonly issues: readonly RampIssue[] = [],
  ) {
    super(`The service answered ${status}`);
  }
}
