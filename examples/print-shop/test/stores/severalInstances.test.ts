import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPostgresSchema } from '../../../../test/support/database/sqlDatabases.js';
import { pay, requestCheckout, type SandboxShop, sandboxShop } from '../support/sandboxShop.js';
import { type Shop, startShop } from '../support/startShop.js';

const WAIT = { timeout: 10_000, interval: 100 };

let running: SandboxShop | undefined;
let second: Shop | undefined;
afterEach(async () => {
  await second?.close();
  await running?.close();
  running = second = undefined;
});

/** Starts two instances on one PostgreSQL. The service sends its webhooks to the first instance. */
async function twoInstances() {
  const database = await createPostgresSchema();
  // If a webhook arrives at the first instance while the second one syncs, only the next sync finds the order of the
  // webhook. With pollSeconds 1, the next sync comes soon.
  running = await sandboxShop({ databaseUrl: database.target, pollSeconds: 1 });
  const { sandbox, shop, config } = running;
  second = await startShop({ ...config, port: 0 });
  second.start();
  return { sandbox, first: shop, second, database };
}

describe('Two instances of the shop on one PostgreSQL', () => {
  it('share checkouts and orders, and apply each change once', async () => {
    const shops = await twoInstances();
    const shopper = await shops.second.visit();
    const checkout = await requestCheckout(shopper, { merchantUniqueId: 'print-0175' });
    await pay(shops.sandbox, checkout);
    await vi.waitFor(async () => {
      const { progress } = await shopper.json(`/api/ramp/checkouts/${checkout.reference}`);
      expect(progress).toBe('finished');
      const { listings } = await shopper.json('/listings.json');
      expect(listings[0]).toMatchObject({ id: 'print-0175', state: 'yours' });
    }, WAIT);

    const operator = await shops.first.visit();
    await operator.login();
    const cookie = `__Secure-operator=${operator.jar.get('__Secure-operator')}`;
    const lists = await Promise.all(
      [shops.first, shops.second].map(async ({ url }) => {
        const headers = { Cookie: cookie };
        return (await fetch(`${url}/api/operator/orders`, { headers })).json();
      }),
    );
    for (const { orders } of lists)
      expect(orders).toMatchObject([{ reference: checkout.reference, fulfilment: 'delivered' }]);
  });

  it('reject sessions that were signed out on the other instance', async () => {
    const shops = await twoInstances();
    const shopper = await shops.first.visit();
    const Cookie = [...shopper.jar].map((pair) => pair.join('=')).join('; ');
    const isSignedIn = async ({ url }: Shop) =>
      (await (await fetch(`${url}/api/session`, { headers: { Cookie } })).json()).signedIn;
    expect([await isSignedIn(shops.first), await isSignedIn(shops.second)]).toEqual([true, true]);
    await shopper.send('/api/session', { method: 'DELETE' });
    expect([await isSignedIn(shops.first), await isSignedIn(shops.second)]).toEqual([false, false]);
  });

  it('count requests together, and each address separately', { timeout: 60_000 }, async () => {
    const shops = await twoInstances();
    const requestCheckout = async ({ url }: Shop) =>
      (await fetch(`${url}/api/ramp/checkouts`, { method: 'POST' })).status;
    for (let i = 0; i < 30; i++)
      for (const shop of [shops.first, shops.second]) expect(await requestCheckout(shop)).toBe(403);
    // While PostgreSQL takes longer than a second, each instance counts by itself, so a few more may pass.
    for (const shop of [shops.second, shops.first])
      await vi.waitFor(async () => expect(await requestCheckout(shop)).toBe(429), {
        timeout: 20_000,
        interval: 2000,
      });
    const { rows } = await sql<{ key: string }>`select key from shop_limits`.execute(
      shops.database.connect(),
    );
    expect(rows.map(({ key }) => key).join()).not.toContain('127.0.0.1');
  });

  it('recover from the loss of every connection', async () => {
    const shops = await twoInstances();
    const shopper = await shops.first.visit();
    await requestCheckout(shopper);
    const { rows } = await sql<{ ended: boolean }>`
      select pg_terminate_backend(pid) as ended from pg_stat_activity
      where application_name = ${shops.database.schema} and pid <> pg_backend_pid()
    `.execute(shops.database.connect());
    expect(rows.length).toBeGreaterThan(0);
    await vi.waitFor(async () => expect((await shopper.checkout()).status).toBe(201), WAIT);
    await vi.waitFor(() => expect(shops.first.logs()).toContain('database connection lost'), WAIT);
  });
});
