import { describe, expect, it } from 'vitest';
import { sqlDatabases } from '../../../support/database/sqlDatabases.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../../support/server/orderFixtures.js';
import { findWork } from '../../../support/server/syncStates.js';

describe.each(sqlDatabases)('sqlOrderStore on %s', (_, empty) => {
  it('records no outcome of a checkout with an order', async () => {
    const store = (await empty()).store();
    await store.saveCheckout(onRampCheckout());
    await store.recordOrders([onRampOrder()], baseTime);
    await store.markUnconfirmed(['r1']);
    expect(await store.expireCheckouts(baseTime + 365 * 86_400)).toBe(0);
    expect(await store.findCheckout('r1')).not.toHaveProperty('outcome');
  });

  it('closes an expired checkout, and does not mark it as opened', async () => {
    const store = (await empty()).store();
    await store.saveCheckout(onRampCheckout({ expiresAt: baseTime }));
    expect(await store.expireCheckouts(baseTime)).toBe(1);
    expect(await store.findCheckout('r1')).not.toHaveProperty('openedAt');
    expect((await findWork(store)).hasOpenCheckouts).toBe(false);
  });

  it('lists at most limit pending changes, due ones first', async () => {
    const store = (await empty()).store();
    const orders = ['a', 'b', 'c'].map((orderId) => onRampOrder({ orderId }));
    await store.recordOrders(orders, baseTime);
    const keys = (await store.listPendingChanges(baseTime, 3)).map(({ key }) => key);
    // Postpone two deliveries by a year, as happens when they fail while the clock is a year ahead.
    for (const key of keys.slice(0, 2)) await store.postponeChange(key, baseTime + 365 * 86_400);
    const pending = await store.listPendingChanges(baseTime, 2);
    expect(pending.map(({ key }) => key)).toEqual([keys[2], keys[0]]);
  });
});
