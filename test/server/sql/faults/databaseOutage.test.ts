import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { createPostgresSchema } from '../../../support/database/sqlDatabases.js';
import { type RampInstance, startInstance } from '../../../support/database/startInstance.js';
import { tcpProxy } from '../../../support/database/tcpProxy.js';
import { createWebhook } from '../../../support/server/createWebhook.js';
import { fakeOrderList } from '../../../support/server/fakeOrderList.js';
import { onRampCheckout } from '../../../support/server/orderFixtures.js';
import { setUpUpstream } from '../../../support/server/startUpstream.js';
import { readWatermark } from '../../../support/server/syncStates.js';

const DOWN_MS = 3000;
const upstream = setUpUpstream();
let undo: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const step of undo.reverse()) await step();
  undo = [];
});

const at = () => Math.floor(Date.now() / 1000);

/** Sends a webhook for the order of a checkout, and returns the status of the response. */
async function announce({ url }: RampInstance, reference: string): Promise<number> {
  const address = `${url}/api/ramp/webhook`;
  const { headers, body } = createWebhook({
    url: address,
    timestamp: at(),
    body: { ext: reference },
  });
  const response = await fetch(address, { method: 'POST', headers, body: Buffer.from(body) });
  return response.status;
}

const readProgress = async ({ url }: RampInstance, reference: string): Promise<string> => {
  const response = await fetch(`${url}/api/ramp/checkouts/${reference}`);
  return (await response.json()).progress;
};

describe('createRamp during an outage of the database', () => {
  it('returns 503 to webhooks, syncs for them later, and loses no order', async () => {
    const database = await createPostgresSchema();
    const store = database.store();
    const kysely = database.connect();
    await store.readSyncState();
    await sql`create table deliveries (key text not null, instance text not null)`.execute(kysely);
    const list = fakeOrderList([]);
    upstream.respondWith(list.answer);
    const proxy = await tcpProxy(database.target);
    undo.push(proxy.close);
    const instance = await startInstance({
      name: 'a',
      target: proxy.url,
      apiUrl: upstream.baseUrl,
      // The next poll would come too late for this test, so only the webhook can cause the sync that finds the order.
      pollSeconds: 600,
    });
    undo.push(instance.kill);
    instance.start();
    await expect.poll(() => readWatermark(store), { timeout: 20_000 }).toBeGreaterThan(0);
    await store.saveCheckout(onRampCheckout({ reference: 'r1', expiresAt: at() + 3600 }));

    await proxy.stop();
    list.orders.push({ orderId: 'o1', ext: 'r1', finishTime: at() });
    for (let i = 0; i < 3; i++) expect(await announce(instance, 'r1')).toBe(503);
    await wait(DOWN_MS);
    const { status } = await fetch(`${instance.url}/api/ramp/checkouts/r1`);
    expect(status).toBe(500);
    expect(instance.hasEnded()).toBe(false);
    expect(await store.findCheckout('r1')).toMatchObject({ orders: [] });

    await proxy.restart();
    await expect.poll(() => readProgress(instance, 'r1'), { timeout: 60_000 }).toBe('finished');
    expect(await store.findCheckout('r1')).toMatchObject({ orders: [{ matchStatus: 'matched' }] });
    await expect
      .poll(async () => (await sql`select key from deliveries`.execute(kysely)).rows, {
        timeout: 20_000,
      })
      .toEqual([{ key: 'o1:deliver' }]);
    expect(await announce(instance, 'r1')).toBe(200);
    expect(instance.hasEnded()).toBe(false);
  });
});
