import { createConfigError } from '../../protocol/errors/RampError.js';
import { createErrorLog, isolateListener } from '../internal/errorReports.js';
import {
  flag,
  func,
  group,
  isQuoted,
  methods,
  type OptionReader,
  optional,
  QUOTED,
  readOptions,
  seconds,
  setting,
} from '../internal/options.js';
import { type Runtime, withClock } from '../internal/runtime.js';
import {
  memoryOrderStore,
  reportMemoryStore,
  usesOtherMemoryStore,
} from '../orders/memory/memoryOrderStore.js';
import type { HandlerStore } from '../orders/store/OrderStore.js';
import { createPartnerClaim } from '../orders/store/partnerClaim.js';
import type { HandlerTracker } from '../orders/tracker/createOrderTracker.js';
import type { PartnerApi } from '../partner-api/createPartnerApi.js';
import type { WidgetSigner } from '../signing/createWidgetSigner.js';
import { type ChainTable, parseChains } from '../wallets/chains.js';
import type { WebhookVerifier } from '../webhooks/createWebhookVerifier.js';
import type { CheckoutPolicy } from './policy.js';
import { createPollInterval, type PollInterval } from './pollInterval.js';
import { createProgressLimit, createSubjectLimit, type ProgressLimit } from './requestLimits.js';

