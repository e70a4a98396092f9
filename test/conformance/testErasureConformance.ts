import { describe, expect, it } from 'vitest';
import { parseSelection } from '../../src/protocol/handler/parseSelection.js';
import type { Order } from '../../src/protocol/index.js';
import type { EraseOptions, KeptReason, OrderStore } from '../../src/server/index.js';
import { handleChanges } from '../support/server/handleChanges.js';
import {
  baseTime,
  nftIntent,
  nftOrder,
  onRampIntent,
  onRampOrder,
} from '../support/server/orderFixtures.js';
import { findWork } from '../support/server/syncStates.js';

const DAY = 86_400;
const RETENTION = 35 * DAY;
const expiresAt = baseTime + DAY;

/** The person whose data is erased, and someone else with the same kind of checkout. */
const people = ['alice', 'bob'] as const;
type Person = (typeof people)[number];

/** What must not remain of a person. */
const getTraces = (person: Person) => ({
  subject: `subject-of-${person}`,
  wallet: `0xwallet-of-${person}`,
  email: `${person}@mail.example`,
  proposal: `proposal-of-${person}`,
  selection: `selection-of-${person}`,
  metadata: `metadata-of-${person}`,
  customer: `customer-of-${person}`,
  transaction: `0xtransaction-of-${person}`,
});

const toReference = (person: Person) => `r-${person}`;
const toOrderId = (person: Person, n = 1) => `o-${person}-${n}`;

const intentOf = (person: Person, isNft = false, given: { expiresAt?: number } = {}) => {
  const { subject, wallet, email, proposal, selection, metadata, customer } = getTraces(person);
  const made = (isNft ? nftIntent : onRampIntent)({ expiresAt, ...given });
  return {
    ...made,
    reference: toReference(person),
    subject,
    params: isNft
      ? {
          ...made.params,
          transferWalletAddress: wallet,
          externalCustomerId: customer,
          merchantOrderNo: `n-${person}`,
        }
      : { walletAddress: wallet, walletAddressLocked: '1', email },
    proposal: { note: proposal },
    selection: parseSelection('on-ramp', { cryptoCurrency: selection }),
    metadata: { note: metadata },
  };
};

const orderOf = (person: Person, n = 1, given: Partial<Order> = {}): Order =>
  onRampOrder({
    orderId: toOrderId(person, n),
    ext: toReference(person),
    userId: getTraces(person).customer,
    walletAddress: getTraces(person).wallet,
    txHash: getTraces(person).transaction,
    ...given,
  });

const nftOrderOf = (person: Person, state: Order['state'], given: Partial<Order> = {}): Order => {
  const { wallet, customer, transaction } = getTraces(person);
  return nftOrder(state, {
    orderId: toOrderId(person),
    ext: toReference(person),
    userId: customer,
    walletAddress: wallet,
    txHash: transaction,
    details: {
      transferWalletAddress: wallet,
      externalCustomerId: customer,
      merchantOrderNo: `n-${person}`,
    },
    ...given,
  });
};

const deliverAll = async (store: OrderStore) => {
  await handleChanges(store, await store.listPendingChanges(baseTime, 1000));
};

interface State {
  /** Brings the checkout of a person into this state. Returns its orders, as the order list has them. */
  readonly reach: (store: OrderStore, person: Person) => Promise<readonly Order[]>;
  readonly options?: EraseOptions;
  /** Why the checkout is kept. Absent if it is erased at once. */
  readonly reason?: KeptReason;
  readonly until?: number;
  /** Removes the reason for keeping the checkout. Returns the `before` of a purge that then erases it. */
  readonly end?: (store: OrderStore) => Promise<number>;
}

async function open(store: OrderStore, person: Person, given: Parameters<typeof intentOf>[2] = {}) {
  await store.saveIntent(intentOf(person, false, given));
  await store.markOpened(toReference(person), baseTime);
  return [];
}

async function pay(store: OrderStore, person: Person, ...orders: Order[]) {
  await open(store, person);
  await store.recordOrders(orders, baseTime);
  return orders;
}

async function buyNft(store: OrderStore, person: Person, state: Order['state']) {
  await store.saveIntent(intentOf(person, true));
  const order = nftOrderOf(person, state);
  await store.recordOrders([order], baseTime);
  await deliverAll(store);
  return [order];
}

