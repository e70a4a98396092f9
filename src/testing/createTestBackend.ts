import { isRampError } from '../protocol/errors/isRampError.js';
import { createConfigError, RampError, type RampErrorCode } from '../protocol/errors/RampError.js';
import { buildWidgetUrl } from '../protocol/widget/buildWidgetUrl.js';
import type { Widget } from '../protocol/widget/widgetParameters.js';
import { type SandboxPayment, WALLET } from '../sandbox/checkout/payInWidget.js';
import type { WebhookFault } from '../sandbox/faults.js';
import type { SandboxOrder } from '../sandbox/orders.js';
import { assertNotProduction } from '../sandbox/parseSandboxOptions.js';
import { createRamp, type RampOptions } from '../server/createRamp.js';
import type { CheckoutGrant, CheckoutPolicy } from '../server/handler/policy.js';
import type { GetShopper, Shopper } from '../server/handler/shopper.js';
import type { ErrorBody } from '../server/internal/errorResponses.js';
import { func, type OptionReader, readOptions, unchecked } from '../server/internal/options.js';
import { memoryOrderStore } from '../server/orders/memory/memoryOrderStore.js';
import type { OrderToDeliver, OrderToReview, ReviewReason } from '../server/orders/outcomes.js';
import type { OrderStore } from '../server/orders/store/OrderStore.js';
import { createTestClock } from './testClock.js';
import { getTestKeys } from './testKeys.js';
import { createTestRequest } from './testRequest.js';
import { createTestService, SERVICE } from './testService.js';

const PAGE = 'https://shop.example';
/** How long after an order finishes the backend has received the webhook, read the list and delivered the change. */
const DELIVERY_SECONDS = 2;

/**
 * A fault of the simulated service: one in each webhook, as in the sandbox, or `api-down`, which makes every request to
 * the partner API fail.
 */
export type TestFault = WebhookFault | 'api-down';

/** Options of {@link createTestBackend}: those of `createRamp` that a test may set, and its own. */
export interface TestBackendOptions<
  User extends Shopper = Shopper,
  Context = unknown,
  Transaction = unknown,
> extends Pick<
    RampOptions<User, Context, Transaction>,
    'basePath' | 'chains' | 'deliverAt' | 'onError'
  > {
  /** Returns the shopper who sends a request. @default the `context` if it is given, otherwise `{ id: 'shopper' }` */
  readonly getShopper?: GetShopper<User, Context> | undefined;
  /** Your policy. @default grants what the page proposes, with a wallet */
  readonly policy?: CheckoutPolicy<User, Context> | undefined;
  /** Your delivery function. @default does nothing */
  readonly deliver?: RampOptions<User, Context, Transaction>['deliver'] | undefined;
  /** Your review function. @default does nothing */
  readonly review?: RampOptions<User, Context, Transaction>['review'] | undefined;
  /** The second argument of the handler, such as the session. @default undefined */
  readonly context?: Context | undefined;
  /**
   * Fixed prices in US dollars by currency, such as `{ USDT: '1', ETH: '2000' }`. The prices of other currencies
   * change every ten seconds. @default {}
   */
  readonly prices?: Readonly<Record<string, string>> | undefined;
  /** Keeps the checkouts and orders, for example in a test database. @default memoryOrderStore() */
  readonly store?: OrderStore<Transaction> | undefined;
}

/** An order for which `review` has succeeded. */
export interface TestReview {
  readonly order: OrderToReview;
  readonly reason: ReviewReason;
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
   * Sends a request of the shop's page to the handler, as the global `fetch` would. A relative URL resolves against
   * `https://shop.example`, and a URL of another origin is refused.
   */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Props for `RampProvider`: `<RampProvider {...backend.provider}>`. */
  readonly provider: {
    /** The handler's `basePath`. */
    readonly api: string;
    /** The address of the simulated widget. No request reaches it. */
    readonly widgetUrl: string;
    /** The test backend's `fetch`. */
    readonly fetch: TestShopper['fetch'];
  };
  /** Opens a checkout, as a click on the button does. @throws RampError with the code of the handler's response. */
  openCheckout(request?: TestCheckoutRequest): Promise<TestCheckout>;
}

