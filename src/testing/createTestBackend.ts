import { isDeepStrictEqual } from 'node:util';
import { isRampError } from '../protocol/errors/isRampError.js';
import { createConfigError, RampError, type RampErrorCode } from '../protocol/errors/RampError.js';
import { buildWidgetUrl } from '../protocol/widget/buildWidgetUrl.js';
import type { Widget } from '../protocol/widget/widgetParameters.js';
import { type SandboxPayment, WALLET } from '../sandbox/checkout/payInWidget.js';
import type { WebhookFault } from '../sandbox/faults.js';
import type { SandboxOrder } from '../sandbox/orders.js';
import { assertNotProduction } from '../sandbox/parseSandboxOptions.js';
import { createRampHandler } from '../server/handler/createRampHandler.js';
import type { RampHandlerOptions } from '../server/handler/options.js';
import type { CheckoutGrant, CheckoutPolicy } from '../server/handler/policy.js';
import type { ErrorBody } from '../server/internal/errorResponses.js';
import { memoryOrderStore } from '../server/orders/memory/memoryOrderStore.js';
import type { OrderStore, PendingChange } from '../server/orders/store/OrderStore.js';
import { createOrderTracker } from '../server/orders/tracker/createOrderTracker.js';
import { createPartnerApi } from '../server/partner-api/createPartnerApi.js';
import { createWidgetSigner } from '../server/signing/createWidgetSigner.js';
import { createWebhookVerifier } from '../server/webhooks/createWebhookVerifier.js';
import { createTestClock } from './testClock.js';
import { getTestKeys } from './testKeys.js';
import { createTestRequest } from './testRequest.js';
import { createTestService, SERVICE } from './testService.js';

const PAGE = 'https://shop.example';
/** How long after an order the backend has its webhook, has read the list and has delivered the change. */
const DELIVERY_SECONDS = 2;

/**
 * A fault of the service: one of each webhook, as in the sandbox, or `api-down`, with which every request to the
 * partner API fails.
 */
export type TestFault = WebhookFault | 'api-down';

/** Options of {@link createTestBackend}: those of `createRampHandler` that a test may set, and its own. */
export interface TestBackendOptions<Context = unknown>
  extends Partial<
    Pick<
      RampHandlerOptions<Context>,
      | 'basePath'
      | 'chains'
      | 'clients'
      | 'getSubject'
      | 'intentSeconds'
      | 'onError'
      | 'signatureSeconds'
    >
  > {
  /** Your policy. @default grants what the page proposes, with a wallet, to the subject `shopper` */
  readonly policy?: CheckoutPolicy<Context> | undefined;
  /** Your delivery function, called as by the tracker. @default accepts every change */
  readonly onOrderChange?: ((change: PendingChange) => unknown) | undefined;
  /** What your framework adapter would pass to the policy, such as the signed-in user. @default undefined */
  readonly context?: Context | undefined;
  /**
   * Fixed prices in US dollars by currency, such as `{ USDT: '1', ETH: '2000' }`. The prices of other currencies
   * change every ten seconds. @default {}
   */
  readonly prices?: Readonly<Record<string, string>> | undefined;
  /** A fault that the service has from the start. @default none */
  readonly fault?: TestFault | undefined;
  /** Keeps the checkouts and orders, for example in a database of the test. @default memoryOrderStore() */
  readonly store?: OrderStore | undefined;
}

/** What a page sends to open a checkout. */
export interface TestCheckoutRequest {
  /** @default 'on-ramp' */
  readonly widget?: Widget | undefined;
  /** The proposed parameters, such as those of an NFT. @default {} */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** What the shopper has selected, such as `{ amount: '100' }`. @default {} */
  readonly selection?: Readonly<Record<string, string>> | undefined;
}

/** An opened checkout. */
export interface TestCheckout {
  readonly reference: string;
  /** The signed parameters and their signature. */
  readonly params: Readonly<Record<string, string>>;
  /** The signed URL that opens the widget. */
  readonly url: string;
}

/** What one shopper can do with a test backend. */
export interface TestShopper {
  /**
   * Sends a request of the shop's page to the handler, as the global `fetch` would. A relative URL is below
   * `https://shop.example`, and a URL of another origin is refused.
   */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Properties of `RampProvider`: `<RampProvider {...backend.provider}>`. */
  readonly provider: {
    /** The `basePath` of the handler. */
    readonly api: string;
    /** The address of the simulated widget. No request reaches it. */
    readonly widgetUrl: string;
    /** The `fetch` of the test backend. */
    readonly fetch: TestShopper['fetch'];
  };
  /** Opens a checkout, as a click on the button does. @throws RampError with the code of the handler's response. */
  openCheckout(request?: TestCheckoutRequest): Promise<TestCheckout>;
}

