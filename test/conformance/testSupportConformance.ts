import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { CheckoutCursor, OrderResolution } from '../../src/server/index.js';
import type { SqlOrderStore } from '../../src/server/sql/index.js';
import { announceOrder } from '../support/server/announceOrder.js';
import { handleChanges } from '../support/server/handleChanges.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../support/server/orderFixtures.js';

const wallet = '0xA0990000000000000000000000000000000005d26';

/** Tests what the shop's support needs of a store: the search, undelivered changes, and resolutions. */
export function testSupportConformance(open: () => Promise<SqlOrderStore>): void {
  const setUp = async () => {
    const store = await open();
    const save = async (reference: string, walletAddress: string, isOpened = true) => {
      const params = { walletAddress, walletAddressLocked: '1' };
      await store.saveCheckout(onRampCheckout({ reference, params }));
      if (isOpened) await store.markOpened(reference, baseTime);
    };
    /** Searches, and returns the references of the checkouts and the IDs of the unmatched orders. */
    const find = async (text: string, limit = 100) => {
      const { checkouts, unmatched } = await store.search({ text, limit });
      return [
        ...checkouts.map(({ reference }) => reference),
        ...unmatched.map(({ order }) => order.orderId),
      ].sort();
    };
    return { store, save, find };
  };

  describe('the search', () => {
    it('finds a checkout by its reference and by the wallet, whole or the beginning, in any case', async () => {
      const { save, find } = await setUp();
      await save('Ab_c-1', wallet);
      await save('Xb_c-1', '0xb1');
      for (const text of ['Ab_c-1', 'Ab_', 'ab_C-1', wallet, wallet.toLowerCase(), '0xa099'])
        expect([text, await find(text)]).toEqual([text, ['Ab_c-1']]);
      expect(await find('0X')).toEqual(['Ab_c-1', 'Xb_c-1']);
      for (const text of ['', 'b_c-1', `${wallet}0`, '5d26', 'on-ramp', 'u1'])
        expect([text, await find(text)]).toEqual([text, []]);
    });

    it('finds a checkout by each of its orders, and comes with all of them', async () => {
      const { store, save, find } = await setUp();
      await save('r1', wallet, false);
      const orders = [
        onRampOrder({ orderId: 'First', walletAddress: wallet, txHash: '0xFEED' }),
        onRampOrder({ orderId: 'Second', walletAddress: '0x93c7', txHash: '0xBEEF' }),
      ];
      await store.recordOrders(orders, baseTime + 5);
      for (const text of ['First', 'sec', '0xfeed', '0xBEEF', '0xbe', '0x93c7', '0x93'])
        expect([text, await find(text)]).toEqual([text, ['r1']]);
      const { checkouts } = await store.search({ text: 'second', limit: 1 });
      expect(checkouts).toEqual([await store.findCheckout('r1')]);
      expect(checkouts[0]?.orders).toHaveLength(2);
    });

    it('finds an order that belongs to no checkout', async () => {
      const { store, find } = await setUp();
      const order = onRampOrder({ orderId: 'stray', ext: undefined, walletAddress: wallet });
      await store.recordOrders([order], baseTime);
      for (const text of ['stray', wallet, '0xf00d']) expect(await find(text)).toEqual(['stray']);
    });

    it('finds an NFT by the wallet of its buyer, not by that of the partner', async () => {
      const { store, find } = await setUp();
      const params = {
        type: 'MINT',
        merchantOrderNo: 'n-1',
        walletAddress: '0xpartner',
        transferWalletAddress: '0xbuyer',
      };
      await store.saveCheckout(nftCheckout({ params }));
      await store.markOpened('r1', baseTime);
      expect([await find('0xbuyer'), await find('0xpartner')]).toEqual([['r1'], []]);
      const details = { transferWalletAddress: '0xother' };
      await store.recordOrders(
        [nftOrder('finished', { walletAddress: '0xpartner', details })],
        baseTime,
      );
      expect([await find('0xother'), await find('0xpartner')]).toEqual([['r1'], []]);
    });

    it('finds an unopened checkout only by its whole reference', async () => {
      const { save, find } = await setUp();
      await save('unopened', wallet, false);
      expect(await find('unopened')).toEqual(['unopened']);
      for (const text of ['unopene', 'Unopened', wallet]) expect(await find(text)).toEqual([]);
    });

    it('takes every character as it is, and texts of any length', async () => {
      const { store, save, find } = await setUp();
      await save('a%_b', wallet);
      await save('axxb', wallet);
      expect(await find('a%')).toEqual(['a%_b']);
      for (const text of ['%', '_', 'a__', '0x%', "a'", 'a\\', '*', '"', '\0', '\ud800', 'ß'])
        expect([text, await find(text)]).toEqual([text, []]);
      expect(await find('a'.repeat(10_000))).toEqual([]);
      const long = 'o'.repeat(10_000);
      await store.recordOrders(
        [
          onRampOrder({ orderId: long, ext: undefined, walletAddress: `0x${'9'.repeat(5000)}` }),
          onRampOrder({ orderId: 'nul', ext: undefined, walletAddress: '\0"', txHash: '"\\\0' }),
        ],
        baseTime,
      );
      expect(await find(long)).toEqual([long]);
      expect(await find('nul')).toEqual(['nul']);
    });

    it('does not take a value for a field', async () => {
      const { store, find } = await setUp();
      const trap = '"},"params":{"walletAddress":"0xtrap","txHash":"0xtrap"';
      const params = { ext: trap, walletAddress: wallet };
      await store.saveCheckout(onRampCheckout({ params, subject: trap, metadata: trap }));
      await store.markOpened('r1', baseTime);
      const order = {
        orderId: 'o1',
        ext: trap,
        payment: trap,
        walletAddress: '0x1',
        txHash: '0x2',
      };
      await store.recordOrders([onRampOrder(order)], baseTime);
      expect(await find('0xtrap')).toEqual([]);
      expect(await find(wallet)).toEqual(['r1']);
      expect(await find('0x2')).toEqual(['o1']);
    });

    it('has the newest checkouts of one wallet, newest first, up to the limit', async () => {
      const store = await open();
      for (let i = 0; i < 9; i++) {
        const reference = `r${i}`;
        const params = { walletAddress: wallet, ext: reference };
        await store.saveCheckout(onRampCheckout({ reference, params, createdAt: baseTime + i }));
        await store.markOpened(reference, baseTime);
      }
      const { checkouts } = await store.search({ text: wallet, limit: 3 });
      expect(checkouts.map(({ reference }) => reference)).toEqual(['r8', 'r7', 'r6']);
    });
  });

  it('finds no more than the limit, whatever the text is the beginning of', async () => {
    const store = await open();
    for (const [reference, walletAddress] of [
      ['0xa', '0x9'],
      ['r2', '0xab'],
      ['r3', '0x8'],
    ] as const) {
      await store.saveCheckout(onRampCheckout({ reference, params: { walletAddress } }));
      await store.markOpened(reference, baseTime);
    }
    const order = (orderId: string, given: Parameters<typeof onRampOrder>[0]) =>
      onRampOrder({ orderId, ext: undefined, ...given });
    await store.recordOrders(
      [
        order('0xa1', { walletAddress: '0x7' }),
        order('o2', { walletAddress: '0xa2' }),
        order('o3', { walletAddress: '0x6', txHash: '0xa3' }),
        order('o4', { walletAddress: '0x8', ext: 'r3', txHash: '0xa4' }),
      ],
      baseTime,
    );
    const count = async (limit: number) => {
      const { checkouts, unmatched } = await store.search({ text: '0xa', limit });
      return [checkouts.length, unmatched.length];
    };
    expect([await count(1), await count(2), await count(3)]).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  describe('undelivered changes', () => {
    it('are listed oldest first with their next attempt, until they are delivered', async () => {
      const store = await open();
      await store.saveCheckout(onRampCheckout());
      const orders = ['a', 'b', 'c'].map((orderId) => onRampOrder({ orderId }));
      await store.recordOrders(
        [...orders, onRampOrder({ orderId: 'd', ext: undefined })],
        baseTime,
      );
      await store.postponeChange('a:finished', baseTime + 40);
      await handleChanges(store, await store.listUndelivered({ orderIds: ['b'], limit: 9 }));
      const list = async (query: Partial<Parameters<SqlOrderStore['listUndelivered']>[0]> = {}) =>
        (await store.listUndelivered({ limit: 9, ...query })).map(
          ({ key, tries, notBefore, checkout }) => [key, tries, notBefore, checkout?.reference],
        );
      const [a, c, d] = [
        ['a:finished', 1, baseTime + 40, 'r1'],
        ['c:finished', 0, 0, 'r1'],
        ['d:finished', 0, 0, undefined],
      ];
      expect(await list()).toEqual([a, c, d]);
      expect(await list({ limit: 1 })).toEqual([a]);
      expect(await list({ orderIds: ['c', 'a', 'b', 'x'] })).toEqual([a, c]);
      expect(await list({ orderIds: [] })).toEqual([]);
    });

    it('of the named orders become due now when they are retried', async () => {
      const store = await open();
      await store.recordOrders(
        ['a', 'b', 'c'].map((orderId) => onRampOrder({ orderId })),
        baseTime,
      );
      for (const orderId of ['a', 'b'])
        await store.postponeChange(`${orderId}:finished`, baseTime + 40);
      const listDue = async () =>
        (await store.listPendingChanges(baseTime, 9)).map(({ key, tries }) => [key, tries]);
      expect(await listDue()).toEqual([['c:finished', 0]]);
      expect(await store.retryUndelivered(['b', 'x'])).toBe(1);
      const due = await listDue();
      expect(due.sort()).toEqual([
        ['b:finished', 0],
        ['c:finished', 0],
      ]);
      await handleChanges(store, await store.listUndelivered({ orderIds: ['b'], limit: 9 }));
      expect(await store.retryUndelivered(['b'])).toBe(0);
      expect(await store.retryUndelivered([])).toBe(0);
    });

    it('of several unknown statuses of an order are found by its ID', async () => {
      const store = await open();
      await store.saveCheckout(onRampCheckout());
      await store.recordOrders([onRampOrder()], baseTime);
      for (const orderStatus of [11, 12])
        await store.recordOrders([onRampOrder({ orderStatus, state: 'unknown' })], baseTime);
      const keys = async () =>
        (await store.listUndelivered({ orderIds: ['o1'], limit: 9 })).map(({ key }) => key);
      expect(await keys()).toEqual(['o1:finished', 'o1:unknown', 'o1:unknown:12']);
      expect(await store.retryUndelivered(['o1'])).toBe(3);
      await store.resolveOrder('o1', 'refunded');
      const resolved = await store.listUndelivered({ orderIds: ['o1'], limit: 9 });
      expect(resolved.map(({ record }) => record.resolution)).toEqual(Array(3).fill('refunded'));
    });

    it('of an order that was unmatched at first are found by its ID, all of them', async () => {
      const store = await open();
      await store.recordOrders([onRampOrder()], baseTime);
      await store.saveCheckout(onRampCheckout());
      await store.recordOrders([onRampOrder()], baseTime + 1);
      const undelivered = await store.listUndelivered({ orderIds: ['o1'], limit: 9 });
      expect(undelivered.map(({ key, matchStatus }) => [key, matchStatus])).toEqual([
        ['o1:finished', 'unmatched'],
        ['o1:finished:rematched', 'matched'],
      ]);
    });
  });

  describe('listUnpaidCheckouts', () => {
    it('lists what was opened and not paid, of all shoppers, oldest first, page by page', async () => {
      const store = await open();
      const save = async (reference: string, createdAt: number, subject = 'u1') => {
        await store.saveCheckout(onRampCheckout({ reference, createdAt, subject }));
        await store.markOpened(reference, createdAt + 1);
      };
      await save('new', baseTime - 10);
      await save('old-b', baseTime - 500, 'u2');
      await save('old-a', baseTime - 500);
      await save('older', baseTime - 900, 'u3');
      await save('oldest', baseTime - 5000);
      const list = async (after?: CheckoutCursor) => {
        const query = { ...(after && { after }), before: baseTime - 100, limit: 2 };
        const unpaid = await store.listUnpaidCheckouts(query);
        return unpaid.map(({ reference, createdAt }) => ({ reference, createdAt }));
      };
      const first = await list({ createdAt: baseTime - 1000, reference: '' });
      const second = await list(first.at(-1));
      expect([...first, ...second].map(({ reference }) => reference)).toEqual([
        'older',
        'old-a',
        'old-b',
      ]);
      expect(await list(second.at(-1))).toEqual([]);
      expect((await list()).map(({ reference }) => reference)).toEqual(['oldest', 'older']);
    });

    it('never lists a checkout that is paid, announced, reviewed or never opened', async () => {
      const store = await open();
      for (const reference of ['open', 'paid', 'announced', 'wrong', 'unopened'])
        await store.saveCheckout(onRampCheckout({ reference }));
      for (const reference of ['open', 'paid', 'announced', 'wrong'])
        await store.markOpened(reference, baseTime);
      const wrong = onRampOrder({ orderId: 'o2', ext: 'wrong', walletAddress: '0xdead' });
      await store.recordOrders([onRampOrder({ ext: 'paid' }), wrong], baseTime);
      await announceOrder(store, 'announced', baseTime);
      const unpaid = await store.listUnpaidCheckouts({ before: baseTime + 1, limit: 9 });
      expect(unpaid.map(({ reference }) => reference)).toEqual(['open']);
    });
  });

  describe('a resolved order', () => {
    const recorded = (resolution: OrderResolution) => ({ isRecorded: true, resolution });

    it('keeps its resolution until it is taken back, also in later states', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
      await store.recordOrders([nftOrder('finished')], baseTime);
      const read = async () => (await store.findCheckout('r1'))?.orders[0]?.resolution;
      expect(await read()).toBeUndefined();
      expect(await store.resolveOrder('o1', 'refunded')).toEqual(recorded('refunded'));
      expect(await read()).toBe('refunded');
      await store.recordOrders([nftOrder('settled')], baseTime + 2);
      expect(await store.findCheckout('r1')).toMatchObject({
        orders: [{ resolution: 'refunded', changedAt: baseTime + 2, order: { state: 'settled' } }],
      });
      for (let call = 0; call < 2; call++)
        expect(await store.resolveOrder('o1', 'closed')).toEqual(recorded('closed'));
      expect(await read()).toBe('closed');
      expect(await store.resolveOrder('o1', null)).toEqual({ isRecorded: true });
      expect(await read()).toBeUndefined();
      expect(await store.resolveOrder('unknown', 'closed')).toBeUndefined();
    });

    it('is resolved only after its running delivery has ended, which the result tells', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
      await store.recordOrders([nftOrder('finished')], baseTime);
      const [change] = await store.listPendingChanges(baseTime, 1);
      if (!change) throw new Error('Expected a pending change');
      const events: string[] = [];
      let delivered: Promise<boolean> | undefined;
      await new Promise<void>((begin) => {
        delivered = store.handleChange(change, async (_, history) => {
          begin();
          await setTimeout(100);
          events.push('delivered');
          return { ...history, deliveredAt: baseTime + 1 };
        });
      });
      const resolved = await store.resolveOrder('o1', 'refunded');
      events.push('resolved');
      expect(await delivered).toBe(true);
      expect(events).toEqual(['delivered', 'resolved']);
      expect(resolved).toEqual({ ...recorded('refunded'), deliveredAt: baseTime + 1 });
    });

    it('is delivered with its resolution, also if the change was recorded before', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
      await store.recordOrders([nftOrder('finished')], baseTime);
      await store.recordOrders([nftOrder('settled')], baseTime + 1);
      await store.postponeChange('o1:finished', baseTime + 5);
      const read = async () => [
        (await store.listPendingChanges(baseTime + 5, 9)).map(({ key, record }) => [
          key,
          record.resolution,
        ]),
        (await store.listUndelivered({ limit: 9 })).map(({ record }) => record.resolution),
      ];
      await store.resolveOrder('o1', 'refunded');
      expect(await read()).toEqual([
        [
          ['o1:settled', 'refunded'],
          ['o1:finished', 'refunded'],
        ],
        ['refunded', 'refunded'],
      ]);
      await store.resolveOrder('o1', null);
      expect((await read())[1]).toEqual([undefined, undefined]);
    });

    it('is handled with its resolution, also if its change was listed before', async () => {
      const store = await open();
      await store.recordOrders([onRampOrder()], baseTime);
      const [listed] = await store.listPendingChanges(baseTime, 1);
      if (!listed) throw new Error('Expected a pending change');
      await store.resolveOrder('o1', 'refunded');
      let resolution: unknown;
      await store.handleChange(listed, async ({ record }, history) => {
        resolution = record.resolution;
        return history;
      });
      expect(resolution).toBe('refunded');
    });

    it('keeps what became of it before', async () => {
      const store = await open();
      await store.saveCheckout(nftCheckout());
      await store.recordOrders([nftOrder('finished')], baseTime);
      const history = { deliveredAt: baseTime, reviewedFor: ['status-after-end'] as const };
      const [finished] = await store.listPendingChanges(baseTime, 1);
      if (finished) await store.handleChange(finished, async () => history);
      await store.resolveOrder('o1', 'refunded');
      await store.recordOrders([nftOrder('settled')], baseTime);
      const [settled] = await store.listPendingChanges(baseTime, 1);
      let seen: unknown;
      if (settled)
        await store.handleChange(settled, async (_, before) => {
          seen = before;
          return before;
        });
      expect(seen).toEqual(history);
    });

    it('tells whether it was delivered before, and is due again when that is taken back', async () => {
      const store = await open();
      await store.saveCheckout(onRampCheckout());
      const orders = [onRampOrder(), onRampOrder({ orderId: 'o2' })];
      await store.recordOrders(orders, baseTime);
      const handle = async (deliveredAt: number | undefined) => {
        const [change] = await store.listPendingChanges(baseTime, 1);
        if (change) await store.handleChange(change, async () => ({ deliveredAt }));
      };
      await handle(baseTime + 1);
      await store.resolveOrder('o2', 'refunded');
      await handle(undefined);
      expect(await store.listPendingChanges(baseTime, 9)).toEqual([]);
      expect(await store.resolveOrder('o1', 'refunded')).toEqual({
        ...recorded('refunded'),
        deliveredAt: baseTime + 1,
      });
      expect(await store.resolveOrder('o2', null)).toEqual({ isRecorded: true });
      expect(await store.listPendingChanges(baseTime, 9)).toMatchObject([
        { key: 'o2:finished', record: { order: { orderId: 'o2' } } },
      ]);
    });
  });

  describe('an order that is resolved only if it is as the operator saw it', () => {
    const openOrder = async () => {
      const store = await open();
      await store.saveCheckout(onRampCheckout());
      await store.recordOrders([onRampOrder()], baseTime);
      const [change] = await store.listPendingChanges(baseTime, 1);
      if (!change) throw new Error('Expected a pending change');
      const read = async () => (await store.findCheckout('r1'))?.orders[0]?.resolution;
      return { store, change, read };
    };
    const unresolved = { resolution: undefined, isDelivered: false };

    it('has the resolution of the first of many operators', async () => {
      const { store, read } = await openOrder();
      const outcomes = [
        'refunded',
        'delivered',
        'closed',
        'refunded',
        'delivered',
        'closed',
      ] as const;
      const results = await Promise.all(
        outcomes.map((outcome) => store.resolveOrder('o1', outcome, { onlyIf: unresolved })),
      );
      expect(results.filter((result) => result?.isRecorded)).toHaveLength(1);
      const first = outcomes[results.findIndex((result) => result?.isRecorded)];
      expect(await read()).toBe(first);
      for (const result of results)
        expect(result).toEqual({ isRecorded: result?.isRecorded, resolution: first });
    });

    it('is not resolved if a delivery that was running succeeds, and is if that fails', async () => {
      const { store, change, read } = await openOrder();
      const handle = async (work: () => Promise<object>) => {
        let handled: Promise<unknown> | undefined;
        await new Promise<void>((begin) => {
          const delivered = store.handleChange(change, async () => {
            begin();
            await setTimeout(100);
            return work();
          });
          handled = delivered.catch(() => undefined);
        });
        const resolved = await store.resolveOrder('o1', 'refunded', { onlyIf: unresolved });
        await handled;
        return resolved;
      };
      const failed = await handle(() => Promise.reject(new Error('the warehouse is closed')));
      expect(failed).toEqual({ isRecorded: true, resolution: 'refunded' });
      await store.resolveOrder('o1', null);
      const delivered = await handle(async () => ({ deliveredAt: baseTime + 1 }));
      expect(delivered).toEqual({ isRecorded: false, deliveredAt: baseTime + 1 });
      expect(await read()).toBeUndefined();
      expect(await store.listUndelivered({ limit: 9 })).toEqual([]);
    });

    it('is taken back only if no colleague has changed it', async () => {
      const { store, change, read } = await openOrder();
      await store.resolveOrder('o1', 'refunded');
      await store.resolveOrder('o1', 'closed', { onlyIf: { resolution: 'refunded' } });
      const takeBack = (resolution: OrderResolution | null) =>
        store.resolveOrder('o1', null, { onlyIf: { resolution } });
      for (const other of ['refunded', null] as const)
        expect(await takeBack(other)).toEqual({ isRecorded: false, resolution: 'closed' });
      expect(await read()).toBe('closed');
      expect(await takeBack('closed')).toEqual({ isRecorded: true });
      expect(await takeBack('closed')).toEqual({ isRecorded: false });
      expect(await takeBack(null)).toEqual({ isRecorded: true });
      expect(await store.listUndelivered({ limit: 9 })).toMatchObject([{ key: change.key }]);
    });

    it('is compared with its delivery only if the operator says so', async () => {
      const { store, change } = await openOrder();
      await store.handleChange(change, async () => ({ deliveredAt: baseTime }));
      const resolve = (isDelivered?: boolean) =>
        store.resolveOrder('o1', 'refunded', { onlyIf: { resolution: null, isDelivered } });
      expect(await resolve(false)).toEqual({ isRecorded: false, deliveredAt: baseTime });
      const refunded = { isRecorded: true, resolution: 'refunded', deliveredAt: baseTime };
      expect(await resolve(true)).toEqual(refunded);
      await store.resolveOrder('o1', null);
      expect(await resolve()).toEqual(refunded);
    });

    it('is not found if it is unknown or erased', async () => {
      const { store, change } = await openOrder();
      const { subject } = onRampCheckout();
      expect(await store.resolveOrder('o2', 'closed', { onlyIf: unresolved })).toBeUndefined();
      await store.handleChange(change, async () => ({ deliveredAt: baseTime }));
      await store.eraseSubject(subject);
      expect(
        await store.resolveOrder('o1', 'closed', { onlyIf: { resolution: null } }),
      ).toBeUndefined();
    });
  });
}