async function payAnotherWallet(store: OrderStore, person: Person) {
  const order = orderOf(person, 1, { walletAddress: `${getTraces(person).wallet}-other` });
  await pay(store, person, order);
  await deliverAll(store);
  return [order];
}

const states: Readonly<Record<string, State>> = {
  'an unopened checkout': {
    async reach(store, person) {
      await store.saveIntent(intentOf(person));
      return [];
    },
  },
  'an open checkout': {
    reach: open,
    reason: 'payment',
    until: expiresAt + RETENTION,
    end: async () => expiresAt + 1,
  },
  'an expired checkout that may be paid late': {
    async reach(store, person) {
      await open(store, person, { expiresAt: baseTime - 1 });
      await store.expireCheckouts(baseTime);
      return [];
    },
    reason: 'payment',
    until: baseTime - 1 + RETENTION,
    end: async () => baseTime,
  },
  'a checkout whose order was announced': {
    async reach(store, person) {
      await store.saveIntent(intentOf(person));
      await store.announceOrder(toReference(person), baseTime);
      return [];
    },
    reason: 'payment',
    until: expiresAt + RETENTION,
    end: async () => expiresAt + 1,
  },
  'an order that is paid and not delivered': {
    reach: (store, person) => pay(store, person, orderOf(person)),
    reason: 'delivery',
    async end(store) {
      await deliverAll(store);
      return baseTime - RETENTION;
    },
  },
  'an order whose delivery failed': {
    async reach(store, person) {
      const orders = await pay(store, person, orderOf(person));
      await store.postponeChange(`${toOrderId(person)}:finished`, baseTime);
      return orders;
    },
    reason: 'delivery',
    async end(store) {
      await deliverAll(store);
      return baseTime - RETENTION;
    },
  },
  'a delivered order': {
    async reach(store, person) {
      const orders = await pay(store, person, orderOf(person));
      await deliverAll(store);
      return orders;
    },
  },
  'several delivered orders': {
    async reach(store, person) {
      const orders = await pay(store, person, orderOf(person, 1), orderOf(person, 2));
      await deliverAll(store);
      return orders;
    },
  },
  'several orders, one of them not delivered': {
    async reach(store, person) {
      const orders = await pay(store, person, orderOf(person, 1), orderOf(person, 2));
      const orderIds = [toOrderId(person, 2)];
      await handleChanges(store, await store.listUndelivered({ orderIds, limit: 9 }));
      return orders;
    },
    reason: 'delivery',
    async end(store) {
      await deliverAll(store);
      return baseTime - RETENTION;
    },
  },
  'an unsettled NFT': {
    reach: (store, person) => buyNft(store, person, 'finished'),
    reason: 'settlement',
    until: baseTime + RETENTION,
    end: async () => baseTime + 1,
  },
  'an NFT that is settled later': {
    reach: (store, person) => buyNft(store, person, 'finished'),
    reason: 'settlement',
    until: baseTime + RETENTION,
    async end(store) {
      await store.recordOrders(
        people.map((person) => nftOrderOf(person, 'settled')),
        baseTime + 9,
      );
      await deliverAll(store);
      return baseTime - RETENTION;
    },
  },
  'a settled NFT': { reach: (store, person) => buyNft(store, person, 'settled') },
  'an order in an unknown state': {
    async reach(store, person) {
      const orders = await pay(store, person, orderOf(person, 1, { state: 'unknown' }));
      await deliverAll(store);
      return orders;
    },
    reason: 'payment',
    until: baseTime + RETENTION,
    end: async () => baseTime + 1,
  },
  'a quarantined order': {
    reach: payAnotherWallet,
    reason: 'case',
    async end(store) {
      for (const person of people)
        await store.resolveOrder(toOrderId(person), 'refunded', baseTime);
      return baseTime - RETENTION;
    },
  },
  'a quarantined order that was resolved': {
    async reach(store, person) {
      const orders = await payAnotherWallet(store, person);
      await store.resolveOrder(toOrderId(person), 'refunded', baseTime);
      return orders;
    },
  },
  'a matched order with an open case': {
    async reach(store, person) {
      const orders = await pay(store, person, orderOf(person));
      await deliverAll(store);
      return orders;
    },
    options: { openCases: [toOrderId('alice')] },
    reason: 'case',
  },
};

