import { createMemoryDatabase } from './databases.js';
import { createJournal } from './journal.js';
import { fetchShop } from './network.js';
import { createPlan, type Plan } from './plan.js';
import { Service } from './service.js';
import { API, createShopperHeaders, SHOP, Shop } from './shop.js';
import { OFF } from './shrink.js';
import { replacePageGlobals, World } from './world.js';

const HOUR = 3_600_000;
const ACTIVE_MS = 24 * HOUR;

/** What one shop did with the same orders. */
interface Figures {
  readonly orders: number;
  readonly processes: number;
  readonly lists: number;
  /** Orders that were never booked. */
  readonly lost: number;
  /** Keys that were delivered more than once, so a partner who ignores keys would book them twice. */
  readonly repeated: number;
  /** Keys that were booked more than once although the partner compares keys, as the guides ask. */
  readonly bookedTwice: number;
  /** The longest time from the listing of an order to its booking, in seconds. */
  readonly slowestSeconds: number;
  readonly violations: readonly string[];
}

/**
 * Lets a shop sell for a day. All webhooks are lost.
 *
 * @param crash - The chance of a crash at each input and output of a process.
 */
async function sell(orders: number, functions: boolean, crash: number): Promise<Figures> {
  const plan: Plan = {
    ...createPlan('functions', { isShort: true }),
    ...OFF,
    functions,
    crash,
    activeMs: ACTIVE_MS,
    instances: 1,
    people: 0,
    webhookLoss: 1,
    checkoutSeconds: 1800,
    tracker: {
      pollSeconds: 60,
      maxPollSeconds: 600,
      pageSize: 100,
      lookbackSeconds: 1800,
      deliverySeconds: 60,
    },
    list: { ends: 'both', isNewestFirst: true, maxPageSize: 1000, countsEarly: false },
  };
  const world = new World('functions', { maxEvents: 50_000_000 });
  const service = new Service(world, plan);
  const journal = createJournal(plan);
  const restoreGlobals = replacePageGlobals(world);
  let shop: Shop | undefined;
  const onStep = (...step: Parameters<Shop['onStep']>) => shop?.onStep(...step);
  const database = createMemoryDatabase({ world, plan, onStep });
  shop = new Shop({ world, plan, service, database, journal, isCronAlone: true });
  const { pickTarget } = shop;
  const random = world.random('load');

  async function buy(index: number, afterMs = random.next() * ACTIVE_MS * 0.95): Promise<void> {
    await world.sleep(afterMs);
    const item = { wallet: `0x${`${index}`.padStart(40, '1')}`, amount: '100', isBound: true };
    const shopper = createShopperHeaders(`u${index}`, {
      ...item,
      token: `${index}`,
      orderNo: undefined,
    });
    const headers = new Headers({ origin: SHOP, 'content-type': 'application/json', ...shopper });
    const body = JSON.stringify({ widget: 'on-ramp', params: {} });
    const request = { method: 'POST', headers, body };
    const response = await fetchShop(
      world,
      plan,
      undefined,
      pickTarget,
      `${API}/checkouts`,
      request,
    ).catch(() => undefined);
    // The process crashed. Shoppers try again.
    if (response?.status !== 201) return buy(index, 5000);
    const { reference } = await response.json();
    await world.sleep(random.log(3000, 500_000));
    service.pay({
      reference,
      widget: 'on-ramp',
      walletAddress: item.wallet,
      fiat: { amount: item.amount, currency: 'USD' },
      truth: {},
      isPrompt: true,
    });
  }

  try {
    shop.start();
    for (let index = 0; index < orders; index++) void buy(index);
    await world.runUntil(ACTIVE_MS);
    shop.calm();
    await world.runUntil(ACTIVE_MS + 3 * HOUR);
    const booked = service.orders.map(({ id, listedAtMs }) => {
      const booking = journal.bookings.get(`${id}:deliver`);
      return booking && booking.atMs - listedAtMs;
    });
    const counts = new Map<string, number>();
    for (const { key, isOver } of journal.calls)
      if (isOver) counts.set(key, (counts.get(key) ?? 0) + 1);
    const keys = new Set(service.orders.map(({ id }) => `${id}:deliver`));
    return {
      orders: service.orders.length,
      processes: shop.processes,
      lists: service.lists,
      lost: booked.filter((delay) => delay === undefined).length,
      repeated: [...counts.values()].filter((count) => count > 1).length,
      bookedTwice:
        journal.bookings.size - [...keys].filter((key) => journal.bookings.has(key)).length,
      slowestSeconds: Math.round(Math.max(...booked.map((delay) => delay ?? 0)) / 1000),
      violations: world.violations.map(({ name, detail }) => `${name}: ${detail}`),
    };
  } finally {
    shop.close();
    await database.close();
    restoreGlobals();
  }
}

/** Compares a shop whose processes live for one request with one whose process lives. Returns the exit code. */
export async function compareFunctions(
  orders: number,
  print: (text: string) => void,
): Promise<number> {
  const run = async (name: string, ...shop: [functions: boolean, crash: number]) => {
    const figures = await sell(orders, ...shop);
    const { violations, ...counts } = figures;
    print(`${name.padEnd(10)} ${JSON.stringify(counts)}`);
    for (const violation of violations.slice(0, 5)) print(`  BROKEN ${violation}`);
    return figures;
  };
  const functions = await run('functions', true, 0);
  const living = await run('living', false, 0);
  const crashing = await run('crashing', true, 0.001);
  const ratio = functions.lists / living.lists;
  print(`list calls of functions: ${ratio.toFixed(3)} times those of a process that lives`);
  const isKept = [functions, crashing].every(
    (one) =>
      one.lost + one.bookedTwice + one.violations.length === 0 &&
      one.orders >= orders &&
      one.processes >= 500,
  );
  const passes = isKept && functions.repeated === 0 && ratio <= 1.2;
  print(passes ? 'passed' : 'FAILED');
  return passes ? 0 : 1;
}
