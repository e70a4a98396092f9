import type { HandlerStore } from '../orders/store/OrderStore.js';
import type { HandlerTracker } from '../orders/tracker/OrderTracker.js';
import type { PartnerApi } from '../partner-api/PartnerApi.js';
import type { WidgetSigner } from '../signing/WidgetSigner.js';
import type { WebhookVerifier } from '../webhooks/createWebhookVerifier.js';
import type { CheckoutPolicy } from './CheckoutPolicy.js';
import type { GetSubject } from './GetSubject.js';

/** The options of {@link createRampHandler}. */
export interface RampHandlerOptions<Context> {
  readonly signer: WidgetSigner;
  /** The partner's decision on each checkout. Required: nothing is signed as a client sent it. */
  readonly policy: CheckoutPolicy<Context>;
  /** Lists currencies and quotes prices. Without it the handler has no prices. */
  readonly api?: PartnerApi | undefined;
  /** The exact origins of the pages that may call, such as `https://shop.example`. */
  readonly allowedOrigins: readonly string[];
  /** Verifies webhooks. Without it the handler accepts none. */
  readonly webhooks?: WebhookVerifier | undefined;
  /**
   * Syncs the order list after a webhook, and sooner while checkouts are open. Start it yourself; a tracker
   * that was not started syncs before the handler responds to a webhook.
   */
  readonly tracker?: HandlerTracker | undefined;
  /**
   * Identifies the caller with the same ids as the policy's `subject`. Callers see only their own checkouts.
   * With `'anyone'`, everyone who knows a reference, which is part of the widget's URL, sees its checkout.
   * Without it, nobody does.
   */
  readonly getSubject?: GetSubject<Context> | 'anyone' | undefined;
  /** How many event streams may be open at once. @default { perSubject: 6, total: 5000 } */
  readonly maxStreams?:
    | {
        readonly perSubject?: number | undefined;
        readonly total?: number | undefined;
      }
    | undefined;
  /** When it is aborted, open event streams end and no new ones start, so that a server can stop. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Stores the intents: the same store as the tracker's. Required with `tracker`, `webhooks` and `getSubject`.
   *
   * @default memoryOrderStore(), for development
   */
  readonly store?: HandlerStore | undefined;
  /** The path of the routes when the handler sees whole paths. @default '/api/ramp' */
  readonly basePath?: string | undefined;
  /** How long after its creation a checkout expires without an order. @default 86400 */
  readonly intentSeconds?: number | undefined;
  /** How long a page may use a signature: at most 299, because the service accepts it for 300. @default 240 */
  readonly signatureSeconds?: number | undefined;
  /** Is called with each error of the backend itself, and its cause. @default console.error */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** The clock, milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** Responds to one request. The context is required when the policy has one. */
export type RampHandler<Context = unknown> = (
  request: Request,
  ...context: unknown extends Context ? [context?: Context] : [context: Context]
) => Promise<Response>;
