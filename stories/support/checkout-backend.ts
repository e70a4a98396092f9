import { type HttpHandler, HttpResponse, http } from 'msw';
import type { CheckoutAnswer, CheckoutProgress, ShownOrder } from '../../src/index.js';
import { isOver } from '../../src/react/status/isOver.js';

/** As the backend of the stories names a checkout. */
export const reference = 'q1Jz8sUjT0m3Xc5vR7wB2A';

const at = (path = '') => `*/api/ramp/checkouts/:reference${path}`;

/** Today, so that a time is written as short as it can be. */
const today = (hours: number, minutes: number) =>
  Math.floor(new Date().setHours(hours, minutes, 0, 0) / 1000);

const transactionHash = '0x9f2c41d7a05be8836f1d2c4b7a90e35516cd8f02b7e4a1935d60c8f7e2b41a3d';

/** What is known of an order that went through. */
export const order: ShownOrder = {
  state: 'finished',
  fiatCurrency: 'USD',
  currencyAmount: '100.00',
  cryptoCurrency: 'USDT',
  cryptoCurrencyAmount: '97.09000000',
  network: 'ethereum_mainnet',
  transactionHash,
  transactionUrl: `https://explorer.example/tx/${transactionHash}`,
  payTime: today(14, 3),
  deliverTime: today(14, 5),
  finishTime: today(14, 9),
  changedAt: today(14, 9),
};

/** The order of an NFT, as far as it is. */
export const nftOrder = (state: ShownOrder['state']): ShownOrder => ({
  ...order,
  state,
  fiatCurrency: 'EUR',
  currencyAmount: '148.80',
  cryptoCurrency: 'ETH',
  cryptoCurrencyAmount: '0.05',
  network: 'polygon',
  changedAt: today(15, 20),
});

export const onRamp = (
  progress: CheckoutProgress,
  orders: readonly ShownOrder[] = [],
): CheckoutAnswer => ({ reference, widget: 'on-ramp', progress, orders });

export const nft = (
  progress: CheckoutProgress,
  orders: readonly ShownOrder[] = [],
): CheckoutAnswer => ({ reference, widget: 'nft', progress, orders });

/** The backend tells how far a checkout is, and each second what it learned since. */
export function tells(...answers: readonly CheckoutAnswer[]): HttpHandler {
  return http.get(at('/events'), () => {
    const encoder = new TextEncoder();
    let timer: ReturnType<typeof setInterval> | undefined;
    const left = [...answers];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const send = () => {
          const answer = left.shift();
          if (!answer) {
            clearInterval(timer);
            // Nobody reads on, and a page that waits for its network to rest would wait for ever.
            if (isOver(answers.at(-1))) controller.close();
            return;
          }
          const text = `id: ${answers.length - left.length}\nevent: checkout\ndata: ${JSON.stringify(answer)}\n\n`;
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

/** The backend knows these checkouts, by their references. */
export const knows = (answers: readonly CheckoutAnswer[]): HttpHandler =>
  http.get<{ reference: string }>(at(), ({ params }) =>
    HttpResponse.json(answers.find((answer) => answer.reference === params.reference)),
  );

/** The backend tells how far a checkout is, and cannot be reached from then on. */
export const tellsOnce = (answer: CheckoutAnswer): HttpHandler[] => [
  http.get(
    at('/events'),
    () =>
      new HttpResponse(`id: 1\nevent: checkout\ndata: ${JSON.stringify(answer)}\n\n`, {
        headers: { 'Content-Type': 'text/event-stream' },
      }),
    { once: true },
  ),
  ...tellsNothing(),
];

/** Nothing at these routes can be reached. */
export const tellsNothing = (): HttpHandler[] =>
  [at(), at('/events')].map((path) => http.get(path, () => HttpResponse.error()));

/** There is no such checkout for who asks. */
export const knowsNothing = (): HttpHandler[] =>
  [at(), at('/events')].map((path) =>
    http.get(path, () =>
      HttpResponse.json(
        { error: { code: 'ERR_REQUEST', message: 'There is no such checkout.' } },
        { status: 404 },
      ),
    ),
  );

/** No answer, for as long as the story is looked at. */
export const keepsSilent = (): HttpHandler =>
  http.get(at('/events'), () => new Promise<never>(() => {}));
