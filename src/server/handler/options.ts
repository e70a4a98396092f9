import { createConfigError } from '../../protocol/errors/RampError.js';
import { isolateListener } from '../internal/errorReports.js';
import type { Runtime } from '../internal/runtime.js';
import type { HandlerStore } from '../orders/store/OrderStore.js';
import { createPartnerClaim } from '../orders/store/partnerClaim.js';
import type { OrderTracker } from '../orders/tracker/createOrderTracker.js';
import type { PartnerApi } from '../partner-api/createPartnerApi.js';
import type { ChainTable } from '../wallets/chains.js';
import type { WebhookVerifier } from '../webhooks/createWebhookVerifier.js';
import { createErrorLog } from '../webhooks/errorLog.js';
import { type AllowedOrigins, createOriginCheck } from './allowedOrigins.js';
import type { AnySigner, SomePolicy } from './policy.js';
import { createPollInterval, type PollInterval } from './pollInterval.js';
import { createProgressLimit, createSubjectLimit, type ProgressLimit } from './requestLimits.js';
import type { GetShopper, Shopper } from './shopper.js';

/** The validated options that `createRamp` passes to its handler. */
export interface RampHandlerOptions<Context> {
  readonly signer: AnySigner;
  readonly policy: SomePolicy<Context>;
  readonly getShopper: GetShopper<Shopper, Context>;
  readonly allowedOrigins: AllowedOrigins;
  readonly store: HandlerStore;
  readonly api: PartnerApi;
  /** Without it, the webhook route returns 404. */
  readonly webhooks?: WebhookVerifier | undefined;
  /**
   * Finds the orders. If it was not started, the response to a webhook waits for the sync unless `waitUntil` is set.
   */
  readonly tracker: HandlerTracker;
  /** @default {} */
  readonly chains?: ChainTable | undefined;
  /** @default false */
  readonly allowBearer?: boolean | undefined;
  /** Without it, the route for scheduled jobs returns 404. */
  readonly syncSecret?: string | undefined;
  readonly waitUntil?: WaitUntil<Context> | undefined;
  /** @default '/api/ramp' */
  readonly basePath?: string | undefined;
  /** @default 86400 */
  readonly checkoutSeconds?: number | undefined;
  /** @default 240 */
  readonly signatureSeconds?: number | undefined;
  /** @default logs */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The part of an {@link OrderTracker} that the handler uses. */
export type HandlerTracker = Pick<
  OrderTracker,
  'sync' | 'requestSync' | 'checkoutGranted' | 'syncForCheckout' | 'ordersRecorded'
>;

/** Keeps the process of a request alive until `work` has settled. */
export type WaitUntil<Context> = (
  work: Promise<void>,
  caller: { readonly request: Request; readonly context: Context },
) => void;

/** A function that responds to one request. The second argument is required if the policy has a context. */
export type RampHandler<Context = unknown> = (
  request: Request,
  ...context: unknown extends Context ? [context?: Context] : [context: Context]
) => Promise<Response>;

/** The options of a ramp handler with their defaults, and what its routes share. */
export interface HandlerSettings<Context> extends RampHandlerOptions<Context> {
  /** Returns whether the pages of an origin may call the handler. */
  readonly isListedOrigin: (origin: string) => boolean;
  readonly chains: ChainTable;
  /** Whether a request without an `Origin` may carry a bearer token instead. */
  readonly allowBearer: boolean;
  readonly basePath: string;
  readonly checkoutSeconds: number;
  readonly signatureSeconds: number;
  /** Rejects if the store belongs to another partner or environment. */
  readonly claimPartner: () => Promise<void>;
  /** Never throws. */
  readonly onError: (error: unknown) => void;
  readonly runtime: Runtime;
  /** Counts a shopper's request. @throws RequestError `ERR_RATE_LIMITED` */
  readonly countRequest: (shopperId: string) => void;
  readonly progress: ProgressLimit;
  readonly countPoll: PollInterval;
}

const OWNER = 'createRamp';

function refuse(message: string): never {
  throw createConfigError(OWNER, message);
}

export function toHandlerSettings<Context>(
  { allowedOrigins, ...options }: RampHandlerOptions<Context>,
  runtime: Runtime,
): HandlerSettings<Context> {
  const { store, signer, api } = options;
  return {
    ...options,
    chains: options.chains ?? {},
    allowBearer: options.allowBearer ?? false,
    basePath: options.basePath ?? DEFAULT_PATH,
    checkoutSeconds: options.checkoutSeconds ?? DAY,
    signatureSeconds: options.signatureSeconds ?? 240,
    isListedOrigin: createOriginCheck(allowedOrigins),
    allowedOrigins,
    onError: isolateListener(options.onError ?? createErrorLog(runtime)),
    runtime,
    countRequest: createSubjectLimit(runtime),
    progress: createProgressLimit(),
    countPoll: createPollInterval(runtime),
    claimPartner: createPartnerClaim(OWNER, store, { partnerId: signer.partnerId, api }),
  };
}

const DAY = 86_400;
const DEFAULT_PATH = '/api/ramp';

export function parseSyncSecret(secret: unknown): string {
  // Leave the value out of the message, because it is a secret.
  if (typeof secret === 'string' && /^[\x21-\x7e]{32,512}$/.test(secret)) return secret;
  return refuse(
    'expects 32 to 512 printable ASCII characters without spaces as serverless.syncSecret, so that nobody can guess it. Create one with: openssl rand -hex 32',
  );
}

export function parseBasePath(given: unknown): string {
  const basePath = given ?? DEFAULT_PATH;
  // The path is compared with the pathname of a URL, so it must be in the same normalized form.
  const isPath = typeof basePath === 'string' && basePath.startsWith('/');
  if (isPath && new URL(`http://host${basePath}`).pathname === basePath) return basePath;
  return refuse(
    "needs a basePath that begins with '/' and is a normalized URL path without query and fragment.",
  );
}
