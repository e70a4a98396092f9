import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import { buildRequestPayload } from '../../src/protocol/index.js';
import type { TestDatabase } from '../support/database/sqlDatabases.js';
import {
  type InstanceOptions,
  type RampInstance,
  startInstance,
} from '../support/database/startInstance.js';
import { createWebhook } from '../support/server/createWebhook.js';
import { fakeOrderList, type ListedOrder } from '../support/server/fakeOrderList.js';
import { startUpstream } from '../support/server/startUpstream.js';

const seconds = () => Math.floor(Date.now() / 1000);

/** What the instances have acknowledged. All of it must be in the database at the end. */
interface Acknowledged {
  readonly references: string[];
  /** The SHA-256 hashes of the signed texts of the webhooks. */
  readonly webhooks: string[];
}

export interface FaultScenario {
  readonly direct: Kysely<unknown>;
  readonly acknowledged: Acknowledged;
  /** The orders that the service lists. Each belongs to an acknowledged checkout. */
  readonly orders: ListedOrder[];
  /** After a test has killed an instance, `restart` replaces it. */
  readonly instances: RampInstance[];
  restart(index: number): Promise<void>;
  /** Starts shoppers who repeatedly open a checkout and pay. Returns a function that stops them. */
  startShoppers(shoppers: number): () => Promise<void>;
  /** Opens a checkout. Returns its reference, or undefined if the instance did not acknowledge it. */
  createCheckout(instance: RampInstance): Promise<string | undefined>;
  /** Makes the service list a finished order of the checkout. */
  listPaidOrder(reference: string): void;
  /** Returns the number of rows in `shop_goods`, one for each delivery. */
  countDelivered(): Promise<number>;
  /** Returns how many calls of `deliver` repeated the key of an earlier call. */
  countRepeatedCalls(): number;
  close(): Promise<void>;
}

type ScenarioOptions = Pick<InstanceOptions, 'plainPool'> & {
  /** The database target of each instance. As many instances are started as there are targets. */
  readonly targets: readonly string[];
};

/** Starts a service with an empty order list, and one instance of a backend for each target. */
export async function startFaultScenario(
  database: TestDatabase,
  { targets, ...options }: ScenarioOptions,
): Promise<FaultScenario> {
  const upstream = await startUpstream();
  const list = fakeOrderList([]);
  upstream.respondWith(list.answer);
  const direct = database.connect();
  await database.store().readSyncState();
  await sql`create table shop_bookings (key text not null)`.execute(direct);
  await sql`create table shop_goods (key text not null, instance text not null)`.execute(direct);
  const start = async (target: string, index: number) => {
    const shared = { apiUrl: upstream.baseUrl, pollSeconds: 1, books: true, ...options };
    const instance = await startInstance({ name: `instance-${index}`, target, ...shared });
    instance.start();
    return instance;
  };
  const instances = await Promise.all(targets.map((target, index) => start(target, index)));
  const gone: RampInstance[] = [];
  const acknowledged: Acknowledged = { references: [], webhooks: [] };

  const client = createScenarioClient(acknowledged);
  const listPaidOrder = (reference: string): void => {
    list.orders.push({ orderId: `order-of-${reference}`, ext: reference, finishTime: seconds() });
  };

  return {
    direct,
    acknowledged,
    orders: list.orders,
    instances,
    createCheckout: client.createCheckout,
    listPaidOrder,
    async restart(index) {
      const started = await start(targets[index] ?? '', index);
      const [killed] = instances.splice(index, 1, started);
      if (killed) gone.push(killed);
    },
    startShoppers: (shoppers) => startShoppers(shoppers, { instances, listPaidOrder, client }),
    async countDelivered() {
      const { rows } = await sql<{ count: number | string }>`
        select count(*) as count from shop_goods`.execute(direct);
      return Number(rows[0]?.count);
    },
    countRepeatedCalls() {
      const calls = [...gone, ...instances].flatMap((instance) => instance.calls);
      return calls.length - new Set(calls).size;
    },
    async close() {
      for (const instance of [...gone, ...instances]) instance.resume();
      await Promise.all(instances.map(({ kill }) => kill()));
      await upstream.close();
    },
  };
}

type ScenarioClient = ReturnType<typeof createScenarioClient>;

