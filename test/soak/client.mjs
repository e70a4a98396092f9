// The process of the clients: visitors with an address and a session each, requests at a constant rate regardless
// of the shop's speed, event streams, and one purchase a second.
import { setTimeout as delay } from 'node:timers/promises';
import { createLoad } from './createLoad.mjs';
import { createRandom } from './createRandom.mjs';
import { serveParent } from './messages.mjs';
import { openStream } from './openStream.mjs';
import { buy, proposal } from './purchases.mjs';
import { watchEventLoop } from './watchEventLoop.mjs';

/** The limit for a stream to report an order. The log is read each second; streams reopen within three seconds. */
const REPORT_MS = 15_000;
const CHECKOUT = 'POST /api/ramp/checkouts';
/** The share of each request, in percent. */
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
  [7, 'GET /api/orders', () => '/api/orders'],
  [5, 'POST /api/orders', () => '/api/orders'],
].flatMap(([percent, ...call]) => Array(percent).fill(call));

const longestDelay = watchEventLoop();
const random = createRandom(1);
const pick = (list) => list[Math.floor(random() * list.length)];
/** All visitors, and the visitors with an open event stream. */
const visitors = [];
let shoppers = [];
let load;
let shop;
let isOver = false;
/** The number of planned requests within the minutes of the run. */
let arrivals = 0;
const acknowledged = [];
/** The time of the payment of each reference, and the time at which its stream reported it. */
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
  else {
    const body = route === 'POST /api/orders' ? { reference: visitor.reference } : undefined;
    await load.send(visitor, route, path(visitor), { body, scheduledAt });
  }
}

/** Sends requests at a constant rate (open loop): a slow response does not delay later requests. */
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

async function purchase({ visitor, stream }, count) {
  purchases.tried++;
  const granted = await checkout(visitor, proposal(count));
  if (!granted) return;
  stream.show(granted.reference);
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
  async prepare({ shopUrl, widgetUrl, addresses, streams }) {
    shop = { shopUrl, widgetUrl };
    load = createLoad(shopUrl);
    for (let i = 0; i < addresses; i += 10) {
      const some = Array.from({ length: Math.min(10, addresses - i) }, (_, k) => i + k);
      visitors.push(...(await Promise.all(some.map(createVisitor))));
    }
    shoppers = visitors.slice(0, streams).map((visitor) => {
      const stream = openStream({ load, shopUrl, visitor, random, onState });
      stream.show(visitor.reference);
      return { visitor, stream };
    });
    while (shoppers.some(({ stream }) => !stream.isOpen)) await delay(100);
  },
  run(given) {
    load.beginAt(given.beginsAt);
    void sendAtRate(given);
    void buyEachSecond();
  },
  setDown: (value) => load.setDown(value),
  setFaulty: (value) => load.setFaulty(value),
  atMinuteEnd: () => ({
    open: shoppers.filter(({ stream }) => stream.isOpen).length,
    delayMs: longestDelay(),
  }),
  /** Ends the load, but not the streams. */
  async end() {
    isOver = true;
    while (load.open > 0) await delay(50);
    return { acknowledged, purchases };
  },
  /** Waits for streams that reopen at the moment, then closes all streams. */
  async report() {
    const orders = [...bought.values()];
    const isWaiting = () => orders.some(({ reportedAt }) => !reportedAt);
    for (const end = Date.now() + REPORT_MS; isWaiting() && Date.now() < end; ) await delay(100);
    for (const { stream } of shoppers) stream.close();
    const waits = orders.filter(({ reportedAt }) => reportedAt).map((o) => o.reportedAt - o.at);
    return { ...load.report(), arrivals, bought: orders.length, reportedAfterMs: waits };
  },
});
