import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Order } from '../../src/protocol/index.js';
import { toCheckoutResponse } from '../../src/server/handler/status.js';
import type { Checkout, OrderStore } from '../../src/server/index.js';
import { handleChanges } from '../support/server/handleChanges.js';
import {
  baseTime,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  onRampOrder,
} from '../support/server/orderFixtures.js';
import { findWork } from '../support/server/syncStates.js';
import { testRuntime } from '../support/server/testRuntime.js';

/** When all checkouts expire. It is also the tests' current time, so they may expire at any point of a sequence. */
const expiresAt = baseTime;
const settings = {
  runtime: testRuntime({ now: () => baseTime * 1000 }),
};
const long = { timeout: 120_000 };

/**
 * Something that happens to the checkouts of a round: the service lists orders, a sync does not find the order that a
 * webhook announced (`hinted`), or the checkouts expire. The events of a round may arrive in any order.
 */
type Arrival =
  | { readonly listed: readonly Order[] }
  | { readonly hinted: string }
  | { readonly expired: true };

async function arrive(store: OrderStore, arrival: Arrival): Promise<void> {
  if ('listed' in arrival) await store.recordOrders(arrival.listed, baseTime);
  else if ('hinted' in arrival) await store.markUnconfirmed([arrival.hinted]);
  else await store.expireCheckouts(baseTime);
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) =>
    permutations(items.filter((_, j) => j !== i)).map((rest) => [item, ...rest]),
  );
}

/** Makes the names of checkouts and orders unique, because all rounds of a test use the same store. */
const named = (round: number) => (name: string) => `${name}-${round}`;
type Names = ReturnType<typeof named>;

interface Scene {
  readonly checkouts: (name: Names) => readonly Checkout[];
  readonly arrivals: (name: Names) => readonly Arrival[];
}

const nft = (name: Names, state: Order['state'], given: { details?: object } = {}) =>
  nftOrder(state, {
    orderId: name('o'),
    ext: name('r'),
    ...given,
    details: { merchantOrderNo: name('n'), ...given.details },
  });
const namedNft = (name: Names) => {
  const { params } = nftCheckout();
  return nftCheckout({
    reference: name('r'),
    expiresAt,
    params: { ...params, merchantOrderNo: name('n') },
  });
};
const states = ['finished', 'settlement', 'settled'] as const;

const scenes: Record<string, Scene> = {
  'an NFT order in each of its states, a hint and the expiry': {
    checkouts: (name) => [namedNft(name)],
    arrivals: (name) => [
      ...states.map((state) => ({ listed: [nft(name, state)] })),
      { hinted: name('r') },
      { expired: true },
    ],
  },
  'an NFT order that differs from its checkout, in each of its states': {
    checkouts: (name) => [namedNft(name)],
    arrivals: (name) => [
      ...states.map((state) => ({
        listed: [nft(name, state, { details: { contractAddress: '0xother' } })],
      })),
      { hinted: name('r') },
      { expired: true },
    ],
  },
  'two orders of an on-ramp checkout, one of them to another wallet, and an unmatched order': {
    checkouts: (name) => [onRampCheckout({ reference: name('r'), expiresAt })],
    arrivals: (name) => [
      { listed: [onRampOrder({ orderId: name('o'), ext: name('r') })] },
      { listed: [onRampOrder({ orderId: name('p'), ext: name('r'), walletAddress: '0x2' })] },
      { listed: [onRampOrder({ orderId: name('f'), ext: name('theirs') })] },
      { hinted: name('r') },
      { expired: true },
    ],
  },
  'an order with a state that is not documented, then finished': {
    checkouts: (name) => [namedNft(name)],
    arrivals: (name) => [
      { listed: [nft(name, 'unknown')] },
      { listed: [nft(name, 'finished'), nft(name, 'unknown')] },
      { listed: [nft(name, 'settled')] },
      { hinted: name('r') },
      { expired: true },
    ],
  },
};

const checkoutNames = ['a', 'b', 'c', 'd', 'e', 'f'];
const prefixed =
  (name: Names, prefix: string): Names =>
  (part) =>
    name(`${prefix}${part}`);

/** Six checkouts, alternately on-ramp and NFT. */
const manyCheckouts: Scene = {
  checkouts: (name) =>
    checkoutNames.map((one, i) =>
      i % 2
        ? namedNft(prefixed(name, one))
        : onRampCheckout({ reference: name(`${one}r`), expiresAt }),
    ),
  arrivals: (name) =>
    checkoutNames.flatMap((one, i): Arrival[] => [
      ...(i % 2
        ? states.map((state) => ({
            listed: [nft(prefixed(name, one), state, i === 3 ? { details: { type: 'BUY' } } : {})],
          }))
        : ['o', 'p'].map((id) => ({
            listed: [onRampOrder({ orderId: name(`${one}${id}`), ext: name(`${one}r`) })],
          }))),
      { hinted: name(`${one}r`) },
    ]),
};