/** The result of {@link createTestBackend}. It acts as the shopper whom the option `context` describes. */
export interface TestBackend<Context = unknown, Transaction = unknown> extends TestShopper {
  /**
   * Returns another shopper. `getShopper` and the policy receive this `context`.
   *
   * @example
   * const { reference } = await backend.as({ id: 'ann' }).openCheckout();
   * const { status } = await backend.as({ id: 'bob' }).fetch(`/api/ramp/checkouts/${reference}`); // 404
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
   * Moves the clock to the end of the last order. The service sends its webhook, and the backend reads the list and
   * calls `deliver` or `review`. Resolves with the order as the service lists it.
   *
   * @throws RampError `ERR_CONFIG_INVALID` if no order was paid.
   */
  finishOrder(): Promise<SandboxOrder>;
  /** Moves the clock until the last NFT order is settled, and resolves as `finishOrder` does. */
  settleOrder(): Promise<SandboxOrder>;
  /** Loses the next webhook. The service does not resend it. */
  loseNextWebhook(): void;
  /** Gives the service this fault from now on. `undefined` ends it. */
  setFault(fault: TestFault | undefined): void;
  /**
   * Reads the order list and delivers what is due, as the backend does by itself while a checkout is open.
   *
   * @throws the errors of `ramp.sync()`
   */
  sync(): Promise<void>;
  /**
   * Moves the clock of the backend and the service forward. Everything that falls due in that time happens, such as a
   * sync or the expiry of a checkout.
   */
  advance(seconds: number): Promise<void>;
  /** The current time of the backend and the service, milliseconds since 1970. */
  now(): number;
  /** The orders for which `deliver` has succeeded, oldest first. */
  readonly deliveries: readonly OrderToDeliver[];
  /** The orders for which `review` has succeeded, oldest first. */
  readonly reviews: readonly TestReview[];
  /** The finished orders of the service, oldest first. */
  orders(): SandboxOrder[];
  readonly store: OrderStore<Transaction>;
  /** Stops the backend. A test can end without this call. */
  close(): Promise<void>;
}

/**
 * Creates a shop's backend for a test: `createRamp` on a memory store, and a simulated service. They call each other
 * within the process, so a test needs no network and no port. Signatures, webhooks and orders are real.
 *
 * The clock runs like the real one, and `advance`, `finishOrder` and `settleOrder` move it forward. It does not follow
 * the fake timers of Jest and Vitest.
 *
 * @throws RampError `ERR_CONFIG_INVALID` for an invalid option, and under `NODE_ENV=production`.
 * @example
 * const backend = createTestBackend({ policy, deliver, review });
 * await backend.openCheckout({ selection: { amount: '100' } });
 * await backend.pay();
 * await backend.finishOrder();
 * // backend.deliveries contains the order
 */
export function createTestBackend<
  User extends Shopper = Shopper,
  Context = unknown,
  Transaction = unknown,
