import { beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../../test/support/database/sqlDatabases.js';
import { at, databases, type Instance, openInstance } from '../support/openInstance.js';
import { printCheckout, printOrder } from '../support/prints.js';

const shopper = (id: string) => ({ id });

describe.each(databases)("The shop's tables in %s reserve a print", (name, empty) => {
  let target: TestDatabase;
  let shop: Instance;
  beforeEach(async () => {
    target = await empty();
    shop = await openInstance(target);
  });

  /**
   * Opens another instance on the same database. With SQLite, returns the first instance instead: in one process, a
   * connection that waits for a lock also blocks the connection that holds it.
   */
  const another = async () => (name === 'SQLite' ? shop : openInstance(target));

  it('for one of many concurrent shoppers, on any instance', async () => {
    const other = await another();
    const states = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? shop : other).prints.reserve('print-0175', shopper(`u${i}`)),
      ),
    );
    expect(states.filter(({ state }) => state === 'for-sale')).toHaveLength(1);
    expect(states.filter(({ state }) => state === 'held')).toHaveLength(19);
  });

  it('for 15 minutes after the last click of its shopper', async () => {
    const { prints, clock } = shop;
    expect(await prints.reserve('print-0175', shopper('u1'))).toEqual({ state: 'for-sale' });
    clock.at += 600;
    expect(await prints.reserve('print-0175', shopper('u1'))).toEqual({ state: 'for-sale' });
    clock.at += 899;
    const heldUntil = at + 1500;
    expect(await prints.reserve('print-0175', shopper('u2'))).toEqual({
      state: 'held',
      heldUntil,
    });
    expect((await prints.listStates('u2')).get('print-0175')).toEqual({
      state: 'held',
      heldUntil,
    });
    expect((await prints.listStates('u1')).size).toBe(0);
    clock.at += 1;
    expect(await prints.reserve('print-0175', shopper('u2'))).toEqual({ state: 'for-sale' });
    expect((await prints.reserve('print-0175', shopper('u1'))).state).toBe('held');
  });

  it('for no shopper once it is sold, including its buyer', async () => {
    await shop.prints.reserve('print-0175', shopper('u1'));
    await shop.store.saveCheckout(printCheckout());
    await shop.take(printOrder());
    expect(await shop.prints.reserve('print-0175', shopper('u1'))).toEqual({ state: 'yours' });
    shop.clock.at += 1000;
    expect(await shop.prints.reserve('print-0175', shopper('u2'))).toEqual({ state: 'sold' });
  });
});
