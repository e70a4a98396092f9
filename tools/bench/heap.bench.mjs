// Measures how many bytes each call leaves on the heap, and fails if any kind of call leaves more than MAX_BYTES. All
// calls share one long-lived AbortSignal, as the requests of a sync do. The argument is the number of calls per round.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createPartnerApi, createWidgetSigner, memoryOrderStore } from '@partner-ramp/react/server';
import { sqliteDialect, sqlOrderStore, withTransaction } from '@partner-ramp/react/server/sql';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely } from 'kysely';
import { createRampHandler } from '../../dist/server/handler/createRampHandler.js';
import { processRuntime } from '../../dist/server/internal/runtime.js';
import { withTimeLimit } from '../../dist/server/internal/withTimeLimit.js';
import { createOrderTracker } from '../../dist/server/orders/tracker/createOrderTracker.js';

/**
 * The limit in bytes per call. A known leak, AbortSignal.any on Node.js 20, keeps about 100. The noise of a measurement
 * was below 7 in three runs.
 */
const MAX_BYTES = 10;
/** The number of rounds in each half of a measurement. Both halves follow one warm-up round. */
const HALF = 5;

if (typeof globalThis.gc !== 'function') {
  const args = process.argv.slice(2);
  const child = ['--expose-gc', fileURLToPath(import.meta.url), ...args];
  const { status } = spawnSync(process.execPath, child, { stdio: 'inherit' });
  process.exit(status ?? 1);
}

const calls = Number(process.argv[2] ?? 5_000);
const { signal } = new AbortController();

async function readHeap() {
  for (let i = 0; i < 5; i++) {
    globalThis.gc();
    await new Promise((done) => setTimeout(done, 20));
  }
  return process.memoryUsage().heapUsed;
}

/**
 * Returns how many bytes each call keeps. The first round only fills caches. The result compares the smallest heap of
 * the second half with the smallest heap of the first half. Native handles and resized tables make single heaps up to
 * 240 KB larger, but only a leak also raises the smallest heap.
 */
async function measure(count, call) {
  const heaps = [];
  for (let round = 0; round <= 2 * HALF; round++) {
    for (let i = 0; i < count; i++) await call(round * count + i);
    heaps.push(await readHeap());
  }
  const earlier = heaps.slice(1, HALF + 1);
  const later = heaps.slice(HALF + 1);
  return (Math.min(...later) - Math.min(...earlier)) / (count * HALF);
}

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const list = JSON.stringify({
  code: 10000,
  msg: 'success',
  data: { page: 1, size: 20, totalCount: 0, list: [] },
});
const api = createPartnerApi({
  baseUrl: 'http://127.0.0.1:9',
  partnerId: 'p1',
  privateKey,
  onError() {},
  fetch: async () => new Response(list),
});
const kysely = new Kysely({
  dialect: sqliteDialect(new DatabaseSync(':memory:')),
});
const sqlStore = sqlOrderStore(kysely);
const store = memoryOrderStore();
const checkout = { reference: 'r'.repeat(22), widget: 'on-ramp', subject: 'u1', params: {} };
await store.saveCheckout({ ...checkout, createdAt: 1, expiresAt: 9e9 });
let nowMs = 0;
// One user may send 300 requests a minute, so each request comes a second later.
const runtime = { ...processRuntime, monotonic: () => (nowMs += 1000) };
const handler = createRampHandler(
  {
    signer: createWidgetSigner({ partnerId: 'p1', secretKey: 's' }),
    policy: () => ({ params: { walletAddress: '0x1' } }),
    allowedOrigins: ['https://shop.example'],
    api,
    store,
    tracker: createOrderTracker({ api, store, deliver() {}, review() {} }),
    getShopper: () => ({ id: 'u1' }),
    onError() {},
  },
  runtime,
);
const request = (path) => handler(new Request(`https://shop.example/api/ramp${path}`));

const kinds = [
  ['API call', calls, () => api.orders({ startTime: 1, endTime: 2 }, { signal })],
  [
    'price of a new pair',
    calls,
    (i) => request(`/quote?fiatCurrency=USD&currencyAmount=1&cryptoCurrencyCode=C${i}`),
  ],
  [
    'time limit',
    calls * 4,
    () =>
      withTimeLimit(
        { runtime: processRuntime, limitMs: 1000, onTimeout() {}, signal },
        async () => 1,
      ),
  ],
  ['state of a checkout', calls, () => request(`/checkouts/${checkout.reference}`)],
  ['poll of a page', calls, () => request(`/checkouts?references=${checkout.reference}`)],
  ['SQLite query', calls, () => sqlStore.readSyncState()],
  [
    'SQLite transaction',
    calls,
    () => withTransaction(kysely, async (transaction) => transaction.selectNoFrom([])),
  ],
];

let hasGrown = false;
for (const [name, count, call] of kinds) {
  let bytes = await measure(count, call);
  // If the result is above the limit, measure again and keep the smaller result: a leak repeats, noise does not.
  if (bytes > MAX_BYTES) bytes = Math.min(bytes, await measure(count, call));
  hasGrown ||= bytes > MAX_BYTES;
  const per100k = ((bytes * 100_000) / 1e6).toFixed(2);
  console.log(`${name}: ${bytes.toFixed(1)} bytes per call, ${per100k} MB per 100,000`);
}
if (hasGrown) console.error(`A call keeps more than ${MAX_BYTES} bytes.`);
process.exit(hasGrown ? 1 : 0);
