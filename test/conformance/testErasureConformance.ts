import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseSelection } from '../../src/protocol/handler/parseSelection.js';
import type { Order } from '../../src/protocol/index.js';
import type { Runtime } from '../../src/server/internal/runtime.js';
import { findOutcome } from '../../src/server/orders/outcomes.js';
import type { SqlOrderStore } from '../../src/server/sql/index.js';
import { announceOrder } from '../support/server/announceOrder.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../support/server/orderFixtures.js';
import { findWork } from '../support/server/syncStates.js';

const DAY = 86_400;
/** How long a payment or a settlement may take. */
const WAIT = 35 * DAY;
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

interface GivenCheckout {
  readonly isNft?: boolean;
  readonly expiresAt?: number;
}

const checkoutOf = (person: Person, { isNft = false, ...given }: GivenCheckout = {}) => {
  const { subject, wallet, email, proposal, selection, metadata, customer } = getTraces(person);
  const checkout = (isNft ? nftCheckout : onRampCheckout)({ expiresAt, ...given });
  return {
    ...checkout,
    reference: toReference(person),
    subject,
    params: isNft
      ? {
          ...checkout.params,
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

/** Delivers or reviews the orders of a person, as a tracker does. Returns those that were reviewed, and why. */
async function handleOrders(store: SqlOrderStore, person: Person) {
  const reviews: [orderId: string, reason: string][] = [];
  const orderIds = [toOrderId(person), toOrderId(person, 2)];
  for (const pending of await store.listUndelivered({ orderIds, limit: 9 }))
    await store.handleChange(pending, async (change, history) => {
      const outcome = findOutcome(change, history, 'finished');
      if (outcome.action === 'none') return history;
      if (outcome.action === 'deliver') return { ...history, deliveredAt: baseTime };
      reviews.push([outcome.order.orderId, outcome.reason]);
      return { ...history, reviewedFor: [...(history.reviewedFor ?? []), outcome.reason] };
    });
  return reviews;
}

/** Brings the checkout of a person into a state. Returns its orders, as the order list has them. */
type Reach = (store: SqlOrderStore, person: Person) => Promise<readonly Order[]>;

const open =
  (given: GivenCheckout = {}): Reach =>
  async (store, person) => {
    await store.saveCheckout(checkoutOf(person, given));
    await store.markOpened(toReference(person), baseTime);
    return [];
  };

type CreateOrder = (person: Person) => Order;

/** Opens a checkout and lists its order. */
const pay =
  (create: CreateOrder): Reach =>
  async (store, person) => {
    const order = create(person);
    await open({ isNft: order.kind === 'nft' })(store, person);
    await store.recordOrders([order], baseTime);
    return [order];
  };

/** The same, delivers or reviews the order, and does so with each later one. */
const payAndHandle =
  (create: CreateOrder, ...later: CreateOrder[]): Reach =>
  async (store, person) => {
    const orders = [...(await pay(create)(store, person))];
    await handleOrders(store, person);
    for (const createLater of later) {
      const order = createLater(person);
      orders.push(order);
      await store.recordOrders([order], baseTime);
      await handleOrders(store, person);
    }
    return orders;
  };

const resolve =
  (n = 1) =>
  (store: SqlOrderStore, person: Person) =>
    store.resolveOrder(toOrderId(person, n), 'refunded');

/** Reaches a state, and then resolves an order by hand. */
const andResolve =
  (reach: Reach, n = 1): Reach =>
  async (store, person) => {
    const orders = await reach(store, person);
    await resolve(n)(store, person);
    return orders;
  };

const first = (person: Person) => orderOf(person);
const second = (person: Person) => orderOf(person, 2);
const toAnotherWallet = (person: Person) =>
  orderOf(person, 1, { walletAddress: `${getTraces(person).wallet}-other` });
const inUnknownState = (person: Person) => orderOf(person, 1, { state: 'unknown', orderStatus: 9 });
const nft = (state: Order['state'], finishTime?: number) => (person: Person) =>
  nftOrderOf(person, state, finishTime === undefined ? {} : { finishTime });

/** Checkouts that are finished, so they are erased at once. */
const finished: Readonly<Record<string, Reach>> = {
  async 'an unopened checkout'(store, person) {
    await store.saveCheckout(checkoutOf(person));
    return [];
  },
  'an opened checkout that expired 35 days ago': open({ expiresAt: baseTime - WAIT - 1 }),
  'a delivered order': payAndHandle(first),
  'an order that was resolved before its delivery': async (store, person) => {
    const orders = await andResolve(pay(first))(store, person);
    await handleOrders(store, person);
    return orders;
  },
  'an order to another wallet that was reviewed and resolved': andResolve(
    payAndHandle(toAnotherWallet),
  ),
  'two payments, the second of which was reviewed and resolved': andResolve(
    payAndHandle(first, second),
    2,
  ),
  'an order that was reviewed for its unknown status, and delivered later': payAndHandle(
    inUnknownState,
    first,
  ),
  async 'an order that was reviewed without its checkout, and delivered later'(store, person) {
    await store.recordOrders([orderOf(person)], baseTime);
    await handleOrders(store, person);
    await store.saveCheckout(checkoutOf(person));
    await store.recordOrders([orderOf(person)], baseTime);
    await handleOrders(store, person);
    return [orderOf(person)];
  },
  'a settled NFT': payAndHandle(nft('settled')),
  'an NFT that finished 35 days ago, and was never settled': payAndHandle(
    nft('finished', baseTime - WAIT - 1),
  ),
};

interface Needed {
  readonly reach: Reach;
  /** The time until which the checkout is needed, if time alone ends that. */
  readonly until?: number;
  /** What ends it otherwise. */
  readonly end?: (store: SqlOrderStore, person: Person) => Promise<unknown>;
}

/** Checkouts that are still needed, by the reason. */
const needed: Readonly<Record<string, Readonly<Record<string, Needed>>>> = {
  'it may be paid': {
    'an opened checkout': { reach: open(), until: expiresAt + WAIT },
    'an opened checkout that has expired': {
      async reach(store, person) {
        await open({ expiresAt: baseTime - 1 })(store, person);
        await store.expireCheckouts(baseTime);
        return [];
      },
      until: baseTime - 1 + WAIT,
    },
    'a checkout whose order was announced': {
      async reach(store, person) {
        await store.saveCheckout(checkoutOf(person));
        await announceOrder(store, toReference(person), baseTime);
        return [];
      },
      until: expiresAt + WAIT,
    },
  },
  'it has a pending change': {
    'an order that is not delivered': { reach: pay(first), end: handleOrders },
    'an order whose delivery has failed': {
      async reach(store, person) {
        const orders = await pay(first)(store, person);
        await store.postponeChange(`${toOrderId(person)}:finished`, baseTime);
        return orders;
      },
      end: handleOrders,
    },
    'an order that is neither delivered nor resolved any more': {
      async reach(store, person) {
        const orders = await andResolve(pay(first))(store, person);
        await handleOrders(store, person);
        await store.resolveOrder(toOrderId(person), null);
        return orders;
      },
      end: handleOrders,
    },
    'a delivered NFT whose settlement was listed a moment ago': {
      async reach(store, person) {
        await payAndHandle(nft('finished'))(store, person);
        await store.recordOrders([nftOrderOf(person, 'settled')], baseTime);
        return [nftOrderOf(person, 'settled')];
      },
      end: handleOrders,
    },
  },
  'it has an open case': {
    'an order to another wallet': { reach: payAndHandle(toAnotherWallet), end: resolve() },
    'a second payment': { reach: payAndHandle(first, second), end: resolve(2) },
    'an order with an unknown status, resolved later': {
      reach: payAndHandle(inUnknownState),
      end: resolve(),
    },
    'an order with an unknown status, delivered later': {
      reach: payAndHandle(inUnknownState),
      async end(store, person) {
        await store.recordOrders([orderOf(person)], baseTime);
        await handleOrders(store, person);
      },
    },
    'a delivered order whose status is unknown now': {
      reach: payAndHandle(first, inUnknownState),
      end: resolve(),
    },
  },
  'it has an unsettled NFT': {
    'an NFT that is never settled': {
      reach: payAndHandle(nft('finished')),
      until: baseTime + WAIT,
    },
    'an NFT that is settled later': {
      reach: payAndHandle(nft('finished')),
      async end(store, person) {
        await store.recordOrders([nftOrderOf(person, 'settled')], baseTime + 9);
        await handleOrders(store, person);
      },
    },
  },
};

/** Returns everything that a store returns about one person's checkout. Leaves out the data of the other person. */
async function readAll(store: SqlOrderStore, person: Person) {
  const isOwn = (value: unknown) => JSON.stringify(value).includes(`-${person}`);
  const { wallet, transaction } = getTraces(person);
  const search = (text: string) => store.search({ text, limit: 100 });
  return {
    checkout: await store.findCheckout(toReference(person)),
    listed: (await store.listCheckouts({ subject: getTraces(person).subject, limit: 100 })).newest,
    orders: (await store.listOrders({ limit: 100 })).filter(isOwn),
    undelivered: (await store.listUndelivered({ limit: 100 })).filter(isOwn),
    found: await Promise.all([wallet, transaction, toReference(person)].map(search)),
  };
}

async function findTraces(store: SqlOrderStore, person: Person) {
  const text = JSON.stringify(await readAll(store, person));
  return Object.values(getTraces(person)).filter((trace) => text.includes(trace));
}

const laterStates: readonly Partial<Order>[] = [
  { state: 'settlement' },
  { state: 'settled' },
  { state: 'unknown', orderStatus: 11 },
];

const toOrderIds = (orders: readonly Order[]) => [...new Set(orders.map(({ orderId }) => orderId))];

export function testErasureConformance(
  create: (parts?: Partial<Runtime>) => Promise<SqlOrderStore>,
): void {
  /** Opens a store with the checkouts of both people in a state, and a clock that a test can set. */
  const setUp = async (reach?: Reach) => {
    const clock = { seconds: baseTime };
    const store = await create({ now: () => clock.seconds * 1000 });
    const eraseAlice = () => store.eraseSubject(getTraces('alice').subject);
    const orders = (await reach?.(store, 'alice')) ?? [];
    await reach?.(store, 'bob');
    return { store, orders, clock, eraseAlice };
  };

  describe('eraseSubject', () => {
    it.each(Object.entries(finished))(
      'erases %s for good, and nothing of others',
      async (_, reach) => {
        const { store, orders, eraseAlice } = await setUp(reach);
        const others = await readAll(store, 'bob');
        expect(await findTraces(store, 'alice')).not.toEqual([]);

        expect(await eraseAlice()).toEqual({ erased: 1, open: [] });
        expect(await findTraces(store, 'alice')).toEqual([]);
        const erased = await readAll(store, 'alice');
        expect(erased.checkout).toBeUndefined();
        const states = erased.orders.map(({ order, matchStatus }) => [order.orderId, matchStatus]);
        expect(states.sort()).toEqual(toOrderIds(orders).map((orderId) => [orderId, 'erased']));
        expect(await eraseAlice()).toEqual({ erased: 0, open: [] });

        // The service lists the orders again, also in later states.
        for (const order of orders)
          for (const later of [{}, ...laterStates])
            expect(await store.recordOrders([{ ...order, ...later }], baseTime + 9)).toBe(0);
        expect(await readAll(store, 'alice')).toEqual(erased);
        expect(await readAll(store, 'bob')).toEqual(others);
      },
    );

    const open = Object.entries(needed).flatMap(([reason, cases]) =>
      Object.entries(cases).map(([name, one]) => [name, reason, one] as const),
    );
    it.each(open)('leaves %s as it is, because %s, until that ends', async (_, __, one) => {
      const { store, orders, clock, eraseAlice } = await setUp(one.reach);
      if (one.until !== undefined) clock.seconds = one.until;
      const [own, others] = [await readAll(store, 'alice'), await readAll(store, 'bob')];
      const checkout = { reference: toReference('alice'), orderIds: toOrderIds(orders) };
      for (let call = 0; call < 2; call++)
        expect(await eraseAlice()).toEqual({ erased: 0, open: [checkout] });
      expect(await readAll(store, 'alice')).toEqual(own);
      expect(await readAll(store, 'bob')).toEqual(others);

      if (one.until !== undefined) clock.seconds++;
      await one.end?.(store, 'alice');
      expect(await eraseAlice()).toEqual({ erased: 1, open: [] });
      expect(await findTraces(store, 'alice')).toEqual([]);
      expect((await readAll(store, 'bob')).checkout).toEqual(others.checkout);
    });

    it('leaves only the ID, the state, amounts and times of an order', async () => {
      const { store, eraseAlice } = await setUp();
      const amounts = { currencyAmount: '100.00', gasFee: '1.20', gasFeeUnit: 'USD' };
      const times = { payTime: baseTime - 60, deliverTime: baseTime - 30, finishTime: baseTime };
      const payment = { payment: 'CREDIT_DEBIT_CARD', network: 'ethereum_mainnet' };
      const order = (person: Person) => orderOf(person, 1, { ...amounts, ...times, ...payment });
      await payAndHandle(order)(store, 'alice');
      await eraseAlice();
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

    it('leaves an order that staff finds by its ID only, and cannot resolve', async () => {
      const { store, eraseAlice } = await setUp();
      await payAndHandle(first)(store, 'alice');
      await eraseAlice();
      const search = async (text: string) => {
        const { checkouts, unmatched } = await store.search({ text, limit: 9 });
        return [...checkouts, ...unmatched.map(({ matchStatus }) => matchStatus)];
      };
      expect(await search(toOrderId('alice'))).toEqual(['erased']);
      expect(await search(getTraces('alice').wallet)).toEqual([]);
      expect(await search(toReference('alice'))).toEqual([]);
      expect(await store.resolveOrder(toOrderId('alice'), 'refunded')).toBeUndefined();
    });

    it('awaits no settlement of an erased NFT', async () => {
      const { store, clock, eraseAlice } = await setUp();
      await payAndHandle(nft('finished'))(store, 'alice');
      clock.seconds = baseTime + WAIT + 1;
      await eraseAlice();
      expect((await findWork(store)).unsettledSince).toBeUndefined();
    });

    it('leaves nothing that could be opened, announced or expire', async () => {
      const { store, eraseAlice } = await setUp();
      await store.saveCheckout(checkoutOf('alice'));
      await eraseAlice();
      await store.markOpened(toReference('alice'), baseTime);
      await announceOrder(store, toReference('alice'), baseTime);
      await store.markUnconfirmed([toReference('alice')]);
      expect(await store.expireCheckouts(expiresAt)).toBe(0);
      expect(await store.findCheckout(toReference('alice'))).toBeUndefined();
      expect(await findWork(store)).toEqual({ hasOpenCheckouts: false });
    });

    it('leaves a late order without its checkout, so it is reviewed as `no-checkout`', async () => {
      const { store, eraseAlice } = await setUp();
      await store.saveCheckout(checkoutOf('alice'));
      await eraseAlice();
      expect(await store.recordOrders([orderOf('alice')], baseTime)).toBe(1);
      expect(await store.listPendingChanges(baseTime, 9)).toMatchObject([
        { key: 'o-alice-1:finished', matchStatus: 'unmatched' },
      ]);
      expect(await handleOrders(store, 'alice')).toEqual([['o-alice-1', 'no-checkout']]);
    });

    it('leaves a late second payment without its checkout, and the first one erased', async () => {
      const { store, eraseAlice } = await setUp();
      await payAndHandle(first)(store, 'alice');
      await eraseAlice();
      const orders = [orderOf('alice'), orderOf('alice', 2)];
      expect(await store.recordOrders(orders, baseTime)).toBe(1);
      expect(await handleOrders(store, 'alice')).toEqual([['o-alice-2', 'no-checkout']]);
      expect(await store.listOrders({ matchStatus: 'erased', limit: 9 })).toHaveLength(1);
    });

    it('leaves a late NFT order without its checkout, although it has its order number', async () => {
      const { store, eraseAlice } = await setUp();
      await store.saveCheckout(checkoutOf('alice', { isNft: true }));
      await eraseAlice();
      await store.recordOrders([nftOrderOf('alice', 'finished', { ext: undefined })], baseTime);
      expect(await handleOrders(store, 'alice')).toEqual([['o-alice-1', 'no-checkout']]);
    });

    it('leaves an order number to the other checkout that has it', async () => {
      const { store, eraseAlice } = await setUp();
      const other = { ...checkoutOf('alice', { isNft: true }), reference: 'other', subject: 'u1' };
      await store.saveCheckout(other);
      await store.saveCheckout(checkoutOf('alice', { isNft: true }));
      await eraseAlice();
      await store.recordOrders([nftOrderOf('alice', 'finished', { ext: undefined })], baseTime);
      expect(await store.listOrders({ limit: 9 })).toMatchObject([{ reference: 'other' }]);
    });

    it('never gives an erased order to a new checkout with its order number', async () => {
      const { store, eraseAlice } = await setUp();
      await payAndHandle(nft('settled'))(store, 'alice');
      await eraseAlice();
      const newer = { ...checkoutOf('alice', { isNft: true }), reference: 'newer', subject: 'u1' };
      await store.saveCheckout(newer);
      const order = nftOrderOf('alice', 'settled', { ext: undefined });
      expect(await store.recordOrders([order], baseTime)).toBe(0);
      expect(await store.findCheckout('newer')).toMatchObject({ orders: [] });
    });

    it('erases what is finished, and names what is not, oldest first', async () => {
      const { store, eraseAlice } = await setUp();
      const { subject, wallet } = getTraces('alice');
      for (const reference of ['z', 'unopened', 'a'])
        await store.saveCheckout({ ...checkoutOf('alice'), reference });
      await store.markOpened('z', baseTime);
      const orders = ['o9', 'o1'].map((orderId) =>
        onRampOrder({ orderId, ext: 'a', walletAddress: wallet }),
      );
      await store.recordOrders(orders, baseTime);
      expect(await eraseAlice()).toEqual({
        erased: 1,
        open: [
          { reference: 'z', orderIds: [] },
          { reference: 'a', orderIds: ['o9', 'o1'] },
        ],
      });
      const { newest } = await store.listCheckouts({ subject, limit: 9 });
      expect(newest.map(({ reference }) => reference)).toEqual(['z', 'a']);
    });

    it('leaves a paid NFT while another checkout with its order number can be paid', async () => {
      const { store, eraseAlice } = await setUp();
      const older = { ...checkoutOf('alice', { isNft: true }), reference: 'older' };
      await store.saveCheckout(older);
      await store.markOpened('older', baseTime);
      await payAndHandle(nft('settled'))(store, 'alice');
      expect((await eraseAlice()).open.map(({ reference }) => reference)).toEqual([
        'older',
        toReference('alice'),
      ]);
      const again = nftOrderOf('alice', 'settled', {
        orderId: toOrderId('alice', 2),
        ext: undefined,
      });
      await store.recordOrders([again], baseTime);
      expect(await handleOrders(store, 'alice')).toEqual([[toOrderId('alice', 2), 'second-order']]);
    });

    it('leaves a paid order that waits for the state in which it is delivered', async () => {
      const { store, eraseAlice } = await setUp();
      await pay(nft('finished', baseTime - WAIT - 1))(store, 'alice');
      const [pending] = await store.listUndelivered({ limit: 1 });
      if (!pending) throw new Error('The change is missing.');
      await store.handleChange(pending, async (change, history) => {
        expect(findOutcome(change, history, 'settled')).toMatchObject({ why: 'early' });
        return history;
      });
      expect(await eraseAlice()).toMatchObject({ erased: 0 });
      await store.recordOrders([nftOrderOf('alice', 'settled')], baseTime);
      await handleOrders(store, 'alice');
      expect(await eraseAlice()).toEqual({ erased: 1, open: [] });
    });

    it('erases each checkout once in two concurrent calls', async () => {
      const { store, eraseAlice } = await setUp();
      await payAndHandle(first)(store, 'alice');
      await store.saveCheckout({ ...checkoutOf('alice'), reference: 'unopened' });
      const results = await Promise.all([eraseAlice(), eraseAlice()]);
      expect(results.map(({ erased }) => erased).sort()).toEqual([0, 2]);
      expect(results.flatMap((result) => result.open)).toEqual([]);
    });

    it('takes a subject of any text and length for itself only', async () => {
      const { store } = await setUp();
      const long = 'x'.repeat(301);
      const keyOfLong = `sha256:${createHash('sha256').update(long).digest('hex')}`;
      const subjects = ['\0', '\ud800', '%', keyOfLong, long, `${long}x`, 'u', 'U'];
      for (const [i, subject] of subjects.entries())
        await store.saveCheckout(onRampCheckout({ reference: `r${i}`, subject }));
      for (const [i, subject] of subjects.entries()) {
        expect(await store.eraseSubject(subject)).toEqual({ erased: 1, open: [] });
        expect(await store.findCheckout(`r${i}`)).toBeUndefined();
        if (i + 1 < subjects.length) expect(await store.findCheckout(`r${i + 1}`)).toBeDefined();
      }
    });

    it('erases a new checkout of the subject only when it is called again', async () => {
      const { store, eraseAlice } = await setUp();
      await eraseAlice();
      await store.saveCheckout(checkoutOf('alice'));
      expect(await store.findCheckout(toReference('alice'))).toBeDefined();
      expect(await eraseAlice()).toEqual({ erased: 1, open: [] });
    });

    it('uses the clock of the process', async () => {
      const store = await create();
      const now = Math.floor(Date.now() / 1000);
      for (const [reference, expiresAt] of Object.entries({ old: now - WAIT - 60, recent: now })) {
        await store.saveCheckout(onRampCheckout({ reference, expiresAt }));
        await store.markOpened(reference, baseTime);
      }
      const open = [{ reference: 'recent', orderIds: [] }];
      expect(await store.eraseSubject('u1')).toEqual({ erased: 1, open });
    });

    it('refuses what is not a subject', async () => {
      const store = await create();
      for (const subject of ['', undefined, null, 7, {}])
        await expect(store.eraseSubject(subject as never)).rejects.toMatchObject({
          code: 'ERR_CONFIG_INVALID',
        });
    });
  });
}
