import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Order, RampError } from '../../../src/protocol/index.js';
import type { OrdersQuery } from '../../../src/server/partner-api/orders.js';
import { readOrders } from '../../../src/server/partner-api/orders.js';
import { onRampOrder } from '../../support/server/orderFixtures.js';

const HOUR = 3600;
const orders = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) =>
    onRampOrder({ orderId: `o${from + i}`, finishTime: 1000 + from + i }),
  );

interface Listed {
  /** Called before each response with the number of the request, from 1. May change the list. */
  readonly change?: (list: Order[], request: number) => void;
  /** The page size limit of the service. */
  readonly maxSize?: number;
  readonly malformed?: readonly RampError[];
  /** How many orders the service counts too many. */
  readonly more?: number;
}

/** Runs `readOrders` on a list in memory. `found` has the IDs of the orders that were passed to `onPage`. */
async function read(
  list: Order[],
  { change, maxSize = 20, malformed = [], more = 0 }: Listed = {},
  size = 20,
) {
  const queries: OrdersQuery[] = [];
  let running = 0;
  let mostRunning = 0;
  const found = new Set<string>();
  const done = readOrders(
    async (query, beforeTry) => {
      beforeTry();
      queries.push(query);
      mostRunning = Math.max(mostRunning, ++running);
      change?.(list, queries.length);
      const { startTime, endTime, page = 1 } = query;
      const inRange = list.filter(
        ({ finishTime = 0 }) => finishTime >= startTime && finishTime <= endTime,
      );
      const perPage = Math.min(maxSize, query.size ?? 20);
      const result = inRange.slice((page - 1) * perPage, page * perPage);
      const totalCount = inRange.length + more;
      // Respond in a later task, so that other requests can start meanwhile.
      await new Promise((resolve) => setTimeout(resolve));
      running--;
      return { page, size: perPage, totalCount, list: result, malformed };
    },
    { startTime: 0, endTime: 50_000, size },
    24 * HOUR,
    {
      maxRequests: 10,
      onPage: (page) => {
        for (const { orderId } of page) found.add(orderId);
      },
    },
  );
  const error: unknown = await done.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { found, queries, error, mostRunning };
}

describe('readOrders', () => {
  it('reads ten pages, four of them at a time after the first', async () => {
    const { found, queries, error, mostRunning } = await read(orders(200));
    expect([error, found.size, queries.length, mostRunning]).toEqual([undefined, 200, 10, 4]);
  });

  it('reads a list of one request and an empty list with one request', async () => {
    expect((await read(orders(20))).queries).toHaveLength(1);
    expect(await read([])).toMatchObject({ error: undefined, queries: [{ page: 1 }] });
  });

  it('refuses a list that needs more requests after the first one', async () => {
    const { error, queries, found } = await read(orders(201));
    expect(error).toMatchObject({ code: 'ERR_API_RESPONSE' });
    expect([queries.length, found.size]).toEqual([1, 20]);
  });

  it('counts the pages by the size that the service returns', async () => {
    const { error, found, queries } = await read(orders(50), { maxSize: 10 }, 1000);
    expect([error, found.size, queries.length]).toEqual([undefined, 50, 5]);
  });

  it('reads the range again when the list has changed meanwhile', async () => {
    const newestFirst = orders(50).reverse();
    const change = (list: Order[], request: number) => {
      if (request === 2) list.unshift(...orders(1, 900));
    };
    const { error, found, queries } = await read(newestFirst, { change });
    expect([error, found.size, queries.length]).toEqual([undefined, 51, 6]);
  });

  it('fails after ten requests when the list never stops changing', async () => {
    const change = (list: Order[], request: number) => list.unshift(...orders(1, 1000 + request));
    const { error, queries } = await read(orders(50), { change });
    expect(error).toMatchObject({ code: 'ERR_API_RESPONSE' });
    expect(queries.length).toBeLessThanOrEqual(10);
  });

  it('throws for a malformed order after it has passed on the others', async () => {
    const error = new RampError('ERR_RESPONSE_INVALID', 'Order o7');
    const result = await read(orders(30), { malformed: [error] });
    expect([result.error, result.found.size]).toEqual([error, 30]);
  });

  // `steps` has only additions or only removals. readOrders detects a change by the number of orders, so it cannot
  // detect one order that leaves while another one joins.
  it('has every order that was listed all the time, if it succeeds while the list grows or shrinks', async () => {
    const toSteps = (...kinds: readonly string[]) =>
      fc.array(
        fc.record({
          request: fc.integer({ min: 1, max: 10 }),
          kind: fc.constantFrom(...kinds),
        }),
        { maxLength: 4 },
      );
    const steps = fc.oneof(
      toSteps('add-first', 'add-last'),
      toSteps('remove-first', 'remove-last'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.nat(90),
        steps,
        fc.integer({ min: 3, max: 20 }),
        async (count, steps, size) => {
          const all = orders(count);
          const stays = new Set(all.map(({ orderId }) => orderId));
          let added = 5000;
          const remove = (order: Order | undefined) => order && stays.delete(order.orderId);
          const change = (list: Order[], request: number) => {
            for (const { kind } of steps.filter((one) => one.request === request)) {
              if (kind === 'add-first') list.unshift(...orders(1, added++));
              if (kind === 'add-last') list.push(...orders(1, added++));
              if (kind === 'remove-first') remove(list.shift());
              if (kind === 'remove-last') remove(list.pop());
            }
          };
          const { error, found } = await read(all, { change }, size);
          if (error === undefined) for (const orderId of stays) expect(found).toContain(orderId);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('readOrders with a range that is longer than the window', () => {
  it.each<readonly [string, number, readonly Order[]]>([
    ['counts one order too many', 1, []],
    ['has an order twice', 0, orders(1)],
  ])('reads a list twice that %s', async (_, more, twice) => {
    const { error, queries, found } = await read([...orders(30), ...twice], { more });
    expect([error, found.size]).toEqual([undefined, 30]);
    expect(queries.filter(({ page }) => page === 1)).toHaveLength(2);
  });

  it.each([
    ['a page more than it lists', 20],
    ['fewer than it lists', -5],
  ])('fails when the service counts %s, because orders may be missing', async (_, more) => {
    const { error } = await read(orders(30), { more });
    expect(error).toMatchObject({ code: 'ERR_API_RESPONSE' });
  });

  it('reads windows that share a second', async () => {
    const queries: OrdersQuery[] = [];
    const readPage = async (query: OrdersQuery) => {
      queries.push(query);
      return { page: 1, size: 20, totalCount: 0, list: [], malformed: [] };
    };
    const options = { maxRequests: 10, onPage() {} };
    await readOrders(readPage, { startTime: 0, endTime: 2 * HOUR }, HOUR, options);
    const windows = queries.map(({ startTime, endTime }) => [startTime, endTime]);
    expect(windows).toEqual([
      [0, HOUR],
      [HOUR - 1, 2 * HOUR - 1],
      [2 * HOUR - 2, 2 * HOUR],
    ]);
  });
});