>(options?: TestBackendOptions<User, Context, Transaction>): TestBackend<Context, Transaction> {
  assertNotProduction(process.env);
  const {
    context,
    prices = {},
    deliver,
    review,
    ...given
  } = readOptions('createTestBackend', options, createReaders<User, Context, Transaction>());
  const { basePath = '/api/ramp' } = given;
  const { partnerId, secretKey, privateKey, publicKey } = getTestKeys();
  const webhookUrl = `${PAGE}${basePath}/webhook`;
  const deliveries: OrderToDeliver[] = [];
  const reviews: TestReview[] = [];
  const checkouts = new Map<string, TestCheckout>();
  let currentFault: TestFault | undefined;
  let losesNext = false;
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
  const policy = given.policy ?? (grantProposal as CheckoutPolicy<User, Context>);
  const store = given.store ?? (memoryOrderStore() as OrderStore as OrderStore<Transaction>);
  const ramp = createRamp<User, Context, Transaction>(
    {
      ...given,
      ...{ apiUrl: SERVICE, partnerId, secretKey, apiPrivateKey: privateKey },
      ...{ webhookUrl, webhookPublicKey: publicKey, allowedOrigins: [PAGE] },
      store,
      getShopper: given.getShopper ?? (getTestShopper as GetShopper<never, Context>),
      policy: (request) => clock.track(async () => policy(request)).catch(rethrow),
      deliver: (order, transaction) =>
        clock.track(async () => {
          await deliver?.(order, transaction);
          deliveries.push(order);
        }),
      review:
        review === 'log'
          ? review
          : (order, reason, transaction) =>
              clock.track(async () => {
                await review?.(order, reason, transaction);
                reviews.push({ order, reason });
              }),
    },
    runtime,
  );
  const handler = ramp.handler as (
    request: Request,
    context: Context | undefined,
  ) => Promise<Response>;
  ramp.start();

  const keepCheckout = async (response: Response, body: unknown): Promise<void> => {
    const content: Partial<TestCheckout> & { selection?: object } = await response.json();
    const { reference, params } = content;
    if (!reference || !params) return;
    // The selection of a new checkout is in its request, and that of a continued one in the response.
    const request = JSON.parse(typeof body === 'string' ? body : '{}');
    const selected = { ...(content.selection ?? request.selection), ...params };
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
          'needs a checkout of this test backend. Open one with openCheckout(), or click the button of a page that uses its fetch.',
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
      await clock.drive(ramp.sync());
    },
    advance: clock.advance,
    now: runtime.now,
    deliveries,
    reviews,
    orders: service.orders,
    store,
    async close() {
      service.stop();
      await ramp.stop();
      clock.stop();
    },
  };
}

/** Most values are unchecked here, because `createRamp` checks them. */
const createReaders = <User extends Shopper, Context, Transaction>() => {
  type Options = TestBackendOptions<User, Context, Transaction>;
  return {
    basePath: unchecked<string>(),
    chains: unchecked<Options['chains']>(),
    deliverAt: unchecked<Options['deliverAt']>(),
    onError: func<(error: unknown) => void>(),
    getShopper: func<GetShopper<User, Context>>(),
    policy: func<CheckoutPolicy<User, Context>>(),
    deliver: func<RampOptions<User, Context, Transaction>['deliver']>(),
    review: unchecked<Options['review']>(),
    context: unchecked<Context>(),
    prices: unchecked<Options['prices']>(),
    store: unchecked<OrderStore<Transaction>>(),
  } satisfies Record<keyof Options, OptionReader<unknown>>;
};

const getTestShopper: GetShopper = ({ context }) =>
  (context as Shopper | null | undefined) ?? { id: 'shopper' };

/** Grants what the page proposes, which is safe only in a test. */
const grantProposal: CheckoutPolicy = ({ widget, proposal }) => {
  const byDefault = widget === 'nft' ? { walletAddressTag: '' } : { walletAddress: WALLET };
  return { params: { ...byDefault, ...proposal } } as CheckoutGrant;
};

/** Drops the signal, because Node.js's `Request` refuses one from jsdom. */
const withoutSignal = ({ signal: _, ...init }: RequestInit = {}): RequestInit => init;

/**
 * Throws the policy's error again, as a RampError from this copy of the package: Jest loads another copy for the test,
 * and its errors are not instances of the `Error` outside its realm.
 */
function rethrow(error: unknown): never {
  const { name, code, message, issues } = Object(error) as Partial<RampError>;
  if (name !== 'RampError' || isRampError(error)) throw error;
  throw new RampError(code as RampErrorCode, message ?? '', { ...(issues && { issues }) });
}

const toError = ({ error: { code, message, issues } }: ErrorBody) =>
  new RampError(code as RampErrorCode, message, { ...(issues && { issues }) });