/** Returns everything that a store returns about one person's checkout. Leaves out the data of the other person. */
async function readAll(store: OrderStore, person: Person) {
  const isOwn = (value: unknown) => JSON.stringify(value).includes(`-${person}`);
  const { wallet, transaction } = getTraces(person);
  const search = (text: string) => store.search({ text, limit: 100 });
  return {
    checkout: await store.findCheckout(toReference(person)),
    listed: (await store.listCheckouts({ subject: getTraces(person).subject, limit: 100 })).newest,
    orders: (await store.listOrders({ limit: 100 })).filter(isOwn),
    events: (await store.listEventsAfter(0, 1000)).filter(isOwn),
    pending: (await store.listPendingChanges(baseTime + DAY, 100)).filter(isOwn),
    undelivered: (await store.listUndelivered({ limit: 100 })).filter(isOwn),
    found: await Promise.all([wallet, transaction, toReference(person)].map(search)),
  };
}

async function findTraces(store: OrderStore, person: Person) {
  const text = JSON.stringify(await readAll(store, person));
  return Object.values(getTraces(person)).filter((trace) => text.includes(trace));
}

/** Records the same orders again, as a full sync does, and expires checkouts. */
async function syncAll(store: OrderStore, orders: readonly Order[]) {
  const recorded = await store.recordOrders(orders, baseTime + 10);
  await store.expireCheckouts(baseTime);
  return recorded;
}