/** Options of {@link createRampHandler}. */
export interface RampHandlerOptions<Context> {
  /** Signs widget parameters: the result of `createWidgetSigner`. */
  readonly signer: WidgetSigner;
  /** Decides on each checkout. Required, because the proposal of a client must never be signed unchecked. */
  readonly policy: CheckoutPolicy<Context>;
  /**
   * Lists currencies, quotes prices, and lists orders before a checkout is continued: the result of `createPartnerApi`.
   * Without it, the price routes and `POST …/continue` return 404.
   */
  readonly api?: PartnerApi | undefined;
  /**
   * Your service's codes that the built-in table of chains lacks or reads differently, such as `{ USDT_SPL: 'solana' }`.
   * The handler refuses a granted wallet that is not an address on the chain of the checkout. It does not check wallets
   * on chains that the table lacks.
   *
   * @default {}
   */
  readonly chains?: ChainTable | undefined;
  /** The exact origins of the pages that may call the handler, such as `https://shop.example`. */
  readonly allowedOrigins: readonly string[];
  /**
   * Which callers may open checkouts that are not pages of `allowedOrigins`. With `bearer`, such as for a mobile app, a
   * request may lack the `Origin` if it has the header `Authorization: Bearer …` and no cookie. The handler does not
   * read the token: your framework adapter, the policy and `getSubject` say whose it is.
   *
   * @default { bearer: false }
   */
  readonly clients?: { readonly bearer?: boolean | undefined } | undefined;
  /** Verifies webhooks: the result of `createWebhookVerifier`. Without it, the webhook route returns 404. */
  readonly webhooks?: WebhookVerifier | undefined;
  /**
   * Reads the order list after each webhook and, once you have called its `start()`, regularly while checkouts are
   * open. If it was not started, the handler responds to a webhook only after the list was read.
   */
  readonly tracker?: HandlerTracker | undefined;
  /**
   * Identifies the caller with the same ids as the policy's `subject`, so that callers see only their own checkouts.
   * With `'anyone'`, a caller who knows the reference of a checkout can see that checkout, and the reference is part of
   * the widget's URL. Without this option, callers cannot see checkouts.
   */
  readonly getSubject?: GetSubject<Context> | 'anyone' | undefined;
  /**
   * The secret of the scheduled job that requests `{basePath}/sync`, 32 to 512 printable ASCII characters without
   * spaces, such as the output of `openssl rand -hex 32`. Without it, that route returns 404. Needs a tracker with
   * `timers: false`.
   */
  readonly syncSecret?: string | undefined;
  /**
   * Keeps a serverless function alive until a promise has settled: Next's `after`, Vercel's `waitUntil`, or
   * `(work, { context }) => context.ctx.waitUntil(work)` in Workers. With it, a webhook gets its response before the
   * sync, and a new checkout begins a sync if one is due. The promise never rejects.
   */
  readonly waitUntil?: WaitUntil<Context> | undefined;
  /**
   * Stores the intents. Pass the same store to the tracker. Required with `tracker`, `webhooks` and `getSubject`.
   *
   * @default memoryOrderStore(), for development
   */
  readonly store?: HandlerStore | undefined;
  /** The path at which the handler is mounted, for frameworks that pass whole paths. @default '/api/ramp' */
  readonly basePath?: string | undefined;
  /** The time in seconds after which a checkout without an order expires. @default 86400 */
  readonly intentSeconds?: number | undefined;
  /**
   * The lifetime of a signature in seconds. At most 299, because this package assumes that the service accepts a
   * signature for 300 seconds. @default 240
   */
  readonly signatureSeconds?: number | undefined;
  /**
   * Is called with each error of the backend. The `cause` of an error, if any, says more than clients are told.
   * @default logs to `console.error`; refused webhooks, which anyone can send, once a minute for each reason
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Returns the current time in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/**
 * Identifies the caller with the same ids as the policy's `subject`, or returns undefined when the caller is
 * not signed in.
 */
export type GetSubject<Context> = (caller: {
  readonly request: Request;
  readonly context: Context;
}) => string | undefined | Promise<string | undefined>;

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

/** The validated options of a ramp handler with their defaults. */
export interface HandlerSettings<Context> {
  readonly signer: WidgetSigner;
  readonly policy: CheckoutPolicy<Context>;
  readonly api: PartnerApi | undefined;
  readonly chains: ChainTable;
  readonly origins: ReadonlySet<string>;
  /** Whether a request without an `Origin` may have a bearer token instead. */
  readonly clients: { readonly bearer: boolean };
  readonly webhooks: WebhookVerifier | undefined;
  readonly tracker: HandlerTracker | undefined;
  readonly getSubject: GetSubject<Context> | 'anyone' | undefined;
  readonly syncSecret: string | undefined;
  readonly waitUntil: WaitUntil<Context> | undefined;
  readonly store: HandlerStore;
  /** Rejects if the store belongs to another partner or environment. */
  readonly claimPartner: () => Promise<void>;
  readonly basePath: string;
  readonly intentSeconds: number;
  readonly signatureSeconds: number;
  /** Never throws. */
  readonly onError: (error: unknown) => void;
  readonly runtime: Runtime;
  /** Counts a request of a subject, or of a reference if `getSubject` is `'anyone'`. @throws RequestError 429 */
  readonly countRequest: (subject: string) => void;
  readonly progress: ProgressLimit;
  readonly countPoll: PollInterval;
}

const OWNER = 'createRampHandler';
/**
 * It is not documented how long the service accepts a signature. This package assumes 300 seconds
 * (docs/service-interface.md section 5.3).
 */
const MAX_SIGNATURE_SECONDS = 299;

function refuse(message: string): never {
  throw createConfigError(OWNER, message);
}

/**
 * Validates the options of `createRampHandler` and adds the defaults.
 *
 * @throws RampError `ERR_CONFIG_INVALID` when an option is missing or malformed.
 */
export function parseHandlerOptions<Context>(
  options: RampHandlerOptions<Context>,
  runtime: Runtime,
): HandlerSettings<Context> {
  const {
    now,
    allowedOrigins,
    onError: listener,
    ...read
  } = readOptions(OWNER, options, createReaders<Context>());
  const { signer, api, webhooks, tracker, getSubject } = read;
  const partners = [signer.partnerId, api?.partnerId].filter((id) => id !== undefined);
  if (new Set(partners).size > 1)
    refuse(
      'has a signer and an api of different partners, so the order list never has the orders of the signed checkouts. Pass createWidgetSigner and createPartnerApi the same partnerId, with the keys and addresses of one environment.',
    );
  if (webhooks && !tracker)
    refuse(
      'needs a tracker for webhooks: a verified webhook only requests a sync of the tracker. Pass the result of createOrderTracker() as tracker.',
    );
  if (read.syncSecret !== undefined && typeof tracker?.syncIfDue !== 'function')
    refuse(
      'needs a tracker for syncSecret: a scheduled job that requests the route /sync runs a sync of the tracker. Pass the result of createOrderTracker({ timers: false, … }) as tracker.',
    );
  if (read.syncSecret !== undefined && tracker?.hasTimers !== false)
    refuse(
      'has a syncSecret and a tracker with timers, which syncs by itself. Create the tracker with timers: false where a scheduled job requests the syncs, or remove syncSecret.',
    );
  const onError = isolateListener(listener ?? createErrorLog(runtime));
  if (getSubject && !api) reportMissingApi(runtime, onError);
  const store = chooseStore(read, runtime, onError);
  const clock = withClock(runtime, now);
  return {
    ...read,
    origins: new Set(allowedOrigins),
    runtime: clock,
    countRequest: createSubjectLimit(clock),
    progress: createProgressLimit(),
    countPoll: createPollInterval(clock),
    onError,
    store,
    claimPartner: createPartnerClaim(OWNER, store, { partnerId: signer.partnerId, api }),
  };
}

const createReaders = <Context>() =>
  ({
    signer: methods<WidgetSigner>(['sign'], 'needs a signer: the result of createWidgetSigner().'),
    policy: (value): CheckoutPolicy<Context> =>
      typeof value === 'function'
        ? (value as CheckoutPolicy<Context>)
        : refuse(
            'needs a policy: your function that returns the parameters to sign for a shopper.',
          ),
    api: optional(
      methods<PartnerApi>(
        ['fiatCurrencies', 'cryptoCurrencies', 'quote', 'readOrders'],
        'expects the result of createPartnerApi() as api.',
      ),
    ),
    chains: (value, { owner }) => parseChains(owner, value ?? {}),
    webhooks: optional(
      methods<WebhookVerifier>(
        ['verify'],
        'expects the result of createWebhookVerifier() as webhooks.',
      ),
    ),
    tracker: optional(
      methods<HandlerTracker>(
        ['requestSync', 'checkoutGranted'],
        'expects the result of createOrderTracker() as tracker.',
      ),
    ),
    onError: func<(error: unknown) => void>(),
    now: func<() => number>(),
    getSubject: optional((value): GetSubject<Context> | 'anyone' =>
      typeof value === 'function' || value === 'anyone'
        ? (value as GetSubject<Context> | 'anyone')
        : refuse("expects a function or 'anyone' as getSubject."),
    ),
    syncSecret: optional(setting(parseSyncSecret)),
    waitUntil: func<WaitUntil<Context>>(),
    basePath: (value) => parseBasePath(value ?? '/api/ramp'),
    allowedOrigins: parseOrigins,
    clients: group({ bearer: flag(false) }),
    intentSeconds: seconds(86_400),
    signatureSeconds: seconds(240, MAX_SIGNATURE_SECONDS),
    store: optional(
      methods<HandlerStore>(
        [
          'saveIntent',
          'findCheckout',
          'listCheckouts',
          'markOpened',
          'announceOrder',
          'recordOrders',
          'readWatermark',
          'claimPartner',
        ],
        'expects an OrderStore as store, such as sqlOrderStore().',
      ),
    ),
  }) satisfies Record<keyof RampHandlerOptions<Context>, OptionReader<unknown>>;

function parseSyncSecret(secret: unknown): string {
  // The message does not repeat the value, because it is a secret.
  if (typeof secret === 'string' && /^[\x21-\x7e]{32,512}$/.test(secret)) return secret;
  return refuse(
    'expects 32 to 512 printable ASCII characters without spaces as syncSecret, so that nobody can guess it. Create one with: openssl rand -hex 32',
  );
}

/** Reports once in each process that checkouts cannot be continued. */
function reportMissingApi(runtime: Runtime, onError: (error: unknown) => void): void {
  const message =
    'has no api, so it cannot check whether a checkout has been paid, and "Open in a new window" starts a new checkout instead of continuing one (POST …/continue returns 404). Pass the result of createPartnerApi() as api.';
  if (process.env.NODE_ENV !== 'production') runtime.warnOnce(`${OWNER} ${message}`);
  else if (runtime.isFirst(message)) onError(createConfigError(OWNER, message));
}

/** Returns the given store, or a memory store. Refuses options that need a shared store if there is none. */
function chooseStore(
  {
    store,
    tracker,
    webhooks,
    getSubject,
  }: Pick<RampHandlerOptions<never>, 'store' | 'tracker' | 'webhooks'> & { getSubject?: unknown },
  runtime: Runtime,
  onError: (error: unknown) => void,
): HandlerStore {
  if (store && usesOtherMemoryStore(tracker, store))
    refuse(
      'and its tracker have different memory stores, so no paid order would match its checkout. Create the store once, and pass it to createRampHandler and createOrderTracker.',
    );
  const needing = Object.entries({ tracker, webhooks, getSubject }).find(([, value]) => value);
  if (!store && needing)
    refuse(
      `needs a store for ${needing[0]}: without a store it keeps checkouts in memory that the tracker cannot read, so no paid order would match its checkout. Pass the same store as to the tracker.`,
    );
  reportMemoryStore(runtime, OWNER, store, onError);
  return store ?? memoryOrderStore();
}

function parseBasePath(basePath: unknown): string {
  // The path is compared with the pathname of a URL, so it must be in the same normalized form.
  const isPath = typeof basePath === 'string' && basePath.startsWith('/');
  if (isPath && new URL(`http://host${basePath}`).pathname === basePath) return basePath;
  return refuse(
    "needs a basePath that begins with '/' and is a normalized URL path without query and fragment.",
  );
}

function parseOrigins(origins: unknown): readonly string[] {
  if (typeof origins === 'string')
    refuse(
      "expects a list as allowedOrigins and was given one text. Write ['https://shop.example'], or split a text with commas: process.env.SHOP_ORIGINS.split(',').",
    );
  if (!Array.isArray(origins) || origins.length === 0)
    refuse(
      "needs allowedOrigins: a list of the origins of your pages, such as ['https://shop.example'].",
    );
  const index = origins.findIndex((origin) => !isWebOrigin(origin));
  if (index < 0) return origins;
  // Do not repeat the entry, at most its origin: it may contain a password, or be a secret in the wrong place.
  return refuse(
    `expects exact origins as allowedOrigins, and entry ${index + 1} is not one. ${suggestOrigin(origins[index])}`,
  );
}

/** Returns a sentence that says how to write the origin that `entry` probably means. */
export function suggestOrigin(entry: unknown): string {
  const wrong = String(entry);
  if (wrong === '*')
    return 'A wildcard is not allowed, because requests carry cookies: list each origin, such as https://shop.example.';
  if (wrong.includes(','))
    return "It is several origins in one text: split it, for example with process.env.SHOP_ORIGINS.split(',').";
  if (wrong !== wrong.trim()) return 'Remove the white space around it, for example with trim().';
  if (isQuoted(wrong)) return `It ${QUOTED}`;
  const origin = URL.canParse(wrong) && new URL(wrong).origin;
  return isWebOrigin(origin)
    ? `Write it as ${origin}, without a path or a slash at the end.`
    : 'Write the scheme, the host and the port if there is one, such as https://shop.example.';
}

/** Returns whether a value is exactly an origin of web pages, as browsers send it. */
export function isWebOrigin(origin: unknown): boolean {
  try {
    const url = new URL(origin as string);
    return url.origin === origin && ['http:', 'https:'].includes(url.protocol);
  } catch {
    return false;
  }
}
