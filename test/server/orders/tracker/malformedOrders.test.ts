import { beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { createOrderTracker } from '../../../../src/server/orders/tracker/createOrderTracker.js';
import { fakeOrderList, type ListedOrder } from '../../../support/server/fakeOrderList.js';
import { baseTime } from '../../../support/server/orderFixtures.js';
import { createTestApi, setUpUpstream } from '../../../support/server/startUpstream.js';
import { testRuntime } from '../../../support/server/testRuntime.js';

const DAY = 86_400;
const upstream = setUpUpstream();
const secret = '0xdeadbeef';
const bad = (orderId: string, finishTime: number): ListedOrder => ({
  orderId,
  finishTime,
  broken: { currencyAmount: { nested: secret }, walletAddress: secret },
});

describe('createOrderTracker with a malformed order in the list', () => {
  let clock = baseTime;
  beforeEach(() => {
    clock = baseTime;
  });
  const open = (orders: readonly ListedOrder[]) => {
    const list = fakeOrderList(orders);
    upstream.respondWith(list.answer);
    const store = memoryOrderStore();
    const onError = vi.fn<(error: unknown) => void>();
    const reviewed: string[] = [];
    const tracker = createOrderTracker(
      {
        api: createTestApi(upstream),
        store,
        onError,
        deliver() {},
        // The orders belong to no checkout.
        review: ({ orderId }) => void reviewed.push(orderId),
      },
      testRuntime({ now: () => clock * 1000 }),
    );
    const correct = () => {
      list.orders = list.orders.map(({ broken: _, ...order }) => order);
    };
    return { tracker, store, onError, reviewed, correct };
  };

  it('hands over the other orders, and reports only the ID of the malformed order', async () => {
    const { tracker, onError, reviewed } = open([
      ...Array.from({ length: 150 }, (_, i) => ({
        orderId: `a${i}`,
        finishTime: baseTime - 5000 + i,
      })),
      bad('broken-1', baseTime - 4900),
      { orderId: 'last', finishTime: baseTime - 10 },
    ]);
    expect(await tracker.sync()).toMatchObject({ listed: 151, recorded: 151, malformed: 1 });
    expect(reviewed).toHaveLength(151);
    expect(reviewed).toContain('last');
    expect((await tracker.status()).syncedAt).toBe(baseTime);
    expect(onError.mock.calls).toEqual([
      [
        expect.objectContaining({
          code: 'ERR_RESPONSE_INVALID',
          message:
            'Order broken-1 does not match section 2.6 of the service interface: currencyAmount must be a decimal number.',
        }),
      ],
    ]);
    expect(JSON.stringify(onError.mock.calls)).not.toContain(secret);
  });

  it('calls onError once a day, and counts the order in every report', async () => {
    const { tracker, onError } = open([bad('broken-1', baseTime - 100)]);
    for (let minute = 0; minute < 60; minute++) {
      expect(await tracker.sync()).toMatchObject({ malformed: 1 });
      clock += 60;
    }
    expect(onError).toHaveBeenCalledOnce();
    clock = baseTime + DAY;
    await tracker.sync();
    expect(onError).toHaveBeenCalledTimes(2);
  });

  it('hands over the order at the next sync after the service corrected it', async () => {
    const { tracker, reviewed, correct } = open([bad('broken-1', baseTime - 100)]);
    await tracker.sync();
    correct();
    clock += 600;
    expect(await tracker.sync()).toMatchObject({ malformed: 0 });
    expect(reviewed).toEqual(['broken-1']);
  });

  it('hands over the order at the daily sync if the service corrects it days later', async () => {
    const { tracker, reviewed, correct } = open([bad('broken-1', baseTime - 100)]);
    for (let day = 0; day < 3; day++) {
      await tracker.sync();
      clock += DAY;
    }
    correct();
    await tracker.sync();
    expect(reviewed).toEqual(['broken-1']);
  });

  it('reports at most a hundred malformed orders', async () => {
    const { tracker, onError } = open(
      Array.from({ length: 300 }, (_, i) => bad(`broken-${i}`, baseTime - 1000 + i)),
    );
    expect(await tracker.sync()).toMatchObject({ malformed: 300 });
    expect(onError).toHaveBeenCalledTimes(100);
  });
});

describe('createPartnerApi', () => {
  const range = { startTime: baseTime - 100, endTime: baseTime };

  it('yields the other orders, and calls onMalformed for a malformed one', async () => {
    upstream.respondWith(
      fakeOrderList([bad('broken-1', baseTime - 9), { orderId: 'good', finishTime: baseTime - 8 }])
        .answer,
    );
    const onMalformed = vi.fn();
    const ids: string[] = [];
    for await (const { orderId } of createTestApi(upstream).eachOrder(range, { onMalformed }))
      ids.push(orderId);
    expect(ids).toEqual(['good']);
    expect(onMalformed).toHaveBeenCalledOnce();
  });

  it('throws in orders() and in eachOrder() without onMalformed', async () => {
    upstream.respondWith(fakeOrderList([bad('broken-1', baseTime - 9)]).answer);
    const api = createTestApi(upstream);
    const invalid = { code: 'ERR_RESPONSE_INVALID' };
    await expect(api.orders({ ...range, page: 1, size: 20 })).rejects.toMatchObject(invalid);
    const read = async () => {
      for await (const _ of api.eachOrder(range));
    };
    await expect(read()).rejects.toMatchObject(invalid);
  });

  it('refuses an onMalformed that is not a function', () => {
    expect(() => createTestApi(upstream).eachOrder(range, { onMalformed: 'log' as never })).toThrow(
      expect.objectContaining({ code: 'ERR_PARAMS_INVALID' }),
    );
  });
});
