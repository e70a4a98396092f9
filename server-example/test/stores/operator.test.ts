import { createWebhookVerifier } from '@partner-ramp/react/server';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database/sqlDatabases.js';
import {
  createWebhook,
  webhookTime as seconds,
  webhookPublicKey,
  webhookUrl,
} from '../../../test/support/server/createWebhook.js';
import { onRampIntent, onRampOrder } from '../../../test/support/server/orderFixtures.js';
import { operatorService } from '../../src/operator/operatorService.js';
import { operatorSessions } from '../../src/operator/operatorSessions.js';
import { createWebhookLog } from '../../src/webhooks/createWebhookLog.js';
import { at, databases, type Instance, openInstance } from '../support/openInstance.js';

describe.each(databases)('The operator page of a shop on %s', (name, empty) => {
  let target: TestDatabase;
  let shop: Instance;
  beforeEach(async () => {
    target = await empty();
    shop = await openInstance(target);
  });
  /**
   * Opens another instance on the same database. SQLite gets none: in one process, a connection that waits for a lock
   * also blocks the connection that has the lock.
   */
  const another = async () => (name === 'SQLite' ? shop : openInstance(target));

  const logOf = ({ database, now }: Instance) =>
    createWebhookLog(database, { now, onError: (error) => expect(error).toBeUndefined() });
  const createService = (instance: Instance) => {
    const { database, store, now } = instance;
    const sync = { startedAt: at, from: at - 7200, listed: 3, recorded: 1, malformed: 0 };
    return operatorService({
      database,
      store,
      now,
      tracker: { report: sync },
      webhookLog: logOf(instance),
    });
  };
  /** Records orders and applies their changes to the shop, as the tracker does. */
  async function take(...orders: ReturnType<typeof onRampOrder>[]) {
    await shop.store.recordOrders(orders, at);
    for (const change of await shop.store.listPendingChanges(at, 100))
      await shop.applyChange(change);
  }

  it('lists open cases with their reasons and the last sync, and removes handled cases', async () => {
    await shop.store.saveIntent(onRampIntent());
    await take(
      onRampOrder({ orderId: 'good' }),
      onRampOrder({ orderId: 'bad', walletAddress: '0x2' }),
    );
    const service = createService(shop);
    const { cases, sync } = await service.readOverview();
    expect(cases).toMatchObject([
      { orderId: 'bad', reference: 'r1', reason: 'wallet', field: 'walletAddress', openedAt: at },
    ]);
    expect(cases[0]?.order).toMatchObject({ fulfilment: 'needs-attention', paid: '100.00 USD' });
    expect(sync?.listed).toBe(3);
    expect(await service.closeCase('good')).toBe(false);
    expect(await service.closeCase('bad')).toBe(true);
    expect(await service.closeCase('bad')).toBe(false);
    expect((await service.readOverview()).cases).toEqual([]);
    const { orders } = await service.listOrders({});
    expect(
      Object.fromEntries(orders.map(({ orderId, fulfilment }) => [orderId, fulfilment])),
    ).toEqual({
      good: 'delivered',
      bad: 'handled',
    });
  });

  it('pages through all orders, and through the orders of one matchStatus', async () => {
    await shop.store.saveIntent(onRampIntent());
    const ids = Array.from({ length: 45 }, (_, i) => `o${i}`);
    await take(
      ...ids.map((orderId, i) =>
        onRampOrder({ orderId, ...(i % 3 === 0 && { ext: 'of nobody' }) }),
      ),
    );
    const service = createService(shop);
    const seen: string[] = [];
    let cursor: { changedAt?: number; orderId?: string } = {};
    for (let isMore = true; isMore; ) {
      const page = await service.listOrders(cursor);
      seen.push(...page.orders.map(({ orderId }) => orderId));
      const last = page.orders.at(-1);
      cursor = last ? { changedAt: last.changedAt, orderId: last.orderId } : {};
      isMore = page.isMore;
    }
    expect(seen).toHaveLength(45);
    expect([...seen].sort()).toEqual([...ids].sort());
    const unmatched = await service.listOrders({ matchStatus: 'unmatched' });
    expect(unmatched.orders).toHaveLength(15);
    expect(unmatched.orders[0]).toMatchObject({ fulfilment: 'none' });
  });

  it('signs in and out on all instances', async () => {
    const [one, other] = [shop, await another()].map(({ database, now }) =>
      operatorSessions(database, 'the right password', now),
    );
    expect(await one?.signIn('another password')).toBeUndefined();
    const token = await one?.signIn('the right password');
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await other?.isSignedIn(token)).toBe(true);
    const kept = await shop.database.db.selectFrom('shop_operators').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(token);
    await other?.signOut(token);
    expect(await one?.isSignedIn(token)).toBe(false);
  });

  it('counts accepted, replayed and refused webhooks of all instances together', async () => {
    shop.clock.at = seconds;
    const logs = [logOf(shop), logOf(await another())];
    const genuine = createWebhook();
    const verifiers = logs.map((log) =>
      log.countResults(
        createWebhookVerifier({
          publicKey: webhookPublicKey,
          url: webhookUrl,
          replays: shop.store,
          now: () => seconds * 1000,
        }),
      ),
    );
    for (const verifier of verifiers) {
      await verifier.verify(genuine);
      for (const method of ['GET', 'PUT'])
        await expect(verifier.verify({ ...genuine, method })).rejects.toThrow();
      await expect(verifier.verify(createWebhook({ timestamp: seconds - 301 }))).rejects.toThrow();
    }
    for (const log of logs) await log.flush();
    const latest = (await logs[0]?.listLatest(10)) ?? [];
    const sums = new Map<string, number>();
    for (const { outcome, reason = '', count } of latest) {
      const kind = `${outcome} ${reason}`.trim();
      sums.set(kind, (sums.get(kind) ?? 0) + count);
    }
    expect(Object.fromEntries(sums)).toEqual({
      accepted: 1,
      replayed: 1,
      'refused method': 4,
      'refused timestamp': 2,
    });
    expect(latest.length).toBeLessThanOrEqual(8);
  });
});
