import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OrderPage, parseOrderPage } from '../../../src/protocol/api/parseResources.js';
import type { RampError } from '../../../src/protocol/errors/RampError.js';
import type { Order } from '../../../src/protocol/index.js';
import { eachOrder, type OrdersQuery } from '../../../src/server/partner-api/orders.js';

const DAY = 86_400;

const order = (id: number, finishTime: number, orderStatus = 3): Order => ({
  orderId: `o${id}`,
  orderStatus,
  kind: 'on-ramp',
  state: 'finished',
  finishTime,
  nftDetails: [],
});

/** Creates a service that lists `orders`. By default a range includes the orders at its start and end time. */
function serviceWith(
  orders: Order[],
  { maxRunning = Number.POSITIVE_INFINITY, excludesStart = false, excludesEnd = false } = {},
) {
  const queries: OrdersQuery[] = [];
  return {
    queries,
    /** Called before each response with the number of earlier requests. A test may replace it to change the list. */
    before: (_: number) => {},
    async readPage(query: OrdersQuery): Promise<OrderPage> {
      this.before(queries.length);
      queries.push(query);
      const { startTime, endTime, page = 1, size = 20 } = query;
      const pageSize = Math.min(size, maxRunning);
      const found = orders.filter(
        ({ finishTime = 0 }) =>
          finishTime >= startTime + Number(excludesStart) &&
          finishTime <= endTime - Number(excludesEnd),
      );
      const list = found.slice((page - 1) * pageSize, page * pageSize);
      return { page, size: pageSize, totalCount: found.length, list, malformed: [] };
    },
  };
}

const idsOf = async (
  service: ReturnType<typeof serviceWith>,
  range: { startTime: number; endTime: number; size?: number },
  windowSeconds = DAY,
) => {
  const ids: string[] = [];
  for await (const { orderId } of eachOrder((q) => service.readPage(q), range, windowSeconds))
    ids.push(orderId);
  return ids;
};

