import { describe, expect, it } from 'vitest';
import type { OrdersQuery } from '../../../../src/server/partner-api/orders.js';
import { eachOrder } from '../../../../src/server/partner-api/orders.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../../support/server/orderFixtures.js';
import { setUpStartedTrackers } from '../../../support/server/setUpTrackers.js';

const { started, pass } = setUpStartedTrackers();

describe('createOrderTracker', () => {
  it('hands over every order within seconds while the list grows four times a second', async () => {
    const seconds = () => Date.now() / 1000;
    const orders = Array.from({ length: 360 }, (_, i) => ({
      listedAt: baseTime + i / 4,
      // Each order is listed 20 seconds after it finished.
      order: onRampOrder({
        orderId: `o${i}`,
        ext: undefined,
        finishTime: baseTime + (i >> 2) - 20,
      }),
    }));
    const totals: number[] = [];
    const readPage = async ({ startTime, endTime, page = 1, size = 20 }: OrdersQuery) => {
      await new Promise((done) => setTimeout(done, 50));
      const found = orders
        .filter(({ listedAt }) => listedAt <= seconds())
        .map(({ order }) => order)
        .filter(({ finishTime = 0 }) => finishTime >= startTime && finishTime <= endTime);
      totals.push(found.length);
      const list = found.slice((page - 1) * size, page * size);
      return { page, size, totalCount: found.length, list, malformed: [] };
    };
    const reviewedAt = new Map<string, number>();
    const { tracker, store, errors } = started({
      api: { eachOrder: (range) => eachOrder(readPage, range, 86_400) },
      pollSeconds: 10,
      maxPollSeconds: 10,
      // The orders belong to no checkout.
      review: ({ orderId }) => void reviewedAt.set(orderId, seconds()),
    });
    await store.saveCheckout(onRampCheckout());
    await pass(90);
    const stopped = tracker.stop();
    await pass(5);
    await stopped;
    expect(errors).toEqual([]);
    // The service returned more than 20 different totals, so the list grew while syncs read it.
    expect(new Set(totals).size).toBeGreaterThan(20);
    const due = orders.filter(({ listedAt }) => listedAt <= baseTime + 70);
    const delays = due.map(
      ({ order, listedAt }) => (reviewedAt.get(order.orderId) ?? Number.NaN) - listedAt,
    );
    expect(Math.max(...delays)).toBeLessThanOrEqual(20);
    expect(delays.sort((a, b) => a - b)[delays.length >> 1]).toBeLessThanOrEqual(10);
  });
});
