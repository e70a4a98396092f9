import type { KeyObject } from 'node:crypto';
import { createConfigError, RampError } from '../protocol/errors/RampError.js';
import { type AllowedOrigins, parseOrigins } from './handler/allowedOrigins.js';
import { createRampHandler } from './handler/createRampHandler.js';
import {
  parseBasePath,
  parseSyncSecret,
  type RampHandler,
  type WaitUntil,
} from './handler/options.js';
import type { CheckoutPolicy, SomePolicy } from './handler/policy.js';
import type { GetShopper, Shopper } from './handler/shopper.js';
import { isolateListener } from './internal/errorReports.js';
import {
  count,
  flag,
  func,
  group,
  methods,
  type OptionReader,
  optional,
  partnerId,
  readOptions,
  requiredFunc,
  seconds,
  setting,
  TIMER_SECONDS,
} from './internal/options.js';
import { processRuntime, type Runtime } from './internal/runtime.js';
import { reportMemoryStore } from './orders/memory/memoryOrderStore.js';
import type { DeliverAt, OrderToDeliver, OrderToReview, ReviewReason } from './orders/outcomes.js';
import type { OrderStore } from './orders/store/OrderStore.js';
import { createOrderTracker, type SyncStatus } from './orders/tracker/createOrderTracker.js';
import type { SyncRun } from './orders/tracker/runSync.js';
import { parseDeliverAt, trackerDefaults } from './orders/tracker/trackerOptions.js';
import {
  createPartnerApi,
  type PartnerApi,
  parseApiKey,
  parseBaseUrl,
  parseCurrenciesPath,
} from './partner-api/createPartnerApi.js';
import {
  createWidgetSigner,
  parseSecretKey,
  type SecretKey,
} from './signing/createWidgetSigner.js';
import type { SignMessage } from './signing/externalKey.js';
import { parseRsaPublicKey, type RsaKey } from './signing/rsa.js';
import { type ChainTable, parseChains } from './wallets/chains.js';
import { createWebhookVerifier, parseWebhookUrl } from './webhooks/createWebhookVerifier.js';
import { createErrorLog } from './webhooks/errorLog.js';

/**
 * Options of {@link createRamp}.
 *
 * `User` is what `getShopper` returns, `Context` is the handler's second argument, and `Transaction` is what the store
 * passes to `deliver` and `review`. All three are inferred.
 */
export interface RampOptions<
  User extends Shopper = Shopper,
  Context = unknown,
  Transaction = unknown,
