import type { HandlerStore } from '../orders/store/OrderStore.js';
import type { HandlerTracker } from '../orders/tracker/OrderTracker.js';
import type { PartnerApi } from '../partner-api/createPartnerApi.js';
import type { WidgetSigner } from '../signing/createWidgetSigner.js';
import type { WebhookVerifier } from '../webhooks/createWebhookVerifier.js';
import type { CheckoutPolicy } from './CheckoutPolicy.js';
import type { GetSubject } from './GetSubject.js';

/** The options of `createRampHandler`. */
export interface RampHandlerOptions<Context> {
  /** Signs widget parameters: the result of `createWidgetSigner`. */
  readonly signer: WidgetSigner;
  /** Decides on each checkout. Required: the proposal of a client is never signed unchecked. */
  readonly policy: CheckoutPolicy<Context>;
  /** Lists currencies and quotes prices: the result of `createPartnerApi`. Without it, price routes return 404. */
  readonly api?: PartnerApi | undefined;
  /** The exact origins of the pages that may call the handler, such as `https://shop.example`. */
  readonly allowedOrigins: readonly string[];
  /** Verifies webhooks: the result of `createWebhookVerifier`. Without it, the webhook route returns 404. */
  readonly webhooks?: WebhookVerifier | undefined;
  /**
   * Syncs the order list after a webhook, and more often while checkouts are open. Call its `start()`
   * yourself; a tracker that was not started syncs before the handler responds to a webhook.
   */
  readonly tracker?: HandlerTracker | undefined;
  /**
   * Identifies the caller with the same ids as the policy's `subject`. Callers see only their own checkouts.
   * With `'anyone'`, each caller with a reference, which is part of the widget's URL, sees its checkout.
   * Without it, callers cannot see checkouts.
   */
  readonly getSubject?: GetSubject<Context> | 'anyone' | undefined;
  /** The largest numbers of open event streams. @default { perSubject: 6, total: 5000 } */
  readonly maxStreams?:
    | {
        readonly perSubject?: number | undefined;
        readonly total?: number | undefined;
      }
    | undefined;
  /** Ends open event streams and refuses new ones when it is aborted, so that a server can stop. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Stores the intents. Pass the same store to the tracker. Required with `tracker`, `webhooks` and `getSubject`.
   *
   * @default memoryOrderStore(), for development
   */
  readonly store?: HandlerStore | undefined;
  /** The path of the routes when the handler receives whole paths. @default '/api/ramp' */
  readonly basePath?: string | undefined;
  /** The time in seconds after which a checkout without an order expires. @default 86400 */
  readonly intentSeconds?: number | undefined;
  /** The lifetime of a signature in seconds, at most 299, because the service accepts it for 300. @default 240 */
  readonly signatureSeconds?: number | undefined;
  /** Is called with each error of the backend, which has its cause. @default console.error */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** The clock, milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** Responds to one request. The context is required when the policy has one. */
export type RampHandler<Context = unknown> = (
  request: Request,
  ...context: unknown extends Context ? [context?: Context] : [context: Context]
) => Promise<Response>;
