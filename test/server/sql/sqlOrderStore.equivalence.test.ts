import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Order } from '../../../src/protocol/index.js';
import {
  type CheckoutRecord,
  memoryOrderStore,
  type OrderStore,
  type PendingChange,
  type ReviewReason,
} from '../../../src/server/index.js';
import { sqlOrderStore } from '../../../src/server/sql/index.js';
import { sqlDatabases } from '../../support/database/sqlDatabases.js';
import { announceOrder } from '../../support/server/announceOrder.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../../support/server/orderFixtures.js';
import { purgeBefore } from '../../support/server/purgeBefore.js';
import { caseStep } from '../../support/server/sampleCases.js';
import { findWork } from '../../support/server/syncStates.js';

type Step = (store: OrderStore) => Promise<unknown>;

const references = ['r1', 'r2', 'r3', 'r4'];
const reference = fc.constantFrom(...references);
const merchantOrderNo = fc.constantFrom('n-1', 'n-2', undefined);
const orderId = fc.constantFrom('o1', 'o2', 'o3', 'é\0', 'x'.repeat(400));
const state = fc.constantFrom<Order['state']>('unknown', 'finished', 'settlement', 'settled');
const isNft = fc.boolean();
const within = (min: number, max: number) =>
  fc.integer({ min: baseTime + min, max: baseTime + max });

/** Arbitrary orders with few different IDs and references, so that several often have the same ID or checkout. */
const order = fc
  .record({
    isNft,
    state,
    isAsBound: fc.boolean(),
    merchantOrderNo,
    names: fc.record({ orderId, ext: fc.option(reference, { nil: undefined }) }),
    times: fc.record({ finishTime: fc.option(within(-9, -5), { nil: undefined }) }),
  })
  .map(({ isNft, state, isAsBound, merchantOrderNo, names, times }): Order => {
    const given = { ...names, ...times };
    if (!isNft)
      return onRampOrder({
        ...given,
        state: state === 'unknown' ? state : 'finished',
        ...(!isAsBound && { walletAddress: '0x9' }),
      });
    return nftOrder(state, {
      ...given,
      details: { merchantOrderNo, ...(!isAsBound && { mintQuantity: 9 }) },
    });
  });

const subject = fc.constantFrom('u1', 'u2');

const checkout = fc
  .record({
    isNft,
    reference,
    merchantOrderNo,
    subject,
    createdAt: within(-3, -1),
    expiresAt: within(-3, 30),
  })
  .map(({ isNft, merchantOrderNo, ...given }) => {
    const { params, ...made } = (isNft ? nftCheckout : onRampCheckout)(given);
    return { ...made, params: { ...params, ...(merchantOrderNo && { merchantOrderNo }) } };
  });

/** What a delivery or a review may record. */
const history = fc.record(
  {
    deliveredAt: within(0, 9),
    reviewedFor: fc.uniqueArray(
      fc.constantFrom<ReviewReason>('wallet', 'no-checkout', 'status-after-end'),
      { minLength: 1 },
    ),
  },
  { requiredKeys: [] },
);

const key = fc.tuple(orderId, state).map(([orderId, state]) => `${orderId}:${state}`);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: checkout.map(
      (one): Step =>
        (store) =>
          store.saveCheckout(one).catch(({ message }) => message),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(fc.array(order, { maxLength: 4 }), within(0, 9)).map(
      ([orders, time]): Step =>
        (store) =>
          store.recordOrders(orders, time),
    ),
  },
  fc.uniqueArray(reference, { maxLength: 2 }).map(
    (marked): Step =>
      (store) =>
        store.markUnconfirmed(marked),
  ),
  fc.tuple(reference, within(0, 9)).map(
    (opened): Step =>
      (store) =>
        store.markOpened(...opened),
  ),
  fc.tuple(reference, within(0, 9)).map(
    (announced): Step =>
      (store) =>
        announceOrder(store, ...announced),
  ),
  within(-3, 35).map(
    (time): Step =>
      (store) =>
        store.expireCheckouts(time),
  ),
  fc.record({ announcedSince: within(-3, 10), unsettledSince: within(-30, 3) }).map(
    (query): Step =>
      (store) =>
        store.findWork(query),
  ),
  {
    weight: 4,
    arbitrary: fc.record({ orderId, nth: fc.nat(2), history, isRefused: fc.boolean() }).map(
      ({ orderId, nth, history, isRefused }): Step =>
        async (store) => {
          const pending = await store.listPendingChanges(baseTime + 99, 100);
          const listed = pending.filter(({ record }) => record.order.orderId === orderId);
          const change = listed[nth % listed.length];
          const seen: unknown[] = [];
          const handle = (one: PendingChange) =>
            store
              .handleChange(one, async (now, before) => {
                seen.push(now, before);
                if (isRefused) throw new Error('closed');
                return { ...before, ...history };
              })
              .catch(({ message }) => message);
          // The second call finds no such change any more, unless the first one was refused.
          return change && [await handle(change), await handle(change), seen];
        },
    ),
  },
  // These times purge no checkout, because none expires before them. Otherwise the stores would differ: the memory
  // store stops at the first checkout that is too new.
  within(-9, -3).map(
    (time): Step =>
      (store) =>
        purgeBefore(store, time),
  ),
  fc.tuple(key, within(0, 9)).map(
    (postponed): Step =>
      (store) =>
        store.postponeChange(...postponed),
  ),
);

/** Converts results whose sequence is undefined to sorted JSON, so that they can be compared. */
const sorted = (all: readonly unknown[]) => all.map((one) => JSON.stringify(one)).sort();

const knownTo = async (store: OrderStore) => ({
  checkouts: await Promise.all(
    references.map(async (one) => {
      const { orders = [], ...checkout } = (await store.findCheckout(one)) ?? {};
      return { ...checkout, orders: sorted(orders) };
    }),
  ),
  lists: await Promise.all(
    ['u1', 'u2'].map(async (subject) => {
      const { newest, named } = await store.listCheckouts({ subject, references, limit: 3 });
      const describe = ({ reference, orders }: CheckoutRecord) => [reference, orders.length];
      return [newest.map(describe), named.map(describe).sort()];
    }),
  ),
  pending: await store.listPendingChanges(baseTime + 99, 100),
  announced: await store.listAnnouncedOrders(0, 9),
  work: await findWork(store),
});

describe.each(sqlDatabases)('sqlOrderStore on %s', (_, open) => {
  it('has the same results and state as memoryOrderStore for any calls', async () => {
    const kysely = (await open()).connect() as Kysely<Record<string, Record<string, unknown>>>;
    const store = sqlOrderStore(kysely);
    await store.readSyncState();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        for (const table of ['checkouts', 'orders', 'changes'])
          await kysely.deleteFrom(`ramp_${table}`).execute();
        const memory = memoryOrderStore();
        for (const take of steps) expect(await take(store)).toEqual(await take(memory));
        expect(await knownTo(store)).toEqual(await knownTo(memory));
      }),
      { numRuns: 300 / caseStep(6) },
    );
  }, 120_000);
});