describe('eachOrder', () => {
  it('yields every order of any range once, in sequence, with any windows and page sizes', async () => {
    const scene = fc.record({
      times: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 120 }),
      startTime: fc.integer({ min: 1, max: 200 }),
      length: fc.integer({ min: 0, max: 250 }),
      size: fc.integer({ min: 1, max: 30 }),
      windowSeconds: fc.integer({ min: 2, max: 120 }),
      maxRunning: fc.integer({ min: 1, max: 30 }),
      excludesStart: fc.boolean(),
      excludesEnd: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(scene, async ({ times, startTime, length, size, ...cut }) => {
        const orders = times.sort((a, b) => a - b).map((time, id) => order(id, time));
        const endTime = startTime + length;
        const service = serviceWith(orders, cut);
        const ids = await idsOf(service, { startTime, endTime, size }, cut.windowSeconds);
        const idsWithin = (from: number, to: number) =>
          orders
            .filter(({ finishTime = 0 }) => finishTime >= from && finishTime <= to)
            .map(({ orderId }) => orderId);
        // eachOrder reads one second beyond each end of the range. So a service that includes the ends of a range also
        // lists the orders of these two seconds.
        const from = startTime - Number(!cut.excludesStart);
        expect(ids).toEqual(idsWithin(from, endTime + Number(!cut.excludesEnd)));
        for (const { startTime: from, endTime: to } of service.queries)
          expect(to - from).toBeLessThanOrEqual(cut.windowSeconds);
      }),
      { numRuns: 500 },
    );
  });

  it('ends a window on a short page', async () => {
    const service = serviceWith(Array.from({ length: 45 }, (_, i) => order(i, i)));
    await idsOf(service, { startTime: 0, endTime: 100 });
    expect(service.queries.map(({ page, size }) => [page, size])).toEqual([
      [1, 20],
      [2, 20],
      [3, 20],
    ]);
  });

  it('splits a range into days that overlap, and reaches one second beyond it', async () => {
    const service = serviceWith([]);
    await idsOf(service, { startTime: 1000, endTime: 1000 + 2.5 * DAY });
    expect(service.queries.map(({ startTime, endTime }) => [startTime, endTime])).toEqual([
      [999, 999 + DAY],
      [998 + DAY, 998 + 2 * DAY],
      [997 + 2 * DAY, 1001 + 2.5 * DAY],
    ]);
  });

  it.each([
    ['includes both', {}, 99, 112],
    ['excludes the start', { excludesStart: true }, 100, 112],
    ['excludes the end', { excludesEnd: true }, 99, 111],
    ['excludes both', { excludesStart: true, excludesEnd: true }, 100, 111],
  ])('yields the orders at the ends of windows of a service that %s', async (_, ends, from, to) => {
    const orders = Array.from({ length: 14 }, (_, i) => order(99 + i, 99 + i));
    const service = serviceWith(orders, ends);
    const ids = await idsOf(service, { startTime: 100, endTime: 111 }, 4);
    expect(ids).toEqual(Array.from({ length: to - from + 1 }, (_, i) => `o${from + i}`));
  });

  it('yields every order of consecutive ranges to a service that ranges by create time', async () => {
    // An order is created up to ten seconds before it finishes. So some orders are created in one range or window, and
    // finish in the next.
    const orders = Array.from({ length: 120 }, (_, i) => order(i, i + ((i * 7) % 11)));
    const readPage = async ({ startTime, endTime, page = 1, size = 20 }: OrdersQuery) => {
      const found = orders.filter(
        (_, createTime) => createTime >= startTime && createTime <= endTime,
      );
      const list = found.slice((page - 1) * size, page * size);
      return { page, size, totalCount: found.length, list, malformed: [] };
    };
    const ids = new Set<string>();
    for (const startTime of [0, 40, 80])
      for await (const { orderId } of eachOrder(
        readPage,
        { startTime, endTime: startTime + 39 },
        15,
      ))
        ids.add(orderId);
    expect(ids.size).toBe(120);
  });

  it('yields an order without a finish time once', async () => {
    const { finishTime: _, ...unfinished } = order(1, 0);
    const readPage = async ({ page = 1 }) => ({
      ...{ page, size: 20, totalCount: 1, malformed: [] },
      list: page === 1 ? [unfinished] : [],
    });
    const ids: string[] = [];
    const range = { startTime: 100, endTime: 120 };
    for await (const { orderId } of eachOrder(readPage, range, 4)) ids.push(orderId);
    expect(ids).toEqual(['o1']);
  });

  it('reads a window again when its list shrinks meanwhile, and misses no order', async () => {
    const orders = Array.from({ length: 60 }, (_, i) => order(i, i));
    const service = serviceWith(orders);
    service.before = (reading) => {
      // Remove an order of page 1 after that page was read. The first order of page 2 moves to page 1.
      if (reading === 1) orders.splice(3, 1);
    };
    const ids = await idsOf(service, { startTime: 0, endTime: 100 });
    expect(new Set(ids).size).toBe(ids.length);
    for (const { orderId } of orders) expect(ids).toContain(orderId);
    expect(service.queries.filter(({ page }) => page === 1)).toHaveLength(2);
  });

  it('yields an order again when its status has changed meanwhile', async () => {
    const orders = [order(1, 5, 1), ...Array.from({ length: 30 }, (_, i) => order(10 + i, 6))];
    const service = serviceWith(orders);
    service.before = (reading) => {
      if (reading !== 1) return;
      orders[0] = order(1, 5, 2);
      orders.splice(1, 1);
    };
    const ids = await idsOf(service, { startTime: 0, endTime: 100 });
    expect(ids.filter((id) => id === 'o1')).toHaveLength(2);
    expect(ids).toHaveLength(32);
  });

  it('reads a list that grows with every page to its end', async () => {
    const orders = Array.from({ length: 50 }, (_, i) => order(i, 1));
    const service = serviceWith(orders);
    service.before = (reading) => orders.push(order(1000 + reading, 1));
    const ids = await idsOf(service, { startTime: 0, endTime: 2 });
    expect(ids).toEqual(orders.map(({ orderId }) => orderId));
    expect(service.queries.map(({ page }) => page)).toEqual([1, 2, 3]);
  });

  it('yields all older orders of a list that grows at its start, even by a whole page', async () => {
    const orders = Array.from({ length: 50 }, (_, i) => order(i, 1));
    const old = orders.map(({ orderId }) => orderId);
    const service = serviceWith(orders);
    service.before = (reading) => {
      const count = [0, 20, 3, 1][reading] ?? 0;
      for (let i = 0; i < count; i++) orders.unshift(order(1000 + 100 * reading + i, 1));
    };
    const ids = await idsOf(service, { startTime: 0, endTime: 2 });
    expect(ids).toEqual(expect.arrayContaining(old));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('ends without an error when the service keeps counting orders that it does not list yet', async () => {
    const orders = Array.from({ length: 50 }, (_, i) => order(i, 1));
    const service = serviceWith(orders);
    const { readPage } = service;
    let ahead = 0;
    service.readPage = async (query) => {
      const result = await readPage.call(service, query);
      return { ...result, totalCount: result.totalCount + ++ahead };
    };
    expect(await idsOf(service, { startTime: 0, endTime: 2 })).toHaveLength(50);
  });

  it('throws when a list shrinks at every reading', async () => {
    const orders = Array.from({ length: 500 }, (_, i) => order(i, 1));
    const service = serviceWith(orders);
    service.before = () => void orders.shift();
    await expect(idsOf(service, { startTime: 0, endTime: 2 })).rejects.toMatchObject({
      code: 'ERR_RESPONSE_INVALID',
      message: expect.stringContaining('ends in the past'),
    });
  });

  it('ends when a service returns its last page for every page beyond it', async () => {
    const service = serviceWith(Array.from({ length: 40 }, (_, i) => order(i, i)));
    const { readPage } = service;
    service.readPage = (query) =>
      readPage.call(service, { ...query, page: Math.min(query.page ?? 1, 2) });
    expect(await idsOf(service, { startTime: 0, endTime: 100 })).toHaveLength(40);
  });

  it('reads on until a page is empty when a service counts fewer orders than it lists', async () => {
    const service = serviceWith(Array.from({ length: 50 }, (_, i) => order(i, i)));
    const { readPage } = service;
    service.readPage = async (query) => ({
      ...(await readPage.call(service, query)),
      totalCount: 0,
    });
    expect(await idsOf(service, { startTime: 0, endTime: 100 })).toHaveLength(50);
  });

  it('yields an order with an unreadable field, and reports its name once', async () => {
    const odd = { ...order(7, 7), unreadable: { gasFee: '"secret"' } };
    const service = serviceWith([odd]);
    const read = async (onMalformed?: (error: RampError) => void) => {
      const found: unknown[] = [];
      const range = { startTime: 0, endTime: 2 * DAY };
      const orders = eachOrder((q) => service.readPage(q), range, DAY, onMalformed);
      for await (const each of orders) found.push(each);
      return found;
    };
    const errors: RampError[] = [];
    expect(await read((error) => errors.push(error))).toEqual([odd]);
    expect(errors.map(({ message }) => message)).toEqual([
      'Order o7 does not match section 2.6 of the service interface: gasFee is not as documented, so it is left out.',
    ]);
    expect(await read()).toEqual([odd]);
  });

  it.each([1, 19])(
    'reads a list that counts %i orders too many twice, and reports it',
    async (more) => {
      const orders = Array.from({ length: 50 }, (_, i) => order(i, i));
      const service = serviceWith(orders);
      const { readPage } = service;
      service.readPage = async (query) => {
        const result = await readPage.call(service, query);
        return { ...result, totalCount: result.totalCount + more };
      };
      const errors: RampError[] = [];
      const options = [
        { startTime: 0, endTime: 100 },
        DAY,
        (e: RampError) => errors.push(e),
      ] as const;
      const ids: string[] = [];
      for await (const { orderId } of eachOrder((q) => service.readPage(q), ...options))
        ids.push(orderId);
      expect(ids).toEqual(orders.map(({ orderId }) => orderId));
      expect(errors).toMatchObject([
        { code: 'ERR_RESPONSE_INVALID', message: expect.stringContaining('counts more orders') },
      ]);
      expect(service.queries.filter(({ page }) => page === 1)).toHaveLength(2);
    },
  );

  it('reads a list twice that has an order twice, and yields each order once', async () => {
    const orders = Array.from({ length: 50 }, (_, i) => order(i, i));
    const service = serviceWith([...orders.slice(0, 30), order(3, 3), ...orders.slice(30)]);
    const ids: string[] = [];
    const range = { startTime: 0, endTime: 100 };
    for await (const { orderId } of eachOrder(
      (q) => service.readPage(q),
      range,
      DAY,
      () => {},
    ))
      ids.push(orderId);
    expect(ids).toEqual(orders.map(({ orderId }) => orderId));
  });

  it('finds the order that was left out because others of the same second changed places', async () => {
    const orders = Array.from({ length: 40 }, (_, i) => order(i, 7));
    const service = serviceWith(orders);
    // The second page of the first reading begins with the order that ended the first page.
    service.before = (request) => {
      if (request <= 2) orders.splice(19, 2, ...orders.slice(19, 21).reverse());
    };
    const ids = await idsOf(service, { startTime: 0, endTime: 100 });
    expect(ids.toSorted()).toEqual(orders.map(({ orderId }) => orderId).toSorted());
  });

  it('throws when a service lists fewer orders than it counts', async () => {
    const service = serviceWith(Array.from({ length: 100 }, (_, i) => order(i, i)));
    const { readPage } = service;
    service.readPage = async (query) => {
      const result = await readPage.call(service, query);
      return query.page === 1 ? result : { ...result, list: [] };
    };
    await expect(idsOf(service, { startTime: 0, endTime: 100 })).rejects.toMatchObject({
      code: 'ERR_RESPONSE_INVALID',
    });
  });

  it('throws when a service ignores the page', async () => {
    const service = serviceWith(Array.from({ length: 100 }, (_, i) => order(i, i)));
    const { readPage } = service;
    service.readPage = (query) => readPage.call(service, { ...query, page: 1 });
    await expect(idsOf(service, { startTime: 0, endTime: 100 })).rejects.toThrow('same page');
  });

  it('yields each of many orders once, even if their window is read again', async () => {
    const orders = Array.from({ length: 12_000 }, (_, i) => order(i, i * 7));
    const service = serviceWith(orders);
    service.before = (reading) => {
      if (reading === 90) orders.push(order(99_999, 80_000));
    };
    const ids = await idsOf(service, { startTime: 0, endTime: DAY, size: 100 });
    expect(ids).toHaveLength(12_001);
    expect(new Set(ids).size).toBe(12_001);
  });

  describe('with malformed orders', () => {
    /** Every third order is malformed. Two of the malformed orders have no ID. */
    const wire = Array.from({ length: 60 }, (_, i) => ({
      orderId: i === 9 || i === 12 ? undefined : `o${i}`,
      orderStatus: i % 3 ? 3 : 'paid',
      finishTime: i,
    }));
    const readPage = async ({ startTime, endTime, page = 1, size = 20 }: OrdersQuery) => {
      const found = wire.filter((one) => one.finishTime >= startTime && one.finishTime <= endTime);
      const list = found.slice((page - 1) * size, page * size);
      return parseOrderPage({ page, size, totalCount: found.length, list });
    };
    const range = { startTime: 0, endTime: 59, size: 7 };

    it('yields the other orders, and calls onMalformed once for each malformed one', async () => {
      const ids: string[] = [];
      const errors: RampError[] = [];
      const report = (error: RampError) => errors.push(error);
      // Windows of 3 seconds overlap by one second, so some malformed orders are read twice.
      for await (const { orderId } of eachOrder(readPage, range, 3, report)) ids.push(orderId);
      const good = wire.filter(({ orderStatus }) => orderStatus === 3);
      expect(ids).toEqual(good.map(({ orderId }) => orderId));
      expect(new Set(errors.map(({ message }) => message)).size).toBe(19);
      expect(errors.filter(({ message }) => message.startsWith('Order o3 '))).toHaveLength(1);
      expect(errors[0]).toMatchObject({
        code: 'ERR_RESPONSE_INVALID',
        issues: [{ param: 'orderStatus', message: 'must be a whole number' }],
      });
    });

    it('continues after pages with malformed orders only', async () => {
      const bad = wire.map((one) => ({ ...one, orderStatus: 'paid' }));
      const pages = async ({ page = 1, size = 20 }: OrdersQuery) =>
        parseOrderPage({
          page,
          size,
          totalCount: 60,
          list: bad.slice((page - 1) * size, page * size),
        });
      const errors: RampError[] = [];
      for await (const order of eachOrder(pages, range, 86_400, (error) => errors.push(error)))
        throw new Error(order.orderId);
      expect(errors).toHaveLength(59);
    });

    it('throws at the first malformed order without onMalformed', async () => {
      const read = async () => {
        for await (const _ of eachOrder(readPage, range, 86_400));
      };
      await expect(read()).rejects.toThrow(
        /^Order o0 does not match section 2\.6 of the service interface:/,
      );
    });
  });

  it('reads a page only when an order of it is requested', async () => {
    const service = serviceWith(Array.from({ length: 100 }, (_, i) => order(i, i)));
    const orders = eachOrder((q) => service.readPage(q), { startTime: 0, endTime: 99 }, DAY);
    expect(service.queries).toHaveLength(0);
    for await (const { orderId } of orders) if (orderId === 'o5') break;
    expect(service.queries).toHaveLength(1);
  });
});