/** The result of {@link createTestBackend}. It is itself the shopper of the option `context`. */
export interface TestBackend<Context = unknown> extends TestShopper {
  /**
   * Returns another shopper, whose `context` the policy and `getSubject` get.
   *
   * @example
   * const { reference } = await backend.as({ userId: 'ann' }).openCheckout();
   * const { status } = await backend.as({ userId: 'bob' }).fetch(`/api/ramp/checkouts/${reference}`); // 404
   */
  as(context: Context): TestShopper;
  /**
   * Pays a checkout in the widget, as a shopper does. Resolves with the order ID. The order is not finished yet.
   *
   * @param reference - The checkout. @default the one that was opened last
   * @param payment - What the shopper enters.
   * @throws RampError `ERR_CONFIG_INVALID` if the checkout is unknown or the widget refuses its URL,
   * `ERR_PARAMS_INVALID` if the widget refuses the payment.
   */
  pay(reference?: string, payment?: SandboxPayment): Promise<string>;
  /**
   * Moves the clock to the end of the last order. The service sends its webhook, and the tracker reads the list and
   * calls `onOrderChange`. Resolves with the order as the service has it.
   *
   * @throws RampError `ERR_CONFIG_INVALID` if no order was paid.
   */
  finishOrder(): Promise<SandboxOrder>;
  /** Moves the clock until the last NFT order is settled, and resolves as `finishOrder` does. */
  settleOrder(): Promise<SandboxOrder>;
  /** Loses the next webhook. The service never sends a webhook again. */
  loseNextWebhook(): void;
  /** Sets the fault of the service from now on. `undefined` ends it. */
  setFault(fault: TestFault | undefined): void;
  /**
   * Reads the order list and delivers its changes, as the tracker does by itself once a minute.
   *
   * @throws the errors of `tracker.sync()`
   */
  sync(): Promise<void>;
  /**
   * Moves the clock of the backend and the service forward. What is due meanwhile happens, such as a poll of the
   * tracker, or the expiry of a checkout.
   */
  advance(seconds: number): Promise<void>;
  /** The current time of the backend and the service, milliseconds since 1970. */
  now(): number;
  /** The changes for which `onOrderChange` has succeeded, oldest first. */
  readonly deliveries: readonly PendingChange[];
  /** The finished orders of the service, oldest first. */
  orders(): SandboxOrder[];
  /** The store of the handler and the tracker. */
  readonly store: OrderStore;
  /** Stops the tracker. A test that does not call it ends too. */
  close(): Promise<void>;
}

/**
 * Creates the backend of a shop for a test: the handler and the tracker of this package on a memory store, and the
 * service. They call each other within the process, so a test needs no network and no port. Signatures, webhooks and
 * orders are real.
 *
 * The clock runs like the real one, and `advance`, `finishOrder` and `settleOrder` move it forward. It does not follow
 * the fake timers of Jest and Vitest.
 *
 * @throws RampError `ERR_CONFIG_INVALID` for an invalid option, and under NODE_ENV=production.
 * @example
 * const backend = createTestBackend({ policy, onOrderChange });
 * await backend.openCheckout({ selection: { amount: '100' } });
 * await backend.pay();
 * await backend.finishOrder();
 * // backend.deliveries has the matched order
 */
