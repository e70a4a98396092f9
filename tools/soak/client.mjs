// The process of the clients. Each visitor has its own IP address and session. The process sends requests at a constant
// rate, even if the shop responds slowly. Some visitors keep a page open, which polls. These take turns to buy: each second
// the next one buys.
import { setTimeout as delay } from 'node:timers/promises';
import { createLoad } from './createLoad.mjs';
import { createRandom } from './createRandom.mjs';
import { serveParent } from './messages.mjs';
import { buy, proposal } from './purchases.mjs';
import { watchEventLoop } from './watchEventLoop.mjs';
import { watchPage } from './watchPage.mjs';

/** The time within which a page must show an order. A page polls every 3 seconds, and more pages less often. */
const REPORT_MS = 15_000;
const CHECKOUT = 'POST /api/ramp/checkouts';
/** What visitors request, in random order. Each entry has the percentage of a route, the route, and its path. */
const mix = [
  [5, 'GET /', () => '/'],
  [5, 'GET /config.json', () => '/config.json'],
  [18, 'GET /listings.json', () => '/listings.json'],
  [5, 'GET /api/session', () => '/api/session'],
  [4, 'GET /api/ramp/currencies', () => '/api/ramp/currencies'],
  [4, 'GET /api/ramp/cryptocurrencies', () => '/api/ramp/cryptocurrencies'],
  [15, 'GET /api/ramp/quote', quotePath],
  [10, CHECKOUT, () => '/api/ramp/checkouts'],
  [22, 'GET /api/ramp/checkouts/:reference', (v) => `/api/ramp/checkouts/${v.reference}`],
  [7, 'GET /api/ramp/checkouts', () => '/api/ramp/checkouts'],
  [5, 'GET /api/orders', (v) => `/api/orders?references=${v.reference}`],
].flatMap(([percent, ...call]) => Array(percent).fill(call));

const longestDelay = watchEventLoop();
const random = createRandom(1);
const pick = (list) => list[Math.floor(random() * list.length)];
/** All visitors. The first of them are also `shoppers`, who have a page open and buy. */
const visitors = [];
let shoppers = [];
let load;
let shop;
let isOver = false;
/** The number of requests that were scheduled after the warm-up. */
let arrivals = 0;
const acknowledged = [];
/** For each paid reference the time of the purchase (`at`) and of the report by its page (`reportedAt`). */
const bought = new Map();
const purchases = { failed: 0, tried: 0 };

function quotePath() {
  const query = new URLSearchParams({
    fiatCurrency: pick(['USD', 'EUR', 'GBP']),
    currencyAmount: `${20 + Math.floor(random() * 400)}`,
    cryptoCurrencyCode: pick(['USDT_ERC20', 'BTC', 'ETH']),
  });
  return `/api/ramp/quote?${query}`;
}

async function checkout(visitor, body, scheduledAt) {
  const granted = await load.send(visitor, CHECKOUT, '/api/ramp/checkouts', { body, scheduledAt });
  if (!granted) return undefined;
  acknowledged.push(granted.reference);
  visitor.reference = granted.reference;
  return granted;
}

async function arrive(visitor, scheduledAt) {
  const [route, path] = pick(mix);
  if (route === CHECKOUT) await checkout(visitor, proposal(Math.floor(random() * 9)), scheduledAt);
  else await load.send(visitor, route, path(visitor), { scheduledAt });
}

/** Sends requests at a constant rate, whether or not earlier ones have a response (open loop). */
async function sendAtRate({ rate, beginsAt }) {
  const from = Date.now();
  for (let sent = 0; !isOver; await delay(4))
    for (; sent < ((Date.now() - from) * rate) / 1000; sent++) {
      const scheduledAt = from + (sent * 1000) / rate;
      if (scheduledAt >= beginsAt) arrivals++;
      void arrive(pick(visitors), scheduledAt);
    }
}

async function buyEachSecond() {
  for (let count = 0; !isOver && shoppers.length > 0; count++) {
    void purchase(shoppers[count % shoppers.length], count);
    await delay(1000);
  }
}

async function purchase({ visitor, page }, count) {
  purchases.tried++;
  const granted = await checkout(visitor, proposal(count));
  if (!granted) return;
  page.show(granted.reference);
  bought.set(granted.reference, { at: Date.now() });
  try {
    await buy(shop.widgetUrl, granted, `shopper${count}@example.com`);
  } catch (error) {
    purchases.failed++;
    purchases.why ??= `${error.message} ${error.cause ?? ''}`;
    bought.delete(granted.reference);
  }
}

function onState({ reference, progress }) {
  const order = bought.get(reference);
  if (!order || order.reportedAt || !/^(?:finished|settle)/.test(progress)) return;
  order.reportedAt = Date.now();
}

async function createVisitor(index) {
  const visitor = { address: `10.${index >> 8}.${index & 255}.7` };
  const { received } = await load.send(visitor, 'GET /', '/');
  visitor.cookie = received['set-cookie'].map((line) => line.split(';', 1)[0]).join('; ');
  await checkout(visitor, proposal(1));
  return visitor;
}

serveParent({
  async prepare({ shopUrl, widgetUrl, addresses, pages }) {
    shop = { shopUrl, widgetUrl };
    load = createLoad(shopUrl);
    for (let i = 0; i < addresses; i += 10) {
      const some = Array.from({ length: Math.min(10, addresses - i) }, (_, k) => i + k);
      visitors.push(...(await Promise.all(some.map(createVisitor))));
    }
    shoppers = visitors.slice(0, pages).map((visitor) => {
      const page = watchPage({ load, visitor, random, onState });
      page.show(visitor.reference);
      return { visitor, page };
    });
    while (shoppers.some(({ page }) => !page.isCurrent)) await delay(100);
  },
  run(given) {
    load.beginAt(given.beginsAt);
    void sendAtRate(given);
    void buyEachSecond();
  },
  setDown: (value) => load.setDown(value),
  setFaulty: (value) => load.setFaulty(value),
  atMinuteEnd: () => ({
    open: shoppers.filter(({ page }) => page.isCurrent).length,
    delayMs: longestDelay(),
  }),
  /** Stops new requests and purchases, and waits for pending responses. The pages stay open. */
  async end() {
    isOver = true;
    while (load.open > 0) await delay(50);
    return { acknowledged, purchases };
  },
  /** Waits until the pages show all purchases, for at most REPORT_MS, then closes them. */
  async report() {
    const orders = [...bought.values()];
    const isWaiting = () => orders.some(({ reportedAt }) => !reportedAt);
    for (const end = Date.now() + REPORT_MS; isWaiting() && Date.now() < end; ) await delay(100);
    for (const { page } of shoppers) page.close();
    const waits = orders.filter(({ reportedAt }) => reportedAt).map((o) => o.reportedAt - o.at);
    return { ...load.report(), arrivals, bought: orders.length, reportedAfterMs: waits };
  },
});
