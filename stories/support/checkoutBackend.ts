import { type HttpHandler, HttpResponse, http } from 'msw';
import type { CheckoutProgress, CheckoutResponse, OrderSummary } from '../../src/index.js';
import { isTerminal } from '../../src/react/status/isTerminal.js';

/** The reference of the checkout in the stories. */
export const reference = 'q1Jz8sUjT0m3Xc5vR7wB2A';

const at = (path = '') => `*/api/ramp/checkouts/:reference${path}`;

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

/** Streams the states of a checkout, one per second. */
export function streamStatus(...responses: readonly CheckoutResponse[]): HttpHandler {
  return http.get(at('/events'), () => {
    const encoder = new TextEncoder();
    let timer: ReturnType<typeof setInterval> | undefined;
    const left = [...responses];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const send = () => {
          const response = left.shift();
          if (!response) {
            clearInterval(timer);
            // Close the stream. Otherwise a page that waits for its network to be idle would wait forever.
            if (isTerminal(responses.at(-1))) controller.close();
            return;
          }
          const text = `id: ${responses.length - left.length}\nevent: checkout\ndata: ${JSON.stringify(response)}\n\n`;
          controller.enqueue(encoder.encode(text));
        };
        send();
        timer = setInterval(send, 1000);
      },
      cancel: () => clearInterval(timer),
    });
    return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } });
  });
}

/** Serves these checkouts by their references. */
export const serveCheckouts = (responses: readonly CheckoutResponse[]): HttpHandler =>
  http.get<{ reference: string }>(at(), ({ params }) =>
    HttpResponse.json(responses.find((response) => response.reference === params.reference)),
  );

/** Responds with this progress for every checkout, whatever its reference. */
export const respondWithProgress = (progress: CheckoutProgress): HttpHandler =>
  http.get<{ reference: string }>(at(), ({ params }) =>
    HttpResponse.json({ ...onRampCheckout(progress), reference: params.reference }),
  );

/** Streams the state of a checkout once. All later requests fail, as without a connection. */
export const streamOnceThenFail = (response: CheckoutResponse): HttpHandler[] => [
  http.get(
    at('/events'),
    () =>
      new HttpResponse(`id: 1\nevent: checkout\ndata: ${JSON.stringify(response)}\n\n`, {
        headers: { 'Content-Type': 'text/event-stream' },
      }),
    { once: true },
  ),
  ...failStatusRequests(),
];

export const failStatusRequests = (): HttpHandler[] =>
  [at(), at('/events')].map((path) => http.get(path, () => HttpResponse.error()));

export const respondCheckoutNotFound = (): HttpHandler[] =>
  [at(), at('/events')].map((path) =>
    http.get(path, () =>
      HttpResponse.json(
        { error: { code: 'ERR_REQUEST', message: 'Checkout not found.' } },
        { status: 404 },
      ),
    ),
  );

export const stallStatusStream = (): HttpHandler =>
  http.get(at('/events'), () => new Promise<never>(() => {}));

const list = '*/api/ramp/checkouts';

/**
 * Serves the list of checkouts in pages. The first response is the newest checkout. Each checkout has its own
 * reference.
 */
export const serveHistory = (responses: readonly CheckoutResponse[]): HttpHandler => {
  const checkouts = responses.map((response, i) => ({
    ...response,
    reference: `${reference.slice(0, -1)}${i}`,
    createdAt: todayAt(14, 2) - i * 90_000,
  }));
  return http.get(list, ({ request }) => {
    const { searchParams } = new URL(request.url);
    const from = Number(searchParams.get('cursor') ?? 0);
    const end = from + Number(searchParams.get('limit'));
    const nextCursor = end < checkouts.length ? `${end}` : undefined;
    return HttpResponse.json({ checkouts: checkouts.slice(from, end), nextCursor });
  });
};

/** Never responds to a request for the list. */
export const stallHistory = (): HttpHandler => http.get(list, () => new Promise<never>(() => {}));

/** Fails requests for older checkouts with a network error. Another handler must serve the first page. */
export const failOlderHistory = (): HttpHandler =>
  http.get(list, ({ request }) =>
    new URL(request.url).searchParams.has('cursor') ? HttpResponse.error() : undefined,
  );

/** Fails requests for the list with a network error. */
export const failHistory = (): HttpHandler => http.get(list, () => HttpResponse.error());
