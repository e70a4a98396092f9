// Simulates a busy shop for 90 seconds. The service has listed 400 orders and lists four more a second, each of them
// 20 seconds after it finished. A sync reads 20 or more pages of 50 ms each, so the list grows during every sync.
// Fails if a sync fails, if an order that was listed at least 20 seconds before the end is not delivered, or if the
// median time from listing to delivery exceeds 10 seconds.
// Run it after `npm run build`: node test/bench/busyList.mjs [seconds]
import { setTimeout as pause } from 'node:timers/promises';
import { createOrderTracker, createPartnerApi, memoryOrderStore } from '@partner-ramp/react/server';
import { createWireOrder, pageOf, privateKey, startService } from './startService.mjs';

const SECONDS = Number(process.argv[2] ?? 90);
const PER_SECOND = 4;
const LISTED_AFTER = 20;
const BACKLOG_SECONDS = 100;
const PAGE_MS = 50;
const MEDIAN_SECONDS = 10;

const begun = performance.now();
const elapsed = () => (performance.now() - begun) / 1000;
const startedAt = Math.floor(Date.now() / 1000) - LISTED_AFTER;
/** All orders of the run. `listedAt` is in seconds since the start, and negative for the first 400 orders. */
const orders = Array.from({ length: (BACKLOG_SECONDS + SECONDS) * PER_SECOND }, (_, i) => {
  const listedAt = i / PER_SECOND - BACKLOG_SECONDS;
  return { listedAt, wire: createWireOrder(`order-${i}`, startedAt + Math.floor(listedAt)) };
});
const listed = () => orders.filter(({ listedAt }) => listedAt <= elapsed());

const service = await startService((url) => ({
  data: pageOf(
    listed().map(({ wire }) => wire),
    url,
  ),
  ms: PAGE_MS,
}));
const deliveredAt = new Map();
const errors = [];
let syncs = 0;
const api = createPartnerApi({ baseUrl: service.url, partnerId: 'p1', privateKey });
const store = memoryOrderStore();
const tracker = createOrderTracker({
  store,
  api: {
    eachOrder(...given) {
      syncs++;
      return api.eachOrder(...given);
    },
  },
  pollSeconds: 10,
  maxPollSeconds: 10,
  onOrderChange: ({ record }) => void deliveredAt.set(record.order.orderId, elapsed()),
  onError: (error) => errors.push(error),
});
// The tracker only polls the list while a checkout is open, so save one that stays open.
await store.saveIntent({
  ...{ reference: 'open', widget: 'on-ramp', subject: 'u1', params: {} },
  ...{ createdAt: startedAt, expiresAt: startedAt + 86_400 },
});
tracker.start();
await pause(SECONDS * 1000);
await tracker.stop();
service.close();

const due = orders.filter(({ listedAt }) => listedAt <= SECONDS - 20);
const missing = due.filter(({ wire }) => !deliveredAt.has(wire.orderId));
const delays = orders
  .filter(({ wire, listedAt }) => listedAt >= 0 && deliveredAt.has(wire.orderId))
  .map(({ wire, listedAt }) => deliveredAt.get(wire.orderId) - listedAt)
  .sort((a, b) => a - b);
const median = delays[delays.length >> 1] ?? Number.POSITIVE_INFINITY;
console.log(
  `${orders.length} orders listed in ${SECONDS} s, ${deliveredAt.size} delivered by ${syncs} syncs; ${missing.length} of the ${due.length} orders listed 20 s before the end are missing`,
);
console.log(
  `seconds from listing to delivery: median ${median.toFixed(1)}, longest ${delays.at(-1)?.toFixed(1)}; ${errors.length} failed syncs ${errors[0] ?? ''}`,
);
if (missing.length > 0 || errors.length > 0 || median > MEDIAN_SECONDS) process.exitCode = 1;
