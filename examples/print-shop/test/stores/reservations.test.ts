import { beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../../test/support/database/sqlDatabases.js';
import { at, databases, type Instance, openInstance } from '../support/openInstance.js';
import { printCheckout, printOrder } from '../support/prints.js';

interface Buyer {
  readonly id: string;
  readonly visitor: string;
}
const shopper = (id: string): Buyer => ({ id, visitor: id });

describe.each(databases)("The shop's tables in %s reserve a print", (name, empty) => {
  let target: TestDatabase;
  let shop: Instance;
  beforeEach(async () => {
    target = await empty();
    shop = await openInstance(target);
  });

  /**
   * Opens another instance on the same database. With SQLite, returns the first instance instead: in one process, a
   * connection that waits for a lock also blocks the connection that has the lock.
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

  it('for 15 minutes after the last request of its shopper', async () => {
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

  it('for at most half an hour, then for an hour only for other visitors', async () => {
    const { prints, clock } = shop;
    const [a, b] = ['u1', 'u1-other'].map((id) => ({ id, visitor: 'u1' })) as [Buyer, Buyer];
    await prints.reserve('print-0175', a);
    clock.at = at + 870;
    expect(await prints.reserve('print-0175', a)).toEqual({ state: 'for-sale' });
    clock.at = at + 1500;
    expect(await prints.reserve('print-0175', a)).toEqual({ state: 'for-sale' });
    const heldUntil = at + 1800;
    expect((await prints.listStates('u2')).get('print-0175')).toEqual({
      state: 'held',
      heldUntil,
    });
    const paused = { state: 'paused', pausedUntil: heldUntil + 3600 };
    for (const time of [1501, 1799, 1800, 5399]) {
      clock.at = at + time;
      expect(await prints.reserve('print-0175', a)).toEqual(paused);
      if (time >= 1800) expect(await prints.reserve('print-0175', b)).toEqual(paused);
    }
    expect((await prints.listStates('u2')).size).toBe(0);
    clock.at = at + 5400;
    expect(await prints.reserve('print-0175', b)).toEqual({ state: 'for-sale' });
  });

  it('with reservations separated by short gaps counted as one', async () => {
    const { prints, clock } = shop;
    await prints.reserve('print-0175', shopper('u1'));
    clock.at = at + 1000;
    expect(await prints.reserve('print-0175', shopper('u1'))).toEqual({ state: 'for-sale' });
    const heldUntil = at + 1800;
    expect((await prints.listStates('u2')).get('print-0175')).toEqual({
      state: 'held',
      heldUntil,
    });
  });

  it('for another visitor while the previous one is paused', async () => {
    const { prints, clock } = shop;
    await prints.reserve('print-0175', shopper('u1'));
    clock.at = at + 1801;
    expect((await prints.reserve('print-0175', shopper('u1'))).state).toBe('paused');
    expect(await prints.reserve('print-0175', shopper('u2'))).toEqual({ state: 'for-sale' });
    const heldUntil = at + 1801 + 900;
    expect(await prints.reserve('print-0175', shopper('u1'))).toEqual({
      state: 'held',
      heldUntil,
    });
  });

  it('for at most an hour by visitors in turns, then not for an hour', async () => {
    const { prints, clock } = shop;
    const inTurns = ['x', 'y', 'z'].map((id) => shopper(id));
    const honest = shopper('honest');
    const minutes: number[] = [];
    for (let minute = 0; minute < 120; minute++) {
      clock.at = at + minute * 60;
      for (const buyer of inTurns) await prints.reserve('print-0175', buyer);
      if ((await prints.listStates('honest')).size > 0) minutes.push(minute);
    }
    expect(minutes).toEqual(Array.from({ length: 60 }, (_, minute) => minute));
    expect(await prints.reserve('print-0175', honest)).toEqual({ state: 'for-sale' });
    clock.at = at + 7200;
    expect(await prints.reserve('print-0175', honest)).toEqual({ state: 'for-sale' });
    expect((await prints.listStates('x')).get('print-0175')?.state).toBe('held');
  });

  it('by one visitor after another for any time, if it is free in between', async () => {
    const { prints, clock } = shop;
    for (let turn = 0; turn < 12; turn++) {
      clock.at = at + turn * 1200;
      await prints.reserve('print-0175', shopper(`u${turn}`));
      expect((await prints.listStates('other')).get('print-0175')?.state).toBe('held');
    }
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