export function testErasureConformance(create: () => Promise<OrderStore> | OrderStore): void {
  const now = () => baseTime * 1000;
  const eraseAlice = (store: OrderStore, options: EraseOptions = {}) =>
    store.eraseSubject(getTraces('alice').subject, { now, ...options });
  const setUp = async ({ reach }: State) => {
    const store = await create();
    const orders = [...(await reach(store, 'alice')), ...(await reach(store, 'bob'))];
    return { store, orders };
  };
  const orderIdsOf = (orders: readonly Order[], person: Person) =>
    orders.map(({ orderId }) => orderId).filter((id) => id.includes(person));

  describe('eraseSubject', () => {
    const atOnce = Object.entries(states).filter(([, { reason }]) => !reason);
    it.each(atOnce)('erases %s at once, for good, and nothing of others', async (_, state) => {
      const { store, orders } = await setUp(state);
      const others = await readAll(store, 'bob');
      expect(await findTraces(store, 'alice')).not.toEqual([]);

      expect(await eraseAlice(store, state.options)).toEqual({ erased: 1, kept: [] });
      expect(await findTraces(store, 'alice')).toEqual([]);
      expect(await store.findCheckout(toReference('alice'))).toBeUndefined();
      expect(await readAll(store, 'bob')).toEqual(others);

      const erased = await readAll(store, 'alice');
      expect(erased.orders.map(({ matchStatus }) => matchStatus)).toEqual(
        orderIdsOf(orders, 'alice').map(() => 'erased'),
      );
      expect(await eraseAlice(store, state.options)).toEqual({ erased: 0, kept: [] });
      const lastEventId = await store.lastEventId();
      expect(await syncAll(store, orders)).toBe(0);
      await store.purge(baseTime - RETENTION);
      expect(await store.lastEventId()).toBe(lastEventId);
      expect(await readAll(store, 'alice')).toEqual(erased);
      expect(await readAll(store, 'bob')).toEqual(others);
    });

    const later = Object.entries(states).filter(([, { reason }]) => reason);
    it.each(later)('keeps %s, says why, and marks it', async (_, state) => {
      const { store, orders } = await setUp(state);
      const others = await readAll(store, 'bob');
      const { reason, until, options } = state;
      const kept = {
        reference: toReference('alice'),
        orderIds: orderIdsOf(orders, 'alice'),
        reason,
        ...(until !== undefined && { until }),
      };
      expect(await eraseAlice(store, options)).toEqual({ erased: 0, kept: [kept] });
      expect(await eraseAlice(store, options)).toEqual({ erased: 0, kept: [kept] });
      expect(await readAll(store, 'bob')).toEqual(others);
      const checkout = await store.findCheckout(toReference('alice'));
      expect(checkout?.isErasing).toBe(options?.openCases ? undefined : true);
      const before = await readAll(store, 'alice');
      await store.purge(baseTime - RETENTION);
      expect(await readAll(store, 'alice')).toEqual(before);
    });

    const ending = later.filter(([, { end }]) => end);
    it.each(ending)('lets the purge erase %s when that is over', async (_, state) => {
      const { store, orders } = await setUp(state);
      await eraseAlice(store);
      const before = (await state.end?.(store)) ?? 0;
      const others = await readAll(store, 'bob');
      // The purge treats the erased checkout as unopened. An `unopenedBefore` of 0 keeps what the erasure leaves of it.
      await store.purge(before, 0);
      expect(await findTraces(store, 'alice')).toEqual([]);
      expect(await store.findCheckout(toReference('alice'))).toBeUndefined();
      expect(await eraseAlice(store)).toEqual({ erased: 0, kept: [] });
      const erased = await readAll(store, 'alice');
      expect(await syncAll(store, orders)).toBe(0);
      expect(await readAll(store, 'alice')).toEqual(erased);
      expect((await readAll(store, 'bob')).orders).toEqual(others.orders);
    });

    it.each(ending)('erases %s in a later call when that is over', async (_, state) => {
      const { store } = await setUp(state);
      await eraseAlice(store);
      const before = (await state.end?.(store)) ?? 0;
      const later = { now: () => (before + RETENTION) * 1000 };
      expect(await eraseAlice(store, later)).toEqual({ erased: 1, kept: [] });
      expect(await findTraces(store, 'alice')).toEqual([]);
    });

    it('erases a checkout that expired too long ago to be paid', async () => {
      const store = await create();
      await open(store, 'alice', { expiresAt: baseTime - RETENTION - 1 });
      expect(await eraseAlice(store)).toEqual({ erased: 1, kept: [] });
      expect(await store.findCheckout(toReference('alice'))).toBeUndefined();
    });

    it('leaves only the ID, the state, amounts and times of an order', async () => {
      const store = await create();
      const amounts = { currencyAmount: '100.00', gasFee: '1.20', gasFeeUnit: 'USD' };
      const times = { payTime: baseTime - 60, deliverTime: baseTime - 30, finishTime: baseTime };
      const payment = { payment: 'CREDIT_DEBIT_CARD', network: 'ethereum_mainnet' };
      const order = orderOf('alice', 1, { ...amounts, ...times, ...payment });
      await pay(store, 'alice', order);
      await deliverAll(store);
      await eraseAlice(store);
      expect(await store.listOrders({ matchStatus: 'erased', limit: 9 })).toEqual([
        {
          matchStatus: 'erased',
          order: {
            orderId: toOrderId('alice'),
            orderStatus: 3,
            kind: 'on-ramp',
            state: 'finished',
            fiatCurrency: 'USD',
            cryptoCurrencyAmount: '97.09000000',
            ...amounts,
            ...times,
            nftDetails: [],
          },
          firstSeenAt: baseTime,
          changedAt: baseTime,
        },
      ]);
    });

    it('records a late order of an erased checkout without its data, and does not deliver it', async () => {
      const store = await create();
      await store.saveIntent(intentOf('alice'));
      await eraseAlice(store);
      await store.announceOrder(toReference('alice'), baseTime);
      await store.markOpened(toReference('alice'), baseTime);
      await store.recordOutcome(toReference('alice'), 'unconfirmed', baseTime);
      expect((await findWork(store)).announcedAt).toBeUndefined();
      expect(await store.listAnnouncedOrders(0, 9)).toEqual([]);
      expect(await store.claimReplay('h', baseTime + 9, baseTime, toReference('alice'))).toBe(true);
      expect(await findWork(store)).toEqual({ hasOpenCheckouts: false });

      const late = [orderOf('alice'), orderOf('alice'), orderOf('alice', 2, { state: 'unknown' })];
      expect(await store.recordOrders(late, baseTime)).toBe(0);
      expect(await store.recordOrders([orderOf('alice', 2)], baseTime)).toBe(0);
      expect(await findTraces(store, 'alice')).toEqual([]);
      const recorded = await store.listOrders({ limit: 9 });
      expect(recorded.map(({ matchStatus, order }) => [matchStatus, order.orderId])).toEqual([
        ['erased', toOrderId('alice', 2)],
        ['erased', toOrderId('alice', 1)],
      ]);
      expect(await store.listPendingChanges(baseTime, 9)).toEqual([]);
      expect(await store.lastEventId()).toBe(0);
    });

    it('recognizes a late NFT order by its order number, and awaits no settlement of it', async () => {
      const store = await create();
      await store.saveIntent(intentOf('alice', true));
      await eraseAlice(store);
      await store.recordOrders([nftOrderOf('alice', 'finished', { ext: undefined })], baseTime);
      expect(await store.listOrders({ limit: 9 })).toMatchObject([{ matchStatus: 'erased' }]);
      expect((await findWork(store)).unsettledSince).toBeUndefined();
    });

    it('recognizes late orders until the purge of unopened checkouts', async () => {
      const store = await create();
      await store.saveIntent(intentOf('alice', true));
      await eraseAlice(store);
      await store.purge(expiresAt + 1, expiresAt);
      await expect(store.saveIntent(intentOf('alice', true))).rejects.toThrow('taken');
      await store.purge(0, expiresAt + 1);
      await store.recordOrders([nftOrderOf('alice', 'finished')], baseTime);
      expect(await store.listOrders({ limit: 9 })).toMatchObject([{ matchStatus: 'unmatched' }]);
      await store.saveIntent(intentOf('alice', true));
    });

    it('never records the data of an erased order again, although its checkout was purged or replaced', async () => {
      const store = await create();
      await store.saveIntent(intentOf('alice', true));
      await eraseAlice(store);
      await store.recordOrders([nftOrderOf('alice', 'finished')], baseTime);
      await store.purge(0, expiresAt + 1);
      expect(await store.recordOrders([nftOrderOf('alice', 'settlement')], baseTime)).toBe(0);
      await store.saveIntent({ ...intentOf('alice', true), reference: 'newer', subject: 'u1' });
      const settled = nftOrderOf('alice', 'settled', { ext: undefined });
      expect(await store.recordOrders([settled], baseTime)).toBe(0);
      expect(await store.listOrders({ limit: 9 })).toMatchObject([
        { matchStatus: 'erased', order: { state: 'finished', nftDetails: [] } },
      ]);
      expect(await store.listPendingChanges(baseTime, 9)).toEqual([]);
    });

    it('leaves an order number to the newer checkout that has it', async () => {
      const store = await create();
      await store.saveIntent(intentOf('alice', true));
      await store.saveIntent({ ...intentOf('alice', true), reference: 'newer', subject: 'u1' });
      await eraseAlice(store);
      await store.recordOrders([nftOrderOf('alice', 'finished', { ext: undefined })], baseTime);
      expect(await store.listOrders({ limit: 9 })).toMatchObject([{ reference: 'newer' }]);
    });

    it('keeps orders whole if the shop must, and erases everything else', async () => {
      const store = await create();
      const order = orderOf('alice');
      await pay(store, 'alice', order);
      await deliverAll(store);
      const kept = [
        { reference: toReference('alice'), orderIds: [toOrderId('alice')], reason: 'orders' },
      ];
      expect(await eraseAlice(store, { keepOrders: true })).toEqual({ erased: 1, kept });
      expect(await eraseAlice(store, { keepOrders: true })).toEqual({ erased: 0, kept });
      const { wallet, customer, transaction } = getTraces('alice');
      expect(await findTraces(store, 'alice')).toEqual([wallet, customer, transaction]);
      const { checkout, listed, orders, events } = await readAll(store, 'alice');
      expect([checkout, listed, events]).toEqual([undefined, [], []]);
      expect(orders).toMatchObject([{ matchStatus: 'matched', order }]);
      expect(await store.recordOrders([{ ...order, state: 'settled' }], baseTime + 9)).toBe(0);
      await store.purge(expiresAt + RETENTION);
      expect((await readAll(store, 'alice')).orders).toEqual(orders);

      expect(await eraseAlice(store)).toEqual({ erased: 1, kept: [] });
      expect(await findTraces(store, 'alice')).toEqual([]);
      await store.purge(expiresAt + RETENTION);
      expect(await store.recordOrders([order], baseTime + 9)).toBe(0);
      expect(await store.listOrders({ limit: 9 })).toMatchObject([{ matchStatus: 'erased' }]);
    });

    it('lets staff find an erased order by its ID only, and one that stays whole by its wallet too', async () => {
      const store = await create();
      await pay(store, 'alice', orderOf('alice'));
      await deliverAll(store);
      const { wallet } = getTraces('alice');
      const search = async (text: string) => {
        const { checkouts, unmatched } = await store.search({ text, limit: 9 });
        return [checkouts.length, unmatched.map(({ matchStatus }) => matchStatus)];
      };
      await eraseAlice(store, { keepOrders: true });
      expect(await search(toOrderId('alice'))).toEqual([0, ['matched']]);
      expect(await search(wallet)).toEqual([0, ['matched']]);
      expect(await search(toReference('alice'))).toEqual([0, []]);
      await eraseAlice(store);
      expect(await search(toOrderId('alice'))).toEqual([0, ['erased']]);
      expect(await search(wallet)).toEqual([0, []]);
    });

    it('erases the log entries of an order from before it was matched, although the first one was purged', async () => {
      const store = await create();
      const list = (state: Order['state'], at: number) =>
        store.recordOrders([nftOrderOf('alice', state, { ext: undefined })], at);
      await list('finished', baseTime);
      await list('settlement', baseTime + 1);
      await store.saveIntent(intentOf('alice', true));
      await list('settled', baseTime + 2);
      await store.recordOrders([orderOf('bob', 1, { ext: undefined })], baseTime + 3);
      await deliverAll(store);
      await store.purge(baseTime + 1);
      const readTimes = async () =>
        (await store.listEventsAfter(0, 9)).map(({ at }) => at - baseTime);
      expect(await readTimes()).toEqual([1, 2, 3]);
      expect(await eraseAlice(store)).toEqual({ erased: 1, kept: [] });
      expect(await readTimes()).toEqual([3]);
    });

    it('erases the log entries of an order that was unmatched a moment ago', async () => {
      const store = await create();
      const list = (state: Order['state']) =>
        store.recordOrders([nftOrderOf('alice', state, { ext: undefined })], baseTime);
      await list('finished');
      await store.saveIntent(intentOf('alice', true));
      await list('settled');
      await deliverAll(store);
      expect(await eraseAlice(store)).toEqual({ erased: 1, kept: [] });
      expect(await store.listEventsAfter(0, 9)).toEqual([]);
    });

    it('leaves no trace in searches of a checkout whose order stays whole and is read again', async () => {
      const store = await create();
      const order = orderOf('alice');
      await pay(store, 'alice', order);
      await open(store, 'bob');
      await deliverAll(store);
      await eraseAlice(store, { keepOrders: true });
      await store.recordOrders([order], baseTime + 9);
      // The search may return only one checkout. An erased checkout must not take the place of the other one.
      const { checkouts } = await store.search({ text: 'r-', limit: 1 });
      expect(checkouts.map(({ intent }) => intent.reference)).toEqual([toReference('bob')]);
    });

    it('lets the purge keep orders whole, as the last call demands', async () => {
      const store = await create();
      await pay(store, 'alice', orderOf('alice'));
      await eraseAlice(store);
      await eraseAlice(store, { keepOrders: true });
      await deliverAll(store);
      await store.purge(0);
      expect(await store.listOrders({ limit: 9 })).toMatchObject([{ matchStatus: 'matched' }]);
      expect(await store.findCheckout(toReference('alice'))).toBeUndefined();
      const kept = [{ reason: 'case' }];
      const openCases = [toOrderId('alice')];
      expect(await eraseAlice(store, { openCases })).toMatchObject({ erased: 0, kept });
      expect(await eraseAlice(store)).toEqual({ erased: 1, kept: [] });
    });

    it('leaves a checkout to your staff, although an earlier call has marked it', async () => {
      const store = await create();
      await pay(store, 'alice', orderOf('alice'));
      await eraseAlice(store);
      await deliverAll(store);
      const openCases = [toOrderId('alice')];
      expect(await eraseAlice(store, { openCases })).toMatchObject({ kept: [{ reason: 'case' }] });
      await store.purge(0);
      expect(await store.findCheckout(toReference('alice'))).toBeDefined();
      expect(await eraseAlice(store, { openCases: [] })).toEqual({ erased: 1, kept: [] });
    });

    it('delivers an order of a marked checkout with its intent, before it is erased', async () => {
      const store = await create();
      await open(store, 'alice');
      await eraseAlice(store);
      expect(await store.recordOrders([orderOf('alice')], baseTime)).toBe(1);
      await store.purge(baseTime);
      const [change] = await store.listPendingChanges(baseTime, 9);
      expect(change).toMatchObject({ matchStatus: 'matched', intent: intentOf('alice') });
      await deliverAll(store);
      await store.purge(baseTime);
      expect(await findTraces(store, 'alice')).toEqual([]);
    });

    it('erases log entries of an order that was unmatched at first', async () => {
      const store = await create();
      const nameless = (state: Order['state']) => nftOrderOf('alice', state, { ext: undefined });
      await store.recordOrders([nameless('finished'), nftOrderOf('bob', 'finished')], baseTime);
      await store.recordOrders([nameless('settlement')], baseTime);
      await store.saveIntent(intentOf('alice', true));
      await store.recordOrders([nameless('settled')], baseTime);
      await deliverAll(store);
      expect(await eraseAlice(store)).toEqual({ erased: 1, kept: [] });
      expect(await findTraces(store, 'alice')).toEqual([]);
      expect(await store.listEventsAfter(0, 9)).toMatchObject([
        { record: { order: { orderId: toOrderId('bob') } } },
      ]);
    });

    it('takes a subject of any text and length for itself only', async () => {
      const store = await create();
      const subjects = ['\0', '\ud800', '%', 'x'.repeat(301), 'x'.repeat(302), 'u', 'U'];
      for (const [i, subject] of subjects.entries())
        await store.saveIntent(onRampIntent({ reference: `r${i}`, subject }));
      for (const [i, subject] of subjects.entries()) {
        expect(await store.eraseSubject(subject, { now })).toEqual({ erased: 1, kept: [] });
        expect(await store.findCheckout(`r${i}`)).toBeUndefined();
        if (i + 1 < subjects.length) expect(await store.findCheckout(`r${i + 1}`)).toBeDefined();
      }
    });

    it('erases a new checkout of the subject only when it is called again', async () => {
      const store = await create();
      await eraseAlice(store);
      await store.saveIntent(intentOf('alice'));
      expect(await store.findCheckout(toReference('alice'))).toBeDefined();
      expect(await eraseAlice(store)).toEqual({ erased: 1, kept: [] });
    });

    it('uses the clock of the process and five weeks by default', async () => {
      const store = await create();
      const nowSeconds = Math.floor(Date.now() / 1000);
      await open(store, 'alice', { expiresAt: nowSeconds });
      const { subject } = getTraces('alice');
      expect(await store.eraseSubject(subject)).toMatchObject({
        kept: [{ until: nowSeconds + RETENTION }],
      });
      expect(await store.eraseSubject(subject, { retentionSeconds: DAY })).toMatchObject({
        kept: [{ until: nowSeconds + DAY }],
      });
      const later = { retentionSeconds: DAY, now: () => (nowSeconds + DAY + 1) * 1000 };
      expect(await store.eraseSubject(subject, later)).toEqual({ erased: 1, kept: [] });
    });

    it('refuses what is not a subject or an option', async () => {
      const store = await create();
      const refused = { code: 'ERR_CONFIG_INVALID' };
      for (const subject of ['', undefined, null, 7, {}])
        await expect(store.eraseSubject(subject as never)).rejects.toMatchObject(refused);
      for (const options of [
        { keepOrder: true },
        { keepOrders: 'yes' },
        { openCases: 'o1' },
        { openCases: [1] },
        { retentionSeconds: 0 },
      ])
        await expect(store.eraseSubject('u1', options as never)).rejects.toMatchObject(refused);
    });
  });
}