> {
  /** The service's API address: `https:`, or `http:` on loopback. */
  readonly apiUrl: string | undefined;
  /** The partner ID issued at onboarding. */
  readonly partnerId: string | undefined;
  /** The `SecretKey`, which signs checkouts, or a function that signs with it, such as a call to a KMS. */
  readonly secretKey: SecretKey | SignMessage;
  /** The `APIPrivateKey`, which signs requests to the service, or a function that signs with it. */
  readonly apiPrivateKey: string | KeyObject | SignMessage | undefined;
  /**
   * The service's `WebhookPublicKey`. Without this key and `webhookUrl`, the webhook route returns 404, and orders are
   * found only by reading the order list.
   */
  readonly webhookPublicKey?: RsaKey | undefined;
  /** The public URL of the webhook, exactly as registered with the service. It is part of the signed text. */
  readonly webhookUrl?: string | undefined;
  /** Keeps checkouts and orders: `sqlOrderStore(kysely)`, or `memoryOrderStore()` during development. */
  readonly store: OrderStore<Transaction>;
  /**
   * The exact origins of the pages that may call the handler, such as `https://shop.example`. For preview deployments,
   * pass a function that tells whether an origin is yours. A page on the handler's own origin needs no entry in
   * browsers that send `Sec-Fetch-Site`.
   */
  readonly allowedOrigins: AllowedOrigins;
  /**
   * Returns the shopper who sent a request, or undefined if none is signed in. The policy receives the result as
   * `shopper`. A checkout is visible only to shoppers with the same id.
   */
  readonly getShopper: GetShopper<User, Context>;
  /** Decides on each checkout. Required, because a client's proposal must never be signed unchecked. */
  readonly policy: CheckoutPolicy<User, Context>;
  /**
   * Gives the shopper what an order has paid for. Called for each order that matches its checkout and has reached
   * `deliverAt`, and retried with the same `order.key` until it succeeds.
   *
   * What it writes with `transaction` is written exactly once, because the same transaction records that the order was
   * delivered. Any other effect may happen twice, because the process may end before the commit, so pass `order.key` as
   * the idempotency key. Await everything. A transaction may take ten seconds (`sqlOrderStore`'s `limits.workMs`), and
   * in SQLite it blocks all other writes. For longer work, write only a row here, and have a job do the rest.
   */
  readonly deliver: (order: OrderToDeliver, transaction: Transaction) => unknown;
  /**
   * Refers an order to your staff, because it may have been paid but must not be delivered unseen, or because its
   * status became unclear after the delivery. {@link ReviewReason} lists the reasons. Called once for each reason,
   * under the same rules as `deliver`. With `'log'`, `onError` receives `ERR_ORDER_REVIEW` instead.
   */
  readonly review:
    | ((order: OrderToReview, reason: ReviewReason, transaction: Transaction) => unknown)
    | 'log';
  /**
   * When an NFT order is delivered: `finished`, once the shopper has paid; `settlement`, while the service is paying
   * you; or `settled`, once it has paid you. A crypto order is always delivered when it is finished.
   * @default 'finished'
   */
  readonly deliverAt?: DeliverAt | undefined;
  /**
   * Set this if the process lives for only one request, as serverless functions do. A scheduled job must then request
   * `{basePath}/sync` every minute, and `start()` throws. @default a process that keeps running and calls `start()`
   */
  readonly serverless?: ServerlessOptions<Context> | undefined;
  /** The path at which the handler is mounted, for frameworks that pass whole paths. @default '/api/ramp' */
  readonly basePath?: string | undefined;
  /**
   * Whether a request without an `Origin` may open checkouts if it has the header `Authorization: Bearer …` and no
   * cookie, such as a request from a mobile app. `getShopper` identifies the token's owner. @default false
   */
  readonly allowBearer?: boolean | undefined;
  /**
   * The chains of service codes that the built-in table lacks or maps differently, such as `{ USDT_SPL: 'solana' }`. A
   * wallet that the policy grants must be an address on the checkout's chain. @default {}
   */
  readonly chains?: ChainTable | undefined;
  /** The time in seconds after which a checkout without an order expires. @default 86400 */
  readonly checkoutSeconds?: number | undefined;
  /**
   * The lifetime of a signature in seconds. At most 299, because this package assumes that the service accepts a
   * signature for 300 seconds. @default 240
   */
  readonly signatureSeconds?: number | undefined;
  /**
   * The interval at which the order list is read right after a checkout opens. It then grows to `maxPollSeconds`.
   * @default 60
   */
  readonly pollSeconds?: number | undefined;
  /** The longest interval between two readings while a checkout is open. @default 600 */
  readonly maxPollSeconds?: number | undefined;
  /**
   * How far back from the last complete sync the next one starts reading. It should exceed the longest delay between an
   * order finishing and appearing in the list. @default 7200
   */
  readonly lookbackSeconds?: number | undefined;
  /** How far back the first sync and the daily sync read. @default 604800, a week */
  readonly fullSyncLookbackSeconds?: number | undefined;
  /** How long a checkout that expired without an order is kept. @default 3024000, five weeks */
  readonly retentionSeconds?: number | undefined;
  /** Orders per request to the service, 1 to 1000. A service may refuse more than the documented 20. @default 20 */
  readonly pageSize?: number | undefined;
  /** The path of the service's list of cryptocurrencies. @default '/open/api/onramp/token' */
  readonly cryptoCurrenciesPath?: string | undefined;
  /** Whether the service signs the scalar fields of a webhook's body too. @default false */
  readonly signedWebhookBody?: boolean | undefined;
  /**
   * Called with each error in the backend, such as a failed delivery (which is retried). The error's `cause`, if any,
   * contains details that clients never see. @default `console.error`; refused webhooks at most once a minute per
   * reason, because anyone can send them
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Options for functions and other hosts whose process lives for one request. */
export interface ServerlessOptions<Context = unknown> {
  /**
   * The secret of the scheduled job that requests `{basePath}/sync`, 32 to 512 printable ASCII characters without
   * spaces, such as the output of `openssl rand -hex 32`.
   */
  readonly syncSecret: string | undefined;
  /**
   * Keeps the function alive until a promise has settled: Next's `after`, Vercel's `waitUntil`, or
   * `(work, { context }) => context.ctx.waitUntil(work)` in Workers. With it, a webhook is answered before its sync
   * runs, and a new checkout starts a sync if one is due. The promise never rejects.
   */
  readonly waitUntil?: WaitUntil<Context> | undefined;
  /** How long a sync may take, 2 to 3600 seconds. The next sync picks up where it stopped. @default 20 */
  readonly syncSeconds?: number | undefined;
}

/** The result of {@link createRamp}. */
export interface Ramp<Context = unknown> {
  /** Handles requests from the page, the webhook and the scheduled job. Mount it in your framework. */
  readonly handler: RampHandler<Context>;
  /**
   * Starts the syncs: reads the order list now, and then whenever a sync is due. Call it once when the server starts.
   *
   * @throws RampError `ERR_CONFIG_INVALID` with `serverless`.
   */
  start(): void;
  /** Aborts any running sync, and starts no more. Never rejects. */
  stop(): Promise<void>;
  /**
   * Reads the order list and delivers what is due. If this process is already syncing, the new sync begins when that
   * one ends. With `onlyIfDue`, which needs `serverless`, it does nothing unless a sync is due, so a scheduled job may
   * call it every minute.
   *
   * @throws the errors of the service and the store. No order is lost, because the next sync reads the same range.
   */
  sync(options?: { readonly onlyIfDue?: boolean | undefined }): Promise<SyncRun>;
  /** Returns when a process last read the order list, when the next reading is due, and why. */
  status(): Promise<SyncStatus>;
  /** The client of the service: currencies, quotes and orders. */
  readonly api: PartnerApi;
}

const OWNER = 'createRamp';
const MAX_SIGNATURE_SECONDS = 299;
const MAX_PAGE_SIZE = 1000;
/** How long one delivery may take if the process lives for only one request. */
const SERVERLESS_DELIVERY_SECONDS = 15;

/**
 * Creates the backend of the checkout: it signs what your policy grants, finds the orders, and hands each to `deliver`
 * or `review`.
 *
 * Several instances can share one store; only one of them reads the order list at a time.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when an option is missing or malformed.
 * @example
 * const ramp = createRamp({
 *   apiUrl, partnerId, secretKey, apiPrivateKey, webhookPublicKey, webhookUrl,
 *   store: sqlOrderStore(kysely),
 *   allowedOrigins: ['https://shop.example'],
 *   getShopper: ({ request }) => findUser(request), // { id, wallets } or undefined
 *   policy: ({ selection, shopper }) => ({
 *     params: { walletAddress: chooseWallet(selection, shopper.wallets), walletAddressLocked: '1' },
 *   }),
 *   deliver: (order, transaction) =>
 *     transaction.insertInto('purchases').values({ id: order.orderId, user: order.checkout.subject }).execute(),
 *   review: (order, reason, transaction) =>
 *     transaction.insertInto('cases').values({ id: order.key, reason }).execute(),
 * });
 * ramp.start();
 */
export function createRamp<User extends Shopper, Context = unknown, Transaction = unknown>(
  options: RampOptions<User, Context, Transaction>,
): Ramp<Context>;
/** @internal */
export function createRamp<User extends Shopper, Context = unknown, Transaction = unknown>(
  options: RampOptions<User, Context, Transaction>,
  runtime: Runtime,
): Ramp<Context>;
export function createRamp<User extends Shopper, Context = unknown, Transaction = unknown>(
  options: RampOptions<User, Context, Transaction>,
  runtime: Runtime = processRuntime,
): Ramp<Context> {
  const read = readOptions(OWNER, options, createReaders<User, Context, Transaction>(), 'misspelt');
  const { serverless, store, getShopper, chains, pollSeconds, maxPollSeconds } = read;
  if (maxPollSeconds !== undefined && maxPollSeconds < pollSeconds)
    throw createConfigError(OWNER, 'expects a maxPollSeconds that is not less than pollSeconds.');
  const onError = isolateListener(read.onError ?? createErrorLog(runtime));
  reportMemoryStore(runtime, store, onError);
  const api = createPartnerApi(
    {
      baseUrl: read.apiUrl,
      partnerId: read.partnerId,
      privateKey: read.apiPrivateKey,
      pageSize: read.pageSize,
      cryptoCurrenciesPath: read.cryptoCurrenciesPath,
      onError,
    },
    runtime,
  );
  const signer = createWidgetSigner(
    { partnerId: read.partnerId, secretKey: read.secretKey },
    runtime,
  );
  const tracker = createOrderTracker(
    {
      api,
      store,
      onError,
      deliverAt: read.deliverAt,
      deliver: read.deliver,
      review: read.review === 'log' ? createReviewLog(onError) : read.review,
      pollSeconds,
      maxPollSeconds,
      lookbackSeconds: read.lookbackSeconds,
      fullSyncLookbackSeconds: read.fullSyncLookbackSeconds,
      retentionSeconds: read.retentionSeconds,
      ...(serverless && {
        isServerless: true,
        syncSeconds: serverless.syncSeconds,
        deliverySeconds: SERVERLESS_DELIVERY_SECONDS,
      }),
    },
    runtime,
  );
  const handler = createRampHandler<Context>(
    {
      signer,
      api,
      store,
      tracker,
      onError,
      getShopper,
      policy: read.policy as SomePolicy<Context>,
      webhooks: createWebhooks(read, runtime),
      allowedOrigins: read.allowedOrigins,
      allowBearer: read.allowBearer,
      chains,
      basePath: read.basePath,
      checkoutSeconds: read.checkoutSeconds,
      signatureSeconds: read.signatureSeconds,
      syncSecret: serverless?.syncSecret,
      waitUntil: serverless?.waitUntil,
    },
    runtime,
  );
  return {
    handler,
    api,
    start: () => tracker.start(),
    stop: () => tracker.stop(),
    sync: (given) => tracker.sync(given),
    status: () => tracker.status(),
  };
}

const createReaders = <User extends Shopper, Context, Transaction>() => {
  type Options = RampOptions<User, Context, Transaction>;
  return {
    apiUrl: setting(parseBaseUrl),
    partnerId,
    secretKey: parseSecretKey,
    apiPrivateKey: parseApiKey,
    webhookPublicKey: optional((key, { subject }) => parseRsaPublicKey(key, subject)),
    webhookUrl: optional(parseWebhookUrl),
    store: methods<Options['store']>(
      ['recordOrders', 'handleChange', 'claimReplay', 'saveCheckout'],
      'needs a store: sqlOrderStore(kysely), or memoryOrderStore() for development.',
    ),
    allowedOrigins: parseOrigins,
    getShopper: requiredFunc<Options['getShopper']>(
      'your function that returns who sends a request, as an object with an id',
    ),
    policy: requiredFunc<Options['policy']>(
      'your function that returns the parameters to sign for a shopper',
    ),
    deliver: requiredFunc<Options['deliver']>(
      'your function that gives the shopper what an order has paid for',
    ),
    review: (value, option): Options['review'] =>
      value === 'log'
        ? value
        : requiredFunc<Exclude<Options['review'], 'log'>>(
            "your function that lets a person see an order that is not delivered, or 'log'",
          )(value, option),
    deliverAt: parseDeliverAt,
    serverless: optional(
      group({
        syncSecret: setting(parseSyncSecret),
        waitUntil: func<WaitUntil<Context>>(),
        syncSeconds: count({ byDefault: 20, least: 2, most: 3600, unit: 'whole seconds' }),
      }),
    ),
    basePath: parseBasePath,
    allowBearer: flag(false),
    chains: (value, { owner }) => parseChains(owner, value ?? {}),
    checkoutSeconds: seconds(86_400),
    signatureSeconds: seconds(240, MAX_SIGNATURE_SECONDS),
    pollSeconds: seconds(trackerDefaults.pollSeconds, TIMER_SECONDS),
    maxPollSeconds: optional(seconds(trackerDefaults.maxPollSeconds, TIMER_SECONDS)),
    lookbackSeconds: seconds(trackerDefaults.lookbackSeconds),
    fullSyncLookbackSeconds: seconds(trackerDefaults.fullSyncLookbackSeconds),
    retentionSeconds: seconds(trackerDefaults.retentionSeconds),
    pageSize: count({ byDefault: 20, most: MAX_PAGE_SIZE }),
    cryptoCurrenciesPath: parseCurrenciesPath,
    signedWebhookBody: flag(false),
    onError: func<(error: unknown) => void>(),
  } satisfies Record<keyof Options, OptionReader<unknown>>;
};

/** @throws RampError `ERR_CONFIG_INVALID` if one of the two options is missing. */
function createWebhooks(
  {
    webhookPublicKey,
    webhookUrl,
    signedWebhookBody,
  }: {
    readonly webhookPublicKey: KeyObject | undefined;
    readonly webhookUrl: URL | undefined;
    readonly signedWebhookBody: boolean;
  },
  runtime: Runtime,
) {
  if (!webhookPublicKey && !webhookUrl) return undefined;
  if (!webhookPublicKey || !webhookUrl)
    throw createConfigError(
      OWNER,
      `has ${webhookUrl ? 'webhookUrl without webhookPublicKey' : 'webhookPublicKey without webhookUrl'}: a webhook is verified with both.`,
    );
  return createWebhookVerifier(
    { publicKey: webhookPublicKey, url: webhookUrl.href, signedBody: signedWebhookBody },
    runtime,
  );
}

/** Creates the callback for `review: 'log'`, which only reports the orders. */
const createReviewLog =
  (onError: (error: unknown) => void) =>
  ({ orderId }: OrderToReview, reason: ReviewReason): void =>
    onError(
      new RampError(
        'ERR_ORDER_REVIEW',
        `The order ${orderId} needs a person: ${reason}. It may be paid, and it is not delivered. See docs/orders.md#what-money-can-be.`,
      ),
    );
