import type { SyncRun, SyncStatus } from '@partner-ramp/react/server';
import { createWebhookLog, operatorService, operatorSessions } from 'operator-page';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../../test/support/database/sqlDatabases.js';
import {
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../../../../test/support/server/orderFixtures.js';
import { operatorShop } from '../../src/orders/operatorShop.js';
import { at, databases, type Instance, openInstance } from '../support/openInstance.js';

const syncStatus: SyncStatus = {
  ...{ nextAt: at + 60, why: 'checkout', failures: 0 },
  ...{ begunAt: at, endedAt: at, syncedAt: at },
};

describe.each(databases)('The operator page of a shop on %s', (name, empty) => {
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

  const logOf = ({ database, now }: Instance) =>
    createWebhookLog(database, { now, onError: (error) => expect(error).toBeUndefined() });
  const createService = (
    instance: Instance,
    sync: () => Promise<SyncRun> = async () => ({ ran: false }),
    store = instance.store,
  ) => {
    const { database, now } = instance;
    const status = async (): Promise<SyncStatus> => syncStatus;
    return operatorService({
      database,
      now,
      store,
      shop: operatorShop(database),
      ramp: { status, sync },
      webhookLog: logOf(instance),
    });
  };
  /** Records an order that the shop fails to deliver. */
  async function takeFailing(orderId = 'o1') {
    await shop.store.saveCheckout(onRampCheckout());
    await shop.store.recordOrders([onRampOrder({ orderId })], at);
    for (const { key } of await shop.store.listPendingChanges(at, 9))
      await shop.store.postponeChange(key, at + 100);
  }
  const readFulfilments = async (
    filter?: 'all' | 'needs-attention' | 'delivered' | 'not-delivered' | 'handled',
  ) => {
    const { orders } = await createService(shop).listOrders({ filter });
    return Object.fromEntries(orders.map(({ orderId, fulfilment }) => [orderId, fulfilment]));
  };
  const readResolution = async () => (await shop.store.findCheckout('r1'))?.orders[0]?.resolution;
  const refunded = { outcome: 'refunded', note: 'Paid back by hand.' } as const;

  describe('a quarantined order', () => {
    it('is a case with the expected and the actual value, until it is handled', async () => {
      await shop.store.saveCheckout(onRampCheckout());
      await shop.take(
        onRampOrder({ orderId: 'good' }),
        onRampOrder({ orderId: 'bad', walletAddress: '0x2' }),
      );
      const service = createService(shop);
      const { cases, moreCases, sync } = await service.readOverview();
      expect(cases).toMatchObject([
        {
          orderId: 'bad',
          reference: 'r1',
          fulfilment: 'needs-attention',
          paid: '100.00 USD',
          shopper: 'u1',
          wallet: '0x2',
          case: { reason: 'wallet', openedAt: at },
          evidence: {
            field: 'walletAddress',
            expected: '0xabc0000000000000000000000000000000000001',
            actual: '0x2',
          },
        },
      ]);
      expect([moreCases, sync]).toEqual([0, syncStatus]);
      expect(await service.handleCase('good', refunded)).toEqual({ result: 'not-found' });
      expect(await service.handleCase('none', refunded)).toEqual({ result: 'not-found' });
      shop.clock.at += 5;
      expect(await service.handleCase('bad', refunded)).toEqual({
        result: 'handled',
        handledAt: at + 5,
      });
      expect((await service.readOverview()).cases).toEqual([]);
      expect(await readFulfilments()).toEqual({ good: 'delivered', bad: 'handled' });
      const details = await service.readDetails({ reference: 'r1' });
      expect(details?.syncedAt).toBe(at);
      expect(details?.checkout?.orders[1]).toMatchObject({
        case: { handledAt: at + 5, ...refunded },
        resolution: 'refunded',
      });
    });

    it('can be opened again, with its note, unless a colleague has changed it', async () => {
      await shop.store.saveCheckout(onRampCheckout());
      await shop.take(onRampOrder({ walletAddress: '0x2' }));
      const service = createService(shop);
      await service.handleCase('o1', refunded);
      expect(await service.reopenCase('o1', at - 1)).toBe(false);
      expect(await readFulfilments('handled')).toEqual({ o1: 'handled' });
      expect(await readFulfilments('not-delivered')).toEqual({});
      // A case can be opened again even ten days later.
      shop.clock.at += 864_000;
      expect(await service.reopenCase('o1', at)).toBe(true);
      expect(await service.reopenCase('o1', at)).toBe(false);
      expect(await readResolution()).toBeUndefined();
      const [reopened] = (await service.readOverview()).cases;
      expect(reopened?.case).toEqual({ reason: 'wallet', openedAt: at, note: refunded.note });
      expect(await readFulfilments('handled')).toEqual({});
      expect(await readFulfilments('not-delivered')).toEqual({ o1: 'needs-attention' });
      await service.handleCase('o1', { outcome: 'closed', note: '' });
      expect(await readResolution()).toBe('closed');
    });

    it('is handled only if its outcome is still the one that the operator saw', async () => {
      await shop.store.saveCheckout(onRampCheckout());
      await shop.take(onRampOrder({ walletAddress: '0x2' }));
      const service = createService(shop);
      await service.handleCase('o1', refunded);
      const closed = { outcome: 'closed', note: '' } as const;
      const changed = { result: 'changed', outcome: 'refunded' };
      expect(await service.handleCase('o1', closed)).toEqual(changed);
      expect(await service.handleCase('o1', { ...closed, seen: 'delivered' })).toEqual(changed);
      await service.reopenCase('o1', at);
      expect(await service.handleCase('o1', { ...closed, seen: 'refunded' })).toEqual({
        result: 'changed',
      });
      expect(await readFulfilments()).toEqual({ o1: 'needs-attention' });
    });

    it('can be handled again after an unknown status has opened it', async () => {
      await shop.store.saveCheckout(onRampCheckout());
      await shop.take(onRampOrder({ walletAddress: '0x2' }));
      const service = createService(shop);
      await service.handleCase('o1', refunded);
      await shop.take(onRampOrder({ walletAddress: '0x2', state: 'unknown', orderStatus: 9 }));
      const [open] = (await service.readOverview()).cases;
      expect(open?.resolution).toBe('refunded');
      expect(open?.case).toEqual({ reason: 'status-after-end', openedAt: at, note: refunded.note });
      const again = { ...refunded, seen: open?.resolution };
      expect(await service.handleCase('o1', again)).toMatchObject({ result: 'handled' });
      expect((await service.readOverview()).cases).toEqual([]);
    });

    it('keeps the outcome of the first of two operators', async () => {
      await shop.store.saveCheckout(onRampCheckout());
      await shop.take(onRampOrder({ walletAddress: '0x2' }));
      const services = [createService(shop), createService(await another())];
      const results = await Promise.all(
        services.map((service, i) =>
          service.handleCase('o1', { outcome: i === 0 ? 'refunded' : 'closed', note: `${i}` }),
        ),
      );
      expect(results.map(({ result }) => result).sort()).toEqual(['changed', 'handled']);
      const first = results[0]?.result === 'handled' ? 'refunded' : 'closed';
      expect(await readResolution()).toBe(first);
      const second = results.find(({ result }) => result === 'changed');
      expect(second).toEqual({ result: 'changed', outcome: first });
    });
  });

  describe('an order that the shop fails to deliver', () => {
    it('is retried at first, and a case with its next attempt after a minute', async () => {
      await shop.store.saveCheckout(onRampCheckout());
      await shop.store.recordOrders([onRampOrder()], at);
      expect(await readFulfilments()).toEqual({ o1: 'processing' });
      await shop.store.postponeChange('o1:finished', at + 100);
      shop.clock.at = at + 59;
      expect(await readFulfilments()).toEqual({ o1: 'retrying' });
      expect(await readFulfilments('needs-attention')).toEqual({});
      shop.clock.at = at + 60;
      const { cases } = await createService(shop).readOverview();
      expect(cases).toMatchObject([
        {
          orderId: 'o1',
          fulfilment: 'needs-attention',
          case: { reason: 'delivery', openedAt: at },
          delivery: { tries: 1, nextAttemptAt: at + 100 },
        },
      ]);
      expect(await readFulfilments('needs-attention')).toEqual({ o1: 'needs-attention' });
      shop.clock.at = at + 100;
      await shop.deliverDue();
      expect((await createService(shop).readOverview()).cases).toEqual([]);
      expect(await readFulfilments()).toEqual({ o1: 'delivered' });
    });

    it('is not delivered once an operator has handled it', async () => {
      await takeFailing();
      shop.clock.at = at + 90;
      expect(await createService(shop).handleCase('o1', refunded)).toMatchObject({
        result: 'handled',
      });
      expect(await readFulfilments()).toEqual({ o1: 'handled' });
      shop.clock.at = at + 100;
      await shop.deliverDue();
      expect(await shop.store.listUndelivered({ limit: 9 })).toEqual([]);
      expect(await readFulfilments()).toEqual({ o1: 'handled' });
      expect(await shop.database.db.selectFrom('shop_deliveries').selectAll().execute()).toEqual(
        [],
      );
      expect(await readResolution()).toBe('refunded');
    });

    it.each([
      ['undoes that', 95],
      ['opens it again later', 200],
    ])('is delivered if the operator %s', async (_, seconds) => {
      await takeFailing();
      shop.clock.at = at + 90;
      const service = createService(shop);
      await service.handleCase('o1', refunded);
      shop.clock.at = at + seconds;
      await shop.deliverDue();
      expect(await readFulfilments()).toEqual({ o1: 'handled' });
      expect(await service.reopenCase('o1', at + 90)).toBe(true);
      expect(await readResolution()).toBeUndefined();
      const [open] = (await service.readOverview()).cases;
      expect(open).toMatchObject({
        fulfilment: 'needs-attention',
        case: { reason: 'delivery', note: refunded.note },
        delivery: { tries: expect.any(Number) },
      });
      shop.clock.at = at + 300;
      await shop.deliverDue();
      expect(await readFulfilments()).toEqual({ o1: 'delivered' });
      expect((await service.readOverview()).cases).toEqual([]);
    });

    it('has the last error, until the shop delivers it', async () => {
      await shop.store.saveCheckout(onRampCheckout());
      await shop.store.recordOrders([onRampOrder()], at);
      const { db } = shop.database;
      await db.schema.alterTable('shop_deliveries').renameTo('shop_deliveries_away').execute();
      await shop.deliverDue();
      shop.clock.at = at + 50;
      await shop.deliverDue();
      await db.schema.alterTable('shop_deliveries_away').renameTo('shop_deliveries').execute();
      const read = async () =>
        (await createService(shop).readDetails({ orderId: 'o1' }))?.checkout?.orders[0];
      expect((await read())?.delivery).toEqual({
        tries: 2,
        nextAttemptAt: at + 60,
        lastError: { at: at + 50, message: expect.stringMatching(/shop_deliveries/) },
      });
      shop.clock.at = at + 60;
      await shop.deliverDue();
      expect(await read()).toMatchObject({ fulfilment: 'delivered', deliveredAt: at + 60 });
      expect(await db.selectFrom('shop_failures').selectAll().execute()).toEqual([]);
    });

    it('is tried again when an operator requests it', async () => {
      await takeFailing();
      const service = createService(shop, async () => {
        await shop.deliverDue();
        return { ran: false };
      });
      const { db } = shop.database;
      await db.schema.alterTable('shop_deliveries').renameTo('shop_deliveries_away').execute();
      expect(await service.retryDelivery('o1')).toBe('failed');
      await db.schema.alterTable('shop_deliveries_away').renameTo('shop_deliveries').execute();
      const [order] = (await service.listOrders({})).orders;
      // Only the failed attempt counts. Bringing it forward adds no failure.
      expect(order?.delivery).toMatchObject({ tries: 1, nextAttemptAt: at + 5 });
      const elsewhere = createService(shop);
      expect(await elsewhere.retryDelivery('o1')).toBe('pending');
      const offline = createService(shop, () => Promise.reject(new Error('offline')));
      await expect(offline.retryDelivery('o1')).rejects.toThrow('offline');
      expect(await service.retryDelivery('o1')).toBe('delivered');
      expect(await readFulfilments()).toEqual({ o1: 'delivered' });
      expect(await service.retryDelivery('o1')).toBe('not-found');
      expect(await service.retryDelivery('none')).toBe('not-found');
    });

    it('is not handled if the shop delivers it in the meantime', async () => {
      await takeFailing();
      shop.clock.at = at + 100;
      const { store, deliverDue } = shop;
      const listUndelivered: typeof store.listUndelivered = async (query) => {
        const changes = await store.listUndelivered(query);
        await deliverDue();
        return changes;
      };
      const service = createService(shop, undefined, { ...store, listUndelivered });
      expect(await service.handleCase('o1', refunded)).toEqual({ result: 'delivered' });
      expect(await readFulfilments()).toEqual({ o1: 'delivered' });
      expect(await readResolution()).toBeUndefined();
    });

    it('has one outcome if two operators handle it at the same time', async () => {
      await takeFailing();
      const services = [createService(shop), createService(await another())];
      const results = await Promise.all(
        services.map((service) => service.handleCase('o1', refunded)),
      );
      expect(results.map(({ result }) => result).sort()).toEqual(['changed', 'handled']);
    });
  });

  it('says when an order was settled, as the store has it', async () => {
    await shop.store.saveCheckout(nftCheckout());
    await shop.take(nftOrder());
    const read = async () => (await createService(shop).listOrders({})).orders[0];
    expect((await read())?.settledAt).toBeUndefined();
    shop.clock.at += 500;
    await shop.take(nftOrder('settled'));
    expect(await read()).toMatchObject({ deliveredAt: at, settledAt: at + 500 });
  });

  it('pages through all orders, and through those of one filter', async () => {
    const ids = Array.from({ length: 45 }, (_, i) => `o${i}`);
    for (const reference of ids) await shop.store.saveCheckout(onRampCheckout({ reference }));
    await shop.take(
      ...ids.map((orderId, i) =>
        onRampOrder({ orderId, ext: i % 3 === 0 ? 'of nobody' : orderId }),
      ),
    );
    const service = createService(shop);
    const readAll = async (filter?: 'delivered' | 'not-delivered') => {
      const seen: string[] = [];
      let next: Awaited<ReturnType<typeof service.listOrders>>['next'];
      do {
        const page = await service.listOrders({ filter, ...next });
        expect(page.orders.length).toBeLessThanOrEqual(20);
        seen.push(...page.orders.map(({ orderId }) => orderId));
        next = page.next;
      } while (next);
      return seen.sort();
    };
    expect(await readAll()).toEqual([...ids].sort());
    expect(await readAll('not-delivered')).toEqual(ids.filter((_, i) => i % 3 === 0).sort());
    expect(await readAll('delivered')).toEqual(ids.filter((_, i) => i % 3 !== 0).sort());
    expect(await readFulfilments('not-delivered')).toMatchObject({ o0: 'needs-attention' });
    const { cases, moreCases } = await service.readOverview();
    expect(cases.map(({ orderId }) => orderId).sort()).toEqual(
      ids.filter((_, i) => i % 3 === 0).sort(),
    );
    expect(moreCases).toBe(0);
  });

  it('lists an order that was delivered although it is a case as delivered', async () => {
    await shop.store.saveCheckout(onRampCheckout());
    await shop.take(onRampOrder(), onRampOrder({ orderId: 'again' }));
    expect(await readFulfilments('delivered')).toEqual({
      o1: 'delivered',
      again: 'needs-attention',
    });
    expect(await readFulfilments('not-delivered')).toEqual({});
    await createService(shop).handleCase('again', { outcome: 'closed', note: '' });
    expect(await readFulfilments('delivered')).toEqual({ o1: 'delivered', again: 'handled' });
  });

  describe('the search', () => {
    const wallet = '0xA099000000000000000000000000000000005d26';
    const find = async (text: string) => {
      const { checkouts, unmatched } = await createService(shop).search([text]);
      return [
        ...checkouts.map(({ reference }) => reference),
        ...unmatched.map(({ orderId }) => orderId),
      ];
    };

    it('finds a shortened wallet, and ignores spaces and the marks of right-to-left texts', async () => {
      const params = { walletAddress: wallet };
      await shop.store.saveCheckout(onRampCheckout({ params }));
      await shop.store.saveCheckout(
        onRampCheckout({ reference: 'r2', params: { walletAddress: `${wallet.slice(0, -1)}7` } }),
      );
      for (const reference of ['r1', 'r2']) await shop.store.markOpened(reference, at);
      for (const text of [
        '0xa099…5d26',
        '0xA099...5D26',
        ' 0xa099 … 5d26\n',
        `\u200f${wallet}\u202c`,
      ])
        expect([text, await find(text)]).toEqual([text, ['r1']]);
      expect(await find('0xa099')).toHaveLength(2);
      for (const text of ['…5d26', '…', '0xa099…9999', '%', '0x_099'])
        expect([text, await find(text)]).toEqual([text, []]);
    });

    it('finds what has one of several texts, once and the newest first', async () => {
      await shop.store.saveCheckout(onRampCheckout());
      await shop.store.saveCheckout(onRampCheckout({ reference: 'r2', createdAt: at }));
      await shop.take(onRampOrder(), onRampOrder({ orderId: 'stray', ext: 'of nobody' }));
      const { checkouts, unmatched, isCut } = await createService(shop).search([
        'r1',
        'o1',
        'r2',
        'stray',
      ]);
      expect(checkouts.map(({ reference }) => reference)).toEqual(['r2', 'r1']);
      expect(unmatched.map(({ orderId }) => orderId)).toEqual(['stray']);
      expect(isCut).toBe(false);
    });

    it('finds the checkouts of a shopper who has paid, by the tag that rows show', async () => {
      const subject = 'H2_ukwAAAAAAAAAAAAAAAA.a';
      await shop.store.saveCheckout(onRampCheckout({ subject }));
      await shop.store.saveCheckout(onRampCheckout({ reference: 'r2', subject, createdAt: at }));
      await shop.store.saveCheckout(onRampCheckout({ reference: 'r3', subject: 'H2xukwBB.a' }));
      for (const reference of ['r1', 'r2', 'r3']) await shop.store.markOpened(reference, at);
      await shop.take(onRampOrder(), onRampOrder({ orderId: 'o3', ext: 'r3' }));
      expect(await find('H2_ukw')).toEqual(['r2', 'r1']);
      expect(await find('h2_ukw')).toEqual([]);
    });

    it('shows the amount that a checkout was requested for', async () => {
      const requests = [
        { expectedAmount: '100.00', expectedFiatCurrency: 'USD' },
        { widget: 'nft', params: { amount: '0.04', cryptoCurrency: 'ETH' } },
        { proposal: { amount: '50', defaultFiatCurrency: 'EUR' } },
        { proposal: { amount: '50', amountFixed: '60.50', fiatCurrency: 'EUR' } },
        { proposal: { amount: '50' } },
        { proposal: { amount: '<b>', defaultFiatCurrency: 'EUR' } },
      ] as const;
      const amounts: (string | undefined)[] = [];
      for (const [i, request] of requests.entries()) {
        const expected = { expectedAmount: undefined, expectedFiatCurrency: undefined };
        await shop.store.saveCheckout(
          onRampCheckout({ reference: `r${i}`, ...expected, ...request }),
        );
        const details = await createService(shop).readDetails({ reference: `r${i}` });
        amounts.push(details?.checkout?.requested);
      }
      expect(amounts).toEqual([
        '100.00 USD',
        '0.04 ETH',
        '50 EUR',
        '60.50 EUR',
        undefined,
        undefined,
      ]);
    });

    it('finds a checkout without an order, and the other checkouts of its shopper', async () => {
      const subject = 'سارة';
      await shop.store.saveCheckout(onRampCheckout({ subject }));
      await shop.store.saveCheckout(
        onRampCheckout({ reference: 'r2', subject, createdAt: at - 9 }),
      );
      await shop.store.saveCheckout(onRampCheckout({ reference: 'r3', createdAt: at }));
      for (const reference of ['r1', 'r2', 'r3']) await shop.store.markOpened(reference, at);
      await shop.take(onRampOrder({ ext: 'r2' }));
      const details = await createService(shop).readDetails({ reference: 'r1' });
      expect(details).toMatchObject({
        checkout: { reference: 'r1', shopper: subject, openedAt: at, orders: [] },
        others: [{ reference: 'r2', orders: [{ orderId: 'o1', fulfilment: 'delivered' }] }],
      });
      expect(await createService(shop).readDetails({ orderId: 'o1' })).toMatchObject({
        checkout: { reference: 'r2', orders: [{ recordedAt: at, deliveredAt: at }] },
      });
      expect(await createService(shop).readDetails({ reference: 'r9' })).toBeUndefined();
    });

    it('finds an order that belongs to no checkout', async () => {
      const txHash = '0xfeed';
      const blockchainExplorer = 'https://explorer.example/tx/';
      await shop.take(
        onRampOrder({ orderId: 'stray', ext: 'of nobody', txHash, blockchainExplorer }),
      );
      expect(await find('0xfeed')).toEqual(['stray']);
      expect(await createService(shop).readDetails({ orderId: 'stray' })).toMatchObject({
        order: {
          orderId: 'stray',
          fulfilment: 'needs-attention',
          case: { reason: 'no-checkout' },
          transaction: { hash: txHash, url: 'https://explorer.example/tx/0xfeed' },
        },
        others: [],
      });
    });
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
    const logs = [logOf(shop), logOf(await another())];
    for (const [i, log] of logs.entries()) {
      log.count({ outcome: i === 0 ? 'accepted' : 'replay' });
      for (const reason of ['method', 'timestamp', 'method'])
        log.count({ outcome: 'failed', reason });
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
    expect(await logs[0]?.countRefused(at - 60)).toBe(6);
    expect(await logs[0]?.countRefused(at + 60)).toBe(0);
  });
});