/** Returns what can be observed of a round at its end. Removes the round from names, so that rounds can be compared. */
async function readState(store: OrderStore, scene: Scene, round: number) {
  const { arrivals } = scene;
  const name = named(round);
  const orderIds = new Set(
    arrivals(name).flatMap((one) => ('listed' in one ? one.listed.map((o) => o.orderId) : [])),
  );
  const checkouts = await Promise.all(
    scene.checkouts(name).map(async ({ reference }) => {
      const checkout = await store.findCheckout(reference);
      if (!checkout) throw new Error(`${reference} is missing.`);
      const sorted = [...checkout.orders].sort((a, b) =>
        a.order.orderId < b.order.orderId ? -1 : 1,
      );
      // Which of two orders is the later one depends on the sequence of arrival. So only compare how many are later.
      const later = sorted.filter((record) => 'isLaterOrder' in record).length;
      const orders = sorted.map((record) => ({ ...record, isLaterOrder: undefined }));
      const { progress } = toCheckoutResponse(checkout, settings);
      return { progress, later, orders };
    }),
  );
  const pending = await store.listPendingChanges(baseTime, 1000);
  const unmatched = pending
    .filter(
      ({ matchStatus, record }) =>
        matchStatus === 'unmatched' && orderIds.has(record.order.orderId),
    )
    .map(({ record }) => record);
  // Compare only the last known state of each order, because the changes before it depend on the sequence of arrival. An
  // unknown status is a change whenever it arrives.
  const last = new Map<string, string>();
  for (const { key, record } of pending) {
    const { orderId, state } = record.order;
    if (orderIds.has(orderId)) last.set(state === 'unknown' ? key : orderId, key);
  }
  await handleChanges(store, pending);
  const changes = [...last.values()].sort();
  const isOpen = (await findWork(store)).hasOpenCheckouts;
  const text = JSON.stringify({ checkouts, unmatched, changes, isOpen });
  return JSON.parse(text.replaceAll(`-${round}`, ''));
}

/**
 * Tests that a store ends in the same state, in whatever sequence the same events arrive.
 *
 * @param every - Tests only every nth permutation, and one nth of the random sequences.
 */
export function testChangeArrival(open: () => Promise<OrderStore> | OrderStore, every = 1): void {
  describe('the same changes', () => {
    it.each(Object.entries(scenes))(
      'have the same final state in any sequence: %s',
      long,
      async (_, scene) => {
        const store = await open();
        const orders = permutations([...scene.arrivals(String).keys()]);
        let wanted: unknown;
        for (let round = 0; round < orders.length; round += every) {
          const order = orders[round] as number[];
          for (const checkout of scene.checkouts(named(round))) await store.saveCheckout(checkout);
          const arrivals = scene.arrivals(named(round));
          for (const i of order) await arrive(store, arrivals[i] as Arrival);
          const found = await readState(store, scene, round);
          wanted ??= found;
          expect(found, `in the order ${order}`).toEqual(wanted);
        }
        expect(wanted).toMatchObject({ isOpen: false });
      },
    );

    it(
      'have the same final state for many checkouts, with any pages and repetitions',
      long,
      async () => {
        const store = await open();
        let round = 0;
        const count = manyCheckouts.arrivals(String).length;
        const arbitrary = fc.record({
          order: fc.shuffledSubarray([...Array(count).keys()], { minLength: count }),
          again: fc.array(fc.nat(count - 1), { maxLength: 10 }),
          expiry: fc.nat(count),
          page: fc.integer({ min: 1, max: 6 }),
        });
        let wanted: unknown;
        await fc.assert(
          fc.asyncProperty(arbitrary, async ({ order, again, expiry, page }) => {
            const name = named(++round);
            for (const checkout of manyCheckouts.checkouts(name))
              await store.saveCheckout(checkout);
            const all = manyCheckouts.arrivals(name);
            const coming = [...order, ...again].map((i) => all[i] as Arrival);
            coming.splice(expiry, 0, { expired: true });
            // Record consecutive orders together, as the tracker does, in pages of `page` orders.
            let listed: Order[] = [];
            const flush = async () => {
              await store.recordOrders(listed, baseTime);
              listed = [];
            };
            for (const one of coming) {
              if ('listed' in one) listed.push(...one.listed);
              if (listed.length >= page || !('listed' in one)) await flush();
              if (!('listed' in one)) await arrive(store, one);
            }
            await flush();
            const found = await readState(store, manyCheckouts, round);
            wanted ??= found;
            expect(found).toEqual(wanted);
          }),
          { numRuns: Math.ceil(60 / every) },
        );
      },
    );
  });
}