/** Creates a client that opens checkouts and sends webhooks, and records which of them were acknowledged. */
function createScenarioClient(acknowledged: Acknowledged) {
  return {
    async createCheckout({ url }: RampInstance): Promise<string | undefined> {
      const response = await fetch(`${url}/api/ramp/checkouts`, {
        method: 'POST',
        headers: { origin: 'https://shop.example', 'content-type': 'application/json' },
        body: '{"widget":"on-ramp"}',
        signal: AbortSignal.timeout(70_000),
      });
      const { reference } = (await response.json()) as { reference?: string };
      if (response.status !== 201 || !reference) return undefined;
      acknowledged.references.push(reference);
      return reference;
    },
    async sendWebhook({ url }: RampInstance, reference: string): Promise<void> {
      const address = `${url}/api/ramp/webhook`;
      const { headers, body } = createWebhook({
        url: address,
        timestamp: seconds(),
        body: { ext: reference },
      });
      const sent = { method: 'POST', headers, body: Buffer.from(body) };
      const response = await fetch(address, { ...sent, signal: AbortSignal.timeout(5000) });
      if (response.status !== 200) return;
      const text = buildRequestPayload({ method: 'POST', url: address, headers });
      acknowledged.webhooks.push(createHash('sha256').update(text).digest('hex'));
    },
  };
}

interface ShopperOptions {
  readonly instances: readonly RampInstance[];
  readonly listPaidOrder: (reference: string) => void;
  readonly client: ScenarioClient;
}

function startShoppers(
  count: number,
  { instances, listPaidOrder, client }: ShopperOptions,
): () => Promise<void> {
  let isOpen = true;
  const pickInstance = () =>
    instances[Math.floor(Math.random() * instances.length)] as RampInstance;
  const visit = async () => {
    const reference = await client.createCheckout(pickInstance());
    if (!reference) return;
    await wait(Math.random() * 300);
    listPaidOrder(reference);
    // Send only half of the webhooks, as if the others were lost.
    if (Math.random() < 0.5) await client.sendWebhook(pickInstance(), reference);
  };
  const shop = async () => {
    while (isOpen) {
      // Ignore errors, because requests to a killed or frozen instance fail.
      await visit().catch(() => {});
      await wait(Math.random() * 60);
    }
  };
  const all = Promise.all(Array.from({ length: count }, shop));
  return async () => {
    isOpen = false;
    await all;
  };
}

/** Waits for the deliveries. Expects each paid order to be delivered once, and no acknowledged row to be missing. */
export async function expectNothingLost(scene: FaultScenario, withinMs = 90_000): Promise<void> {
  const { direct, acknowledged, orders } = scene;
  await expect
    .poll(() => scene.countDelivered(), { timeout: withinMs, interval: 500 })
    .toBeGreaterThanOrEqual(orders.length);
  const missing = async (table: string, column: string, wanted: readonly string[]) => {
    const rows = sql<{ key: string }>`select ${sql.ref(column)} as key from ${sql.table(table)}`;
    const kept = new Set((await rows.execute(direct)).rows.map(({ key }) => key));
    return wanted.filter((key) => !kept.has(key));
  };
  expect(await missing('ramp_checkouts', 'reference', acknowledged.references)).toEqual([]);
  expect(await missing('ramp_replays', 'hash', acknowledged.webhooks)).toEqual([]);
  const ids = orders.map(({ orderId }) => orderId);
  expect(await missing('ramp_orders', 'order_id', ids)).toEqual([]);
  // Only the transaction of a delivery keeps a row from being written twice, or into one of the tables only.
  for (const table of ['shop_bookings', 'shop_goods']) {
    const written = sql<{ key: string }>`select key from ${sql.table(table)}`;
    const keys = (await written.execute(direct)).rows.map(({ key }) => key).sort();
    expect(keys, table).toEqual(ids.map((id) => `${id}:deliver`).sort());
  }
}

/** Adds an application name to a PostgreSQL URL, which identifies its connections. Does not change other targets. */
export function withApplicationName(target: string, name: string): string {
  if (!target.startsWith('postgres')) return target;
  const url = new URL(target);
  url.searchParams.set('application_name', name);
  return url.href;
}
