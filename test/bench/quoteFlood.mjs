// Simulates visitors who request 150 different quotes a second, while the service takes 500 ms for each. Fails if a
// sync of the order list fails during this flood, or takes longer than one poll interval.
// Run it after `npm run build`: node test/bench/quoteFlood.mjs [seconds]
import { setTimeout as pause } from 'node:timers/promises';
import {
  createOrderTracker,
  createPartnerApi,
  createRampHandler,
  createWidgetSigner,
  memoryOrderStore,
} from '@partner-ramp/react/server';
import { createWireOrder, pageOf, privateKey, startService } from './startService.mjs';

const SECONDS = Number(process.argv[2] ?? 30);
const PER_SECOND = 150;
const POLL_SECONDS = 3;
const PRICE_MS = 500;

const at = Math.floor(Date.now() / 1000);
let prices = 0;
const service = await startService((url) => {
  if (url.pathname.endsWith('/order'))
    return { data: pageOf([createWireOrder('paid', at - 5)], url), ms: 20 };
  prices++;
  const { fiatCurrency, currencyAmount, cryptoCurrencyCode } = Object.fromEntries(url.searchParams);
  const quote = { fiatCurrency, currencyAmount, cryptoCurrencyCode, cryptoCurrencyAmount: '1' };
  return { data: { ...quote, paymentOptions: [] }, ms: PRICE_MS };
});
const api = createPartnerApi({ baseUrl: service.url, partnerId: 'p1', privateKey });
const store = memoryOrderStore();
const errors = [];
const tracker = createOrderTracker({
  api,
  store,
  onOrderChange: null,
  onError: (error) => errors.push(error),
});
const handler = createRampHandler({
  signer: createWidgetSigner({ partnerId: 'p1', secretKey: 's' }),
  policy: () => ({ params: {}, subject: 'u1' }),
  allowedOrigins: ['https://shop.example'],
  ...{ api, store, tracker },
  onError: () => {},
});

const statuses = {};
let cents = 1000;
async function requestQuote() {
  const query = `fiatCurrency=USD&currencyAmount=${++cents / 100}&cryptoCurrencyCode=ETH`;
  const { status } = await handler(new Request(`http://shop.example/api/ramp/quote?${query}`));
  statuses[status] = (statuses[status] ?? 0) + 1;
}
// Start with more requests than the API client can run and queue (1,000 in the queue), then add 150 a second.
for (let i = 0; i < 1032; i++) void requestQuote();
const flood = setInterval(() => {
  for (let i = 0; i < PER_SECOND / 5; i++) void requestQuote();
}, 200);
await pause(500);

const durations = [];
const end = performance.now() + SECONDS * 1000;
while (performance.now() < end) {
  const begun = performance.now();
  await tracker.sync().catch((error) => errors.push(error));
  durations.push((performance.now() - begun) / 1000);
  await pause(POLL_SECONDS * 1000);
}
clearInterval(flood);
await pause(4000);
service.close();

const longest = Math.max(...durations);
console.log(
  `${cents - 1000} quotes requested, ${prices} price requests at the service; responses by status ${JSON.stringify(statuses)}`,
);
console.log(
  `${durations.length} syncs, ${errors.length} failed ${errors[0] ?? ''}; the longest took ${longest.toFixed(2)} s, limit ${POLL_SECONDS} s`,
);
const { length } = await store.listOrders({ limit: 9 });
if (errors.length > 0 || longest > POLL_SECONDS || length !== 1) process.exitCode = 1;
