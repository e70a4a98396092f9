import type { RampIssue } from '../../protocol/errors/RampError.js';
import type { SandboxQuote } from '../catalog/pricing.js';
import type {
  NftOrderRequest,
  NftRequest,
  OrderRequest,
  PurchaseRequest,
} from '../checkout/checkPurchase.js';
import type { OrderProgress } from '../orders.js';

/**
 * The requests that the page sends to the sandbox. Each method rejects with a {@link CheckoutClientError} if its
 * request fails.
 */
interface Client<Q, O> {
  quote(purchase: Q, signal?: AbortSignal): Promise<SandboxQuote>;
  order(request: O): Promise<OrderProgress>;
  progress(orderId: string): Promise<OrderProgress>;
}

export type CheckoutClient = Client<PurchaseRequest, OrderRequest>;
export type NftCheckoutClient = Client<NftRequest, NftOrderRequest>;

export interface SignInClient {
  /** Signs the shopper in. Resolves to `true` if the browser now sends the service's cookie. */
  signIn(): Promise<boolean>;
}

/** A failed request. `status` is 0 if there was no JSON response. */
export class CheckoutClientError extends Error {
  constructor(
    readonly status: number,
    readonly issues: readonly RampIssue[] = [],
  ) {
    super(`The service returned status ${status}`);
  }
}

/** Creates the client for a session of either widget. It uses the sandbox's routes under `/home`. */
export function createHttpClient(
  session: string,
): CheckoutClient & NftCheckoutClient & SignInClient {
  return {
    quote: async (purchase: object, signal) =>
      (await postJson('/home/quote', { session, ...purchase }, signal)).quote,
    order: async (request: object) =>
      (await postJson('/home/orders', { session, ...request })).order,
    progress: async (orderId) =>
      (await readJsonResponse(fetch(`/home/orders/${encodeURIComponent(orderId)}`))).order,
    async signIn() {
      if (await isSignedIn()) return true;
      await fetch('/home/sign-in', { method: 'POST' });
      return isSignedIn();
    },
  };
}

const isSignedIn = async (): Promise<boolean> =>
  (await readJsonResponse(fetch('/home/sign-in'))).isSignedIn;

function postJson(path: string, body: object, signal?: AbortSignal) {
  return readJsonResponse(
    fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    }),
  );
}

async function readJsonResponse(request: Promise<Response>) {
  const response = await request.catch(() => undefined);
  const body = await response?.json().catch(() => undefined);
  if (!response || !body) throw new CheckoutClientError(0);
  if (!response.ok) throw new CheckoutClientError(response.status, body.error?.issues);
  return body;
}

/** The key of the message that explains a failed request to the shopper. */
export type Problem = 'paymentRejected' | 'sessionExpired' | 'alreadyPaid' | 'serviceUnavailable';

const problems: Readonly<Record<number, Problem>> = {
  400: 'paymentRejected',
  404: 'sessionExpired',
  409: 'alreadyPaid',
};

export function toProblem(error: unknown): Problem {
  const status = error instanceof CheckoutClientError ? error.status : 0;
  return problems[status] ?? 'serviceUnavailable';
}
