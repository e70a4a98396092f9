import type { OrderStore } from '../orders/OrderStore.js';
import type { HandlerTracker } from '../orders/tracker/OrderTracker.js';
import type { PartnerApi } from '../partner-api/PartnerApi.js';
import type { WidgetSigner } from '../signing/createWidgetSigner.js';
import type { WebhookVerifier } from '../webhooks/createWebhookVerifier.js';
import type { CheckoutPolicy } from './CheckoutPolicy.js';
import type { GetSubject } from './GetSubject.js';

export interface RampHandlerOptions<Context> {
  readonly signer: WidgetSigner;
  /** The partner's decision on each checkout. Required: nothing is signed as a client sent it. */
  readonly policy: CheckoutPolicy<Context>;
  /** Lists currencies and quotes prices. Without it the handler has no prices. */
  readonly api?: PartnerApi;
  /** The exact origins of the pages that may call, such as `https://shop.example`. */
  readonly allowedOrigins: readonly string[];
  /** Verifies webhooks. Without it the handler takes none. */
  readonly webhooks?: WebhookVerifier;
  /**
   * Is nudged by webhooks, and told of checkouts. Start it yourself; a tracker that was not started syncs
   * before a webhook is answered.
   */
  readonly tracker?: HandlerTracker;
  /**
   * Who asks how far a checkout is, in the terms of the policy's `subject`: they are told of their own.
   * `'anyone'`: whoever knows the reference, which stands in the widget's address. Without it nobody is.
   */
  readonly getSubject?: GetSubject<Context> | 'anyone';
  /** How many event streams may be open at once. @default { perSubject: 6, total: 5000 } */
  readonly maxStreams?: {
    readonly perSubject?: number | undefined;
    readonly total?: number | undefined;
  };
  /** Once it is aborted, open event streams end and no more begin, so that a server can stop. */
  readonly signal?: AbortSignal;
  /**
   * Keeps the intents: the store that the tracker has. Required with `tracker` or `webhooks`.
   * @default memoryOrderStore(), for development
   */
  readonly store?: OrderStore;
  /** The path the routes stand under where the whole path reaches the handler. @default '/api/ramp' */
  readonly basePath?: string;
  /** How long an intent is kept. @default 86400 */
  readonly intentSeconds?: number;
  /** How long a page may use a signature: at most 299, as the service accepts it for 300. @default 240 */
  readonly signatureSeconds?: number;
  /** Hears of every error that is the backend's own, with its cause. @default console.error */
  readonly onError?: (error: unknown) => void;
  /** The clock, milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
  /** A fresh reference of 128 random bits, inside `A-Za-z0-9._-`. @default from node:crypto */
  readonly newReference?: () => string;
}

/** Answers one request. Where the policy has a context, it must be given. */
export type RampHandler<Context = unknown> = (
  request: Request,
  ...context: unknown extends Context ? [context?: Context] : [context: Context]
) => Promise<Response>;
