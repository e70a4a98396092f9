import type { Runtime } from '../internal/runtime.js';
import type { HandlerStore } from '../orders/store/OrderStore.js';
import type { HandlerTracker } from '../orders/tracker/OrderTracker.js';
import type { PartnerApi } from '../partner-api/createPartnerApi.js';
import type { WidgetSigner } from '../signing/createWidgetSigner.js';
import type { WebhookVerifier } from '../webhooks/createWebhookVerifier.js';
import type { CheckoutPolicy } from './CheckoutPolicy.js';
import type { GetSubject } from './GetSubject.js';

/** The validated options of a ramp handler with their defaults. Each route takes the part it needs. */
export interface HandlerSettings<Context> {
  readonly signer: WidgetSigner;
  readonly policy: CheckoutPolicy<Context>;
  readonly api: PartnerApi | undefined;
  readonly origins: ReadonlySet<string>;
  readonly webhooks: WebhookVerifier | undefined;
  readonly tracker: HandlerTracker | undefined;
  readonly getSubject: GetSubject<Context> | 'anyone' | undefined;
  /** The largest numbers of open streams: of one subject (one checkout if `getSubject` is `'anyone'`), and of all. */
  readonly maxStreams: { readonly perSubject: number; readonly total: number };
  /** Ends all event streams. */
  readonly signal: AbortSignal | undefined;
  readonly store: HandlerStore;
  readonly basePath: string;
  readonly intentSeconds: number;
  readonly signatureSeconds: number;
  /** Never throws. */
  readonly onError: (error: unknown) => void;
  readonly runtime: Runtime;
}
