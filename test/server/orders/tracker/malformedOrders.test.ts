import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createOrderTracker, memoryOrderStore } from '../../../../src/server/index.js';
import { fakeOrderList, type ListedOrder } from '../../../support/server/fakeOrderList.js';
import { baseTime } from '../../../support/server/orderFixtures.js';
import { createTestApi, setUpUpstream } from '../../../support/server/startUpstream.js';

const DAY = 86_400;
const upstream = setUpUpstream();
const secret = '0xdeadbeef';
const bad = (orderId: string, finishTime: number): ListedOrder => ({
  orderId,
  finishTime,
  broken: { currencyAmount: { nested: secret }, walletAddress: secret },
});

describe('a list with an order that cannot be read', () => {
  let clock = baseTime;
  beforeEach(() => {
    clock = baseTime;
  });
  const made = (orders: readonly ListedOrder[]) => {
    const list = fakeOrderList(orders);
    upstream.respondWith(list.answer);
    const store = memoryOrderStore();
    const onError = vi.fn<(error: unknown) => void>();
    const handedOn: string[] = [];
    const tracker = createOrderTracker({
      api: createTestApi(upstream),
      store,
      onError,
      onOrderChange: ({ record }) => void handedOn.push(record.order.orderId),
      now: () => clock * 1000,
    });
    const mend = () => {
      list.orders = list.orders.map(({ broken: _, ...order }) => order);
    };
    return { tracker, store, onError, handedOn, mend };
  };

  it('is read to its end: the others are handed on, and it is told of by its number alone', async () => {
    const { tracker, store, onError, handedOn } = made([
      ...Array.from({ length: 150 }, (_, i) => ({
        orderId: `a${i}`,
        finishTime: baseTime - 5000 + i,
      })),
      bad('broken-1', baseTime - 4900),
      { orderId: 'last', finishTime: baseTime - 10 },
    ]);
    await tracker.sync();
    expect(handedOn).toHaveLength(151);
    expect(handedOn).toContain('last');
    expect(await store.readWatermark()).toBe(baseTime);
    expect(tracker.report).toMatchObject({
      listed: 151,
      recorded: 151,
      malformed: 1,
      endedAt: baseTime,
    });
    expect(onError.mock.calls).toEqual([
      [
        expect.objectContaining({
          code: 'ERR_RESPONSE_INVALID',
          message:
            'Order broken-1 does not match docs/service-interface.md section 2.6: currencyAmount must be a decimal number.',
        }),
      ],
    ]);
    expect(JSON.stringify(onError.mock.calls)).not.toContain(secret);
  });

  it('is told of once a day, and stays in the report', async () => {
    const { tracker, onError } = made([bad('broken-1', baseTime - 100)]);
    for (let minute = 0; minute < 60; minute++) {
      await tracker.sync();
      expect(tracker.report?.malformed).toBe(1);
      clock += 60;
    }
    expect(onError).toHaveBeenCalledOnce();
    clock = baseTime + DAY;
    await tracker.sync();
    expect(onError).toHaveBeenCalledTimes(2);
  });

  it('has it handed on by the next sync once it is mended', async () => {
    const { tracker, handedOn, mend } = made([bad('broken-1', baseTime - 100)]);
    await tracker.sync();
    mend();
    clock += 600;
    await tracker.sync();
    expect(handedOn).toEqual(['broken-1']);
    expect(tracker.report?.malformed).toBe(0);
  });

  it('has it handed on by the daily sync when it is mended days later', async () => {
    const { tracker, handedOn, mend } = made([bad('broken-1', baseTime - 100)]);
    for (let day = 0; day < 3; day++) {
      await tracker.sync();
      clock += DAY;
    }
    mend();
    await tracker.sync();
    expect(handedOn).toEqual(['broken-1']);
  });

  it('does not tell of more than a hundred', async () => {
    const { tracker, onError } = made(
      Array.from({ length: 300 }, (_, i) => bad(`broken-${i}`, baseTime - 1000 + i)),
    );
    await tracker.sync();
    expect(onError).toHaveBeenCalledTimes(100);
    expect(tracker.report?.malformed).toBe(300);
  });
});

describe('createPartnerApi', () => {
  const range = { startTime: baseTime - 100, endTime: baseTime };

  it('hands out the others when onMalformed hears of it', async () => {
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

  it('refuses the page in orders(), and eachOrder ends, when nobody hears of it', async () => {
    upstream.respondWith(fakeOrderList([bad('broken-1', baseTime - 9)]).answer);
    const api = createTestApi(upstream);
    const invalid = { code: 'ERR_RESPONSE_INVALID' };
    await expect(api.orders({ ...range, page: 1, size: 20 })).rejects.toMatchObject(invalid);
    const read = async () => {
      for await (const _ of api.eachOrder(range));
    };
    await expect(read()).rejects.toMatchObject(invalid);
  });

  it('takes a function alone as onMalformed', () => {
    expect(() => createTestApi(upstream).eachOrder(range, { onMalformed: 'log' as never })).toThrow(
      expect.objectContaining({ code: 'ERR_PARAMS_INVALID' }),
    );
  });
});
