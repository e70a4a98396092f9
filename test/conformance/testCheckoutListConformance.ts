import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CheckoutRecord, OrderStore } from '../../src/server/index.js';
import { announceOrder } from '../support/server/announceOrder.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  nftParams,
  onRampCheckout,
  onRampOrder,
} from '../support/server/orderFixtures.js';

type Query = Partial<Parameters<OrderStore['listCheckouts']>[0]>;

const list = async (store: OrderStore, query: Query = {}) =>
  (await store.listCheckouts({ subject: 'u1', limit: 100, ...query })).newest;
const toReferences = (checkouts: readonly CheckoutRecord[]) =>
  checkouts.map(({ reference }) => reference);

export function testCheckoutListConformance(open: () => Promise<OrderStore> | OrderStore): void {
  const setUp = async () => {
    const store = await open();
    const save = (reference: string, given: Parameters<typeof onRampCheckout>[0] = {}) =>
      store.saveCheckout(onRampCheckout({ reference, ...given }));
    const saveOpened = async (
      reference: string,
      given: Parameters<typeof onRampCheckout>[0] = {},
    ) => {
      await save(reference, given);
      await store.markOpened(reference, baseTime);
    };
    return { store, save, saveOpened };
  };

  describe('listed checkouts', () => {
    it('are those of one subject, newest first, and by reference in the same second', async () => {
      const { store, saveOpened } = await setUp();
      await saveOpened('b', { createdAt: baseTime - 5 });
      await saveOpened('d', { createdAt: baseTime - 9 });
      await saveOpened('c', { createdAt: baseTime - 5 });
      await saveOpened('e', { createdAt: baseTime - 1, subject: 'u2' });
      await saveOpened('a', { createdAt: baseTime - 2 });
      expect(toReferences(await list(store))).toEqual(['a', 'c', 'b', 'd']);
      expect(toReferences(await list(store, { limit: 2 }))).toEqual(['a', 'c']);
      expect(toReferences(await list(store, { subject: 'u2' }))).toEqual(['e']);
      expect(await list(store, { subject: 'u' })).toEqual([]);
      expect(await list(store, { subject: '' })).toEqual([]);
    });

    it('continue after a checkout, even if that checkout was deleted', async () => {
      const { store, saveOpened } = await setUp();
      for (const reference of ['a', 'b', 'c', 'd', 'e', 'f'])
        await saveOpened(reference, { createdAt: baseTime - (reference < 'd' ? 9 : 5) });
      const listAfter = async (reference: string, createdAt: number) =>
        toReferences(await list(store, { before: { createdAt, reference }, limit: 3 }));
      expect(await listAfter('e', baseTime - 5)).toEqual(['d', 'c', 'b']);
      expect(await listAfter('d', baseTime - 5)).toEqual(['c', 'b', 'a']);
      expect(await listAfter('bb', baseTime - 9)).toEqual(['b', 'a']);
      expect(await listAfter('a', baseTime - 9)).toEqual([]);
    });

    it('were opened, or have an order that was announced or recorded', async () => {
      const { store, save } = await setUp();
      for (const reference of ['unopened', 'opened', 'announced', 'unconfirmed', 'paid', 'differs'])
        await save(reference);
      await store.saveCheckout(nftCheckout({ reference: 'numbered' }));
      await store.markOpened('opened', baseTime);
      for (const reference of ['announced', 'unconfirmed'])
        await announceOrder(store, reference, baseTime);
      await store.markUnconfirmed(['unconfirmed']);
      const quarantined = { orderId: 'o2', ext: 'differs', walletAddress: '0x9' };
      await store.recordOrders(
        [
          onRampOrder({ ext: 'paid' }),
          onRampOrder(quarantined),
          nftOrder('unknown', { orderId: 'o3', ext: undefined }),
        ],
        baseTime + 1,
      );
      const checkouts = await list(store);
      expect(toReferences(checkouts)).toEqual([
        'unconfirmed',
        'paid',
        'opened',
        'numbered',
        'differs',
        'announced',
      ]);
      for (const checkout of checkouts)
        expect(await store.findCheckout(checkout.reference)).toEqual(checkout);
      const orders = checkouts.map(({ openedAt, orders: [order] }) => [
        openedAt,
        order?.matchStatus,
      ]);
      expect(orders).toEqual([
        [baseTime, undefined],
        [baseTime + 1, 'matched'],
        [baseTime, undefined],
        [baseTime + 1, 'unknown'],
        [baseTime + 1, 'quarantined'],
        [baseTime, undefined],
      ]);
    });

    it('do not include one whose order number an order of another checkout has', async () => {
      const { store } = await setUp();
      for (const reference of ['named', 'numbered']) {
        const params = { ...nftParams, merchantOrderNo: `n-${reference}` };
        await store.saveCheckout(nftCheckout({ reference, params }));
      }
      const details = { merchantOrderNo: 'n-numbered' };
      await store.recordOrders([nftOrder('finished', { ext: 'named', details })], baseTime);
      expect(toReferences(await list(store))).toEqual(['named']);
      expect(await store.findCheckout('numbered')).not.toHaveProperty('openedAt');
    });

    it('keep the time when they were opened if an order is recorded later', async () => {
      const { store, saveOpened } = await setUp();
      await saveOpened('r1');
      await store.recordOrders([onRampOrder()], baseTime + 9);
      expect(await list(store)).toMatchObject([{ openedAt: baseTime, orders: [{}] }]);
    });

    it('have all their orders, oldest first', async () => {
      const { store, saveOpened } = await setUp();
      for (const reference of ['a', 'b', 'c']) await saveOpened(reference);
      for (const [orderId, ext] of [
        ['z', 'a'],
        ['x', 'c'],
        ['m', 'a'],
        ['y', 'a'],
      ] as const)
        await store.recordOrders([onRampOrder({ orderId, ext })], baseTime);
      const found = (await list(store)).map(({ reference, orders }) => [
        reference,
        ...orders.map(({ order }) => order.orderId),
      ]);
      expect(found).toEqual([['c', 'x'], ['b'], ['a', 'z', 'm', 'y']]);
    });

    it('belong to a subject of any text and length', async () => {
      const { store, saveOpened } = await setUp();
      const key = `sha256:${createHash('sha256').update('x'.repeat(301)).digest('hex')}`;
      const subjects = [
        key,
        '\0',
        '\ud800',
        '\\u0000',
        'x'.repeat(301),
        'x'.repeat(302),
        'é',
        'É',
        '%',
      ];
      for (const [i, subject] of subjects.entries()) await saveOpened(`r${i}`, { subject });
      for (const [i, subject] of subjects.entries())
        expect(toReferences(await list(store, { subject }))).toEqual([`r${i}`]);
    });

    it('are copies that callers cannot change', async () => {
      const { store, saveOpened } = await setUp();
      await saveOpened('r1', { metadata: { cart: [1] } });
      const [found] = (await list(store)) as unknown as [{ metadata: { cart: number[] } }];
      found.metadata.cart.push(2);
      expect((await list(store))[0]?.metadata).toEqual({ cart: [1] });
    });

    it('are all on the pages, once each, while others are added', async () => {
      const { store, saveOpened } = await setUp();
      const names = Array.from({ length: 23 }, (_, i) => `r${i + 10}`);
      for (const [i, reference] of names.entries())
        await saveOpened(reference, { createdAt: baseTime - (i % 4) });
      const seen: CheckoutRecord[] = [];
      for (let page = 0; page < 8; page++) {
        const last = seen.at(-1);
        seen.push(...(await list(store, { limit: 4, ...(last && { before: last }) })));
        await saveOpened(`new${page}`, { createdAt: baseTime + 1 + page });
      }
      expect(toReferences(seen).sort()).toEqual(names);
    });
  });
  describe('named checkouts', () => {
    const setUpNamed = async () => {
      const { store, save, saveOpened } = await setUp();
      await save('unopened');
      await saveOpened('opened');
      await save('paid');
      await saveOpened('foreign', { subject: 'u2' });
      for (const orderId of ['z', 'a'])
        await store.recordOrders([onRampOrder({ orderId, ext: 'paid' })], baseTime);
      const read = async (query: Query) =>
        store.listCheckouts({ subject: 'u1', limit: 0, ...query });
      return { store, read };
    };

    it('are those of the subject, opened or not, with their orders', async () => {
      const { store, read } = await setUpNamed();
      const references = ['unopened', 'opened', 'paid', 'foreign', 'unknown'];
      const { newest, named } = await read({ references });
      expect(newest).toEqual([]);
      expect(toReferences(named).sort()).toEqual(['opened', 'paid', 'unopened']);
      for (const checkout of named)
        expect(await store.findCheckout(checkout.reference)).toEqual(checkout);
      const paid = named.find(({ reference }) => reference === 'paid');
      expect(paid?.orders.map(({ order }) => order.orderId)).toEqual(['z', 'a']);
    });

    it('are those of any subject without one', async () => {
      const { read } = await setUpNamed();
      const { named } = await read({ subject: undefined, references: ['paid', 'foreign'] });
      expect(toReferences(named).sort()).toEqual(['foreign', 'paid']);
    });

    it('are read together with the newest ones, also if a checkout is both', async () => {
      const { read } = await setUpNamed();
      const { newest, named } = await read({ references: ['unopened', 'paid'], limit: 1 });
      expect(toReferences(newest)).toEqual(['paid']);
      expect(newest[0]?.orders).toHaveLength(2);
      expect(toReferences(named).sort()).toEqual(['paid', 'unopened']);
    });

    it('are none for an empty list, and the newest are none for a limit of 0', async () => {
      const { read } = await setUpNamed();
      expect(await read({ references: [] })).toEqual({ newest: [], named: [] });
    });

    it('do not depend on the cursor of the list', async () => {
      const { read } = await setUpNamed();
      const before = { createdAt: 0, reference: 'a' };
      const { newest, named } = await read({ references: ['paid'], limit: 9, before });
      expect([toReferences(newest), toReferences(named)]).toEqual([[], ['paid']]);
    });

    it('have references of any text and length', async () => {
      const { store, save } = await setUp();
      const references = ['\0', '\ud800', 'x'.repeat(301), 'é'];
      for (const reference of references) await save(reference);
      const { named } = await store.listCheckouts({ subject: 'u1', references, limit: 0 });
      expect(toReferences(named).sort()).toEqual(references.sort());
    });
  });
}
