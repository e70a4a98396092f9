import { type HttpHandler, HttpResponse, http } from 'msw';
import { signCheckout } from '../../demo/signCheckout.js';
import type { CheckoutProgress, CheckoutResponse, OrderSummary } from '../../src/index.js';
import type { ErrorBody } from '../../src/server/internal/errorResponses.js';

/** The reference of the checkout in the stories. */
export const reference = 'q1Jz8sUjT0m3Xc5vR7wB2A';

/** The route that a page polls for states and lists. */
const polled = '*/api/ramp/checkouts';

/** Returns a time of today in Unix seconds. The card shows times of today without a date. */
const todayAt = (hours: number, minutes: number) =>
  Math.floor(new Date().setHours(hours, minutes, 0, 0) / 1000);

const transactionHash = '0x9f2c41d7a05be8836f1d2c4b7a90e35516cd8f02b7e4a1935d60c8f7e2b41a3d';

/** A delivered order. */
export const order: OrderSummary = {
  orderId: '3046285172',
  state: 'finished',
  fiatCurrency: 'USD',
  currencyAmount: '100.00',
  cryptoCurrency: 'USDT',
  cryptoCurrencyAmount: '97.09000000',
  network: 'ethereum_mainnet',
  transactionHash,
  transactionUrl: `https://explorer.example/tx/${transactionHash}`,
  payTime: todayAt(14, 3),
  deliverTime: todayAt(14, 5),
  finishTime: todayAt(14, 9),
  changedAt: todayAt(14, 9),
};

export const nftOrder = (state: OrderSummary['state']): OrderSummary => ({
  ...order,
  state,
  fiatCurrency: 'EUR',
  currencyAmount: '148.80',
  cryptoCurrency: 'ETH',
  cryptoCurrencyAmount: '0.05',
  network: 'polygon',
  changedAt: todayAt(15, 20),
});

export const onRampCheckout = (
  progress: CheckoutProgress,
  orders: readonly OrderSummary[] = [],
): CheckoutResponse => ({ reference, widget: 'on-ramp', progress, orders });

export const nftCheckout = (
  progress: CheckoutProgress,
  orders: readonly OrderSummary[] = [],
): CheckoutResponse => ({ reference, widget: 'nft', progress, orders });

const getReferences = (request: Request): readonly string[] =>
  new URL(request.url).searchParams.get('references')?.split(',') ?? [];

const respondWith = (named: readonly CheckoutResponse[]) =>
  HttpResponse.json({ checkouts: [], named, pollAfterSeconds: 3 });

/** Serves the states of a checkout, one with each poll. The last one stays. */
export function serveStates(...states: readonly CheckoutResponse[]): HttpHandler {
  let polls = 0;
  return http.get(polled, () => {
    const state = states[Math.min(polls++, states.length - 1)];
    return respondWith(state ? [state] : []);
  });
}

/** Serves these checkouts by their references. */
export const serveCheckouts = (states: readonly CheckoutResponse[]): HttpHandler =>
  http.get(polled, ({ request }) => {
    const references = getReferences(request);
    return respondWith(states.filter(({ reference }) => references.includes(reference)));
  });

/** Serves these states for every checkout, whatever its reference: one with each poll. The last one stays. */
export function serveProgress(...steps: readonly CheckoutProgress[]): HttpHandler {
  let polls = 0;
  return http.get(polled, ({ request }) => {
    const progress = steps[Math.min(polls++, steps.length - 1)] ?? 'waiting';
    const state = onRampCheckout(progress);
    return respondWith(getReferences(request).map((reference) => ({ ...state, reference })));
  });
}

/** Serves the state of a checkout once. All later requests fail, as without a connection. */
export const serveOnceThenFail = (state: CheckoutResponse): HttpHandler[] => [
  http.get(polled, () => respondWith([state]), { once: true }),
  failPolls(),
];

/** Serves the state of a checkout once. Later requests name no checkout, as after the session has ended. */
export const serveOnceThenRefuse = (state: CheckoutResponse): HttpHandler[] => [
  http.get(polled, () => respondWith([state]), { once: true }),
  serveNoCheckout(),
];

export const failPolls = (): HttpHandler => http.get(polled, () => HttpResponse.error());

/** Names no checkout, as for another user. */
export const serveNoCheckout = (): HttpHandler => http.get(polled, () => respondWith([]));

export const stallPolls = (): HttpHandler => http.get(polled, () => new Promise<never>(() => {}));

/**
 * Serves the list of checkouts in pages, and their states. The first response is the newest checkout. Each checkout has
 * its own reference.
 */
export const serveHistory = (responses: readonly CheckoutResponse[]): HttpHandler => {
  const checkouts = responses.map((response, i) => ({
    ...response,
    reference: `${reference.slice(0, -1)}${i}`,
    createdAt: todayAt(14, 2) - i * 90_000,
  }));
  return http.get(polled, ({ request }) => {
    const { searchParams } = new URL(request.url);
    const from = Number(searchParams.get('cursor') ?? 0);
    const end = from + Number(searchParams.get('limit'));
    const nextCursor = end < checkouts.length ? `${end}` : undefined;
    const references = getReferences(request);
    return HttpResponse.json({
      checkouts: checkouts.slice(from, end),
      named: checkouts.filter(({ reference }) => references.includes(reference)),
      nextCursor,
      pollAfterSeconds: 3,
    });
  });
};

/** Fails requests for older checkouts with a network error. Another handler must serve the first page. */
export const failOlderHistory = (): HttpHandler =>
  http.get(polled, ({ request }) =>
    new URL(request.url).searchParams.has('cursor') ? HttpResponse.error() : undefined,
  );

/** The route that signs a checkout once more. */
const continued = '*/api/ramp/checkouts/:reference/continue';

/**
 * Refuses to sign a checkout once more.
 *
 * @param retryAfterSeconds - When the page may try again.
 */
export const refuseToContinue = (
  status: number,
  code: ErrorBody['error']['code'],
  message = 'None.',
  retryAfterSeconds?: number,
): HttpHandler =>
  http.post(continued, () =>
    HttpResponse.json<ErrorBody>(
      { error: { code, message } },
      { status, headers: retryAfterSeconds ? { 'Retry-After': `${retryAfterSeconds}` } : {} },
    ),
  );

/** Fails the request to continue a checkout, as without a connection. */
export const failToContinue = (): HttpHandler => http.post(continued, () => HttpResponse.error());

/** Signs a checkout once more for the widget of the stories, with what the shopper had selected. */
export const continueCheckout = (): HttpHandler =>
  http.post<{ reference: string }>(continued, async ({ params }) => {
    const signed = await signCheckout({ widget: 'on-ramp', params: {} }, params.reference);
    const selection = { amount: '100', defaultFiatCurrency: 'USD', cryptoCurrency: 'USDT_ERC20' };
    return HttpResponse.json({ ...signed, selection });
  });

/** Cannot read the order list yet, and never answers the second request to continue. */
export function checkForever(): HttpHandler {
  let requests = 0;
  return http.post(continued, () =>
    requests++ === 0
      ? HttpResponse.json<ErrorBody>(
          { error: { code: 'ERR_API_RESPONSE', message: 'The order list could not be read.' } },
          { status: 503, headers: { 'Retry-After': '1' } },
        )
      : new Promise<never>(() => {}),
  );
}