export function createTestBackend<Context = unknown>(
  options: TestBackendOptions<Context> = {},
): TestBackend<Context> {
  assertNotProduction(process.env);
  const { policy, onOrderChange, context, prices = {}, fault, ...handlerOptions } = options;
  const { store = memoryOrderStore(), basePath = '/api/ramp', onError } = handlerOptions;
  const { partnerId, secretKey, privateKey, publicKey } = getTestKeys();
  const webhookUrl = `${PAGE}${basePath}/webhook`;
  const deliveries: PendingChange[] = [];
  const checkouts = new Map<string, TestCheckout>();
  let currentFault = fault;
  let losesNext = false;
  /** The last subject that the policy has granted to each shopper. */
  const subjects: { readonly shopper: unknown; subject: string }[] = [
    { shopper: context, subject: 'shopper' },
  ];
  /** Compares contexts by their values, because a test may create one for each call of `as`. */
  const findSubject = (shopper: unknown) =>
    subjects.find((known) => isDeepStrictEqual(known.shopper, shopper));
  let lastReference = '';

  const clock = createTestClock(async (url, init) => {
    if (currentFault === 'api-down')
      throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    return service.fetch(`${url}`, withoutSignal(init));
  });
  const { runtime } = clock;
  const service = createTestService({
    ...{ keys: getTestKeys(), runtime, prices, webhookUrl },
    webhookFault: () => {
      const lost = losesNext;
      losesNext = false;
      return lost ? 'lost' : currentFault === 'api-down' ? undefined : currentFault;
    },
    fetch: (url, init) =>
      clock.track(() => handler(new Request(`${url}`, withoutSignal(init)), undefined)),
  });
  const api = createPartnerApi({ baseUrl: SERVICE, partnerId, privateKey }, runtime);
  const tracker = createOrderTracker(
    {
      ...{ api, store, ...(onError && { onError }) },
      onOrderChange: (change) =>
        clock.track(async () => {
          await onOrderChange?.(change);
          deliveries.push(change);
        }),
    },
    runtime,
  );
  const grant = policy ?? (grantProposal as CheckoutPolicy<Context>);
  const handler = createRampHandler<Context>(
    {
      getSubject: (request) => findSubject(request.context)?.subject,
      ...handlerOptions,
      ...{ basePath, api, store, tracker, allowedOrigins: [PAGE] },
      signer: createWidgetSigner({ partnerId, secretKey }),
      webhooks: createWebhookVerifier({ publicKey, url: webhookUrl, replays: store }, runtime),
      policy: async (request) => {
        const granted = await clock.track(() => grant(request)).catch(rethrow);
        const { subject } = granted;
        const known = findSubject(request.context);
        if (known) known.subject = subject;
        else subjects.push({ shopper: request.context, subject });
        return granted;
      },
    },
    runtime,
  ) as (request: Request, context: Context | undefined) => Promise<Response>;
  tracker.start();

  const keepCheckout = async (response: Response, body: unknown): Promise<void> => {
    const { reference, params } = (await response.json()) as Partial<TestCheckout>;
    if (!reference || !params) return;
    const { selection = {} } = JSON.parse(typeof body === 'string' ? body : '{}');
    const selected = { ...selection, ...params };
    checkouts.set(reference, { reference, params, url: buildWidgetUrl(SERVICE, selected) });
    lastReference = reference;
  };

  const createShopper = (context: Context | undefined): TestShopper => {
    const fetch: TestShopper['fetch'] = async (input, init = {}) => {
      const url = new URL(input, PAGE);
      if (url.origin !== PAGE)
        throw createConfigError(
          'fetch()',
          `of the test backend reaches only the shop. Use a path such as ${basePath}, or a URL of ${PAGE}.`,
        );
      const response = await clock.track(() => handler(createTestRequest(url, init), context));
      if (response.ok && init.method === 'POST' && /\/(checkouts|continue)$/.test(url.pathname))
        await keepCheckout(response.clone(), init.body);
      return response;
    };
    return {
      fetch,
      provider: { api: basePath, widgetUrl: SERVICE, fetch },
      async openCheckout({ widget = 'on-ramp', params = {}, selection } = {}) {
        const response = await fetch(`${basePath}/checkouts`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ widget, params, selection }),
        });
        const content = (await response.json()) as ErrorBody & TestCheckout;
        if (!response.ok) throw toError(content);
        return checkouts.get(content.reference) as TestCheckout;
      },
    };
  };

  const moveTo = async (step: 'finished' | 'settled', name: string): Promise<SandboxOrder> => {
    const ms = service.getMsUntil(step);
    if (ms === undefined) throw createConfigError(name, 'needs a paid order. Call pay() first.');
    await clock.advance(ms / 1000 + DELIVERY_SECONDS);
    return service.orders().at(-1) as SandboxOrder;
  };

  return {
    ...createShopper(context),
    as: createShopper,
    async pay(reference = lastReference, payment = {}) {
      const checkout = checkouts.get(reference);
      if (!checkout)
        throw createConfigError(
          'pay()',
          'needs a checkout of this test backend. Open one with openCheckout(), or click the button of a page that has its fetch.',
        );
      const { orderId } = await service.pay(checkout.url, payment);
      return orderId;
    },
    finishOrder: () => moveTo('finished', 'finishOrder()'),
    settleOrder: () => moveTo('settled', 'settleOrder()'),
    loseNextWebhook() {
      losesNext = true;
    },
    setFault(next) {
      currentFault = next;
    },
    async sync() {
      await clock.drive(tracker.sync());
    },
    advance: clock.advance,
    now: runtime.now,
    deliveries,
    orders: service.orders,
    store,
    async close() {
      service.stop();
      await tracker.stop();
      clock.stop();
    },
  };
}

/** Grants what the page proposes, which is safe only in a test. */
const grantProposal: CheckoutPolicy<unknown> = ({ widget, proposal }) => {
  const byDefault = widget === 'nft' ? { walletAddressTag: '' } : { walletAddress: WALLET };
  return { params: { ...byDefault, ...proposal }, subject: 'shopper' } as CheckoutGrant;
};

/** A signal may come from jsdom, and a `Request` of Node.js refuses it. */
const withoutSignal = ({ signal: _, ...init }: RequestInit = {}): RequestInit => init;

/**
 * Throws an error of the policy again, as a RampError of this copy of the package: Jest loads another copy for the
 * test, and its errors are not instances of the `Error` outside its realm.
 */
function rethrow(error: unknown): never {
  const { name, code, message, issues } = Object(error) as Partial<RampError>;
  if (name !== 'RampError' || isRampError(error)) throw error;
  throw new RampError(code as RampErrorCode, message ?? '', { ...(issues && { issues }) });
}

const toError = ({ error: { code, message, issues } }: ErrorBody) =>
  new RampError(code as RampErrorCode, message, { ...(issues && { issues }) });
