import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createOrderTracker, memoryOrderStore } from '../../../src/server/index.js';
import { type ListedOrder, orderList } from '../../support/order-list.js';
import { at } from '../../support/orders.js';
import { apiOf, sharedUpstream } from '../../support/upstream.js';

const DAY = 86_400;
const upstream = sharedUpstream();
const secret = '0xdeadbeef';
const bad = (orderId: string, finishTime: number): ListedOrder => ({
  orderId,
  finishTime,
  broken: { currencyAmount: { nested: secret }, walletAddress: secret },
});

describe('a list with an order that cannot be read', () => {
  let clock = at;
  beforeEach(() => {
    clock = at;
  });
  const made = (orders: readonly ListedOrder[]) => {
    const list = orderList(orders);
    upstream.answerWith(list.answer);
    const store = memoryOrderStore();
    const onError = vi.fn<(error: unknown) => void>();
    const handedOn: string[] = [];
    const tracker = createOrderTracker({
      api: apiOf(upstream),
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
      ...Array.from({ length: 150 }, (_, i) => ({ orderId: `a${i}`, finishTime: at - 5000 + i })),
      bad('broken-1', at - 4900),
      { orderId: 'last', finishTime: at - 10 },
    ]);
    await tracker.sweep();
    expect(handedOn).toHaveLength(151);
    expect(handedOn).toContain('last');
    expect(await store.readWatermark()).toBe(at);
    expect(tracker.report).toMatchObject({ listed: 151, recorded: 151, malformed: 1, endedAt: at });
    expect(onError.mock.calls).toEqual([
      [
        expect.objectContaining({
          code: 'ERR_RESPONSE_INVALID',
          message:
            'Order broken-1 is not as section 2.6 describes it: currencyAmount must be a decimal number.',
        }),
      ],
    ]);
    expect(JSON.stringify(onError.mock.calls)).not.toContain(secret);
  });

  it('is told of once a day, and stays in the report', async () => {
    const { tracker, onError } = made([bad('broken-1', at - 100)]);
    for (let minute = 0; minute < 60; minute++) {
      await tracker.sweep();
      expect(tracker.report?.malformed).toBe(1);
      clock += 60;
    }
    expect(onError).toHaveBeenCalledOnce();
    clock = at + DAY;
    await tracker.sweep();
    expect(onError).toHaveBeenCalledTimes(2);
  });

  it('has it handed on by the next sweep once it is mended', async () => {
    const { tracker, handedOn, mend } = made([bad('broken-1', at - 100)]);
    await tracker.sweep();
    mend();
    clock += 600;
    await tracker.sweep();
    expect(handedOn).toEqual(['broken-1']);
    expect(tracker.report?.malformed).toBe(0);
  });

  it('has it handed on by the daily sweep when it is mended days later', async () => {
    const { tracker, handedOn, mend } = made([bad('broken-1', at - 100)]);
    for (let day = 0; day < 3; day++) {
      await tracker.sweep();
      clock += DAY;
    }
    mend();
    await tracker.sweep();
    expect(handedOn).toEqual(['broken-1']);
  });

  it('does not tell of more than a hundred', async () => {
    const { tracker, onError } = made(
      Array.from({ length: 300 }, (_, i) => bad(`broken-${i}`, at - 1000 + i)),
    );
    await tracker.sweep();
    expect(onError).toHaveBeenCalledTimes(100);
    expect(tracker.report?.malformed).toBe(300);
  });
});

describe('createPartnerApi', () => {
  const range = { startTime: at - 100, endTime: at };

  it('hands out the others when onMalformed hears of it', async () => {
    upstream.answerWith(
      orderList([bad('broken-1', at - 9), { orderId: 'good', finishTime: at - 8 }]).answer,
    );
    const onMalformed = vi.fn();
    const ids: string[] = [];
    for await (const { orderId } of apiOf(upstream).eachOrder(range, { onMalformed }))
      ids.push(orderId);
    expect(ids).toEqual(['good']);
    expect(onMalformed).toHaveBeenCalledOnce();
  });

  it('refuses the page in orders(), and eachOrder ends, when nobody hears of it', async () => {
    upstream.answerWith(orderList([bad('broken-1', at - 9)]).answer);
    const api = apiOf(upstream);
    const invalid = { code: 'ERR_RESPONSE_INVALID' };
    await expect(api.orders({ ...range, page: 1, size: 20 })).rejects.toMatchObject(invalid);
    const read = async () => {
      for await (const _ of api.eachOrder(range));
    };
    await expect(read()).rejects.toMatchObject(invalid);
  });

  it('takes a function alone as onMalformed', () => {
    expect(() => apiOf(upstream).eachOrder(range, { onMalformed: 'log' as never })).toThrow(
      expect.objectContaining({ code: 'ERR_PARAMS_INVALID' }),
    );
  });
});
