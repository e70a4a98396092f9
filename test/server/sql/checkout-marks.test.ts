import { describe, expect, it } from 'vitest';
import { at, onRampIntent, onRampOrder } from '../../support/orders.js';
import { sqlDatabases } from '../../support/sql-databases.js';

describe.each(sqlDatabases)('sqlOrderStore on %s', (_, empty) => {
  it('marks no checkout that has an order', async () => {
    const store = (await empty()).store();
    await store.saveIntent(onRampIntent());
    await store.recordOrders([onRampOrder()], at);
    const last = await store.lastEventId();
    for (const mark of ['unconfirmed', 'expired'] as const)
      await store.markCheckout('r1', mark, at + 1);
    expect(await store.findCheckout('r1')).not.toHaveProperty('mark');
    expect(await store.lastEventId()).toBe(last);
  });

  it('closes a checkout that expires, and does not count it as opened', async () => {
    const store = (await empty()).store();
    await store.saveIntent(onRampIntent({ expiresAt: at }));
    expect(await store.expireCheckouts(at)).toBe(1);
    expect(await store.findCheckout('r1')).not.toHaveProperty('openedAt');
    expect(await store.hasOpenCheckouts(at - 1)).toBe(false);
  });

  it('returns no more pending changes than the limit, the due ones first', async () => {
    const store = (await empty()).store();
    const orders = ['a', 'b', 'c'].map((orderId) => onRampOrder({ orderId }));
    await store.recordOrders(orders, at);
    const keys = (await store.pendingChanges(at, 3)).map(({ key }) => key);
    // The clock was a year ahead when these failed.
    for (const key of keys.slice(0, 2)) await store.postponeChange(key, at + 365 * 86_400);
    const pending = await store.pendingChanges(at, 2);
    expect(pending.map(({ key }) => key)).toEqual([keys[2], keys[0]]);
  });
});
