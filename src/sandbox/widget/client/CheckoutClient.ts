import type { RampIssue } from '../../../protocol/errors/RampError.js';
import type { SandboxQuote } from '../../catalog/pricing.js';
import type {
  NftOrderRequest,
  NftRequest,
  OrderRequest,
  PurchaseRequest,
} from '../../checkout/checkPurchase.js';
import type { OrderProgress } from '../../orders.js';

/** The calls of a page to its server. Every call rejects with a {@link CheckoutClientError}. */
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

/** An error of a call. `status` is 0 without a response. */
export class CheckoutClientError extends Error {
  constructor(
    readonly status: number,
    readonly issues: readonly RampIssue[] = [],
  ) {
    super(`The service returned status ${status}`);
  }
}
