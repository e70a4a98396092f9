import { RampError } from '../protocol/ramp-error.js';
import type { Order, OrderList } from '../protocol/resources.js';

export interface OrdersQuery {
  /** Finish time, Unix seconds, both ends included. */
  readonly startTime: number;
  readonly endTime: number;
  /** From 1. @default 1, by the service */
  readonly page?: number | undefined;
  /** @default 20, by the service */
  readonly size?: number | undefined;
}

export interface OrderRange {
  /** Finish time, Unix seconds, both ends included. */
  readonly startTime: number;
  readonly endTime: number;
  /** Orders asked for at once. @default 20 */
  readonly size?: number | undefined;
}

/** Remembered to tell a repetition; it bounds the memory. */
const REMEMBERED = 10_000;
/** A window that changes at every reading is given up, not read forever. */
const MAX_READINGS = 10;

/**
 * Every order of a range, window by window and page by page. Neighbouring windows share a second, as
 * nobody says whether the ends are included; a window whose `totalCount` changes while it is read is
 * read again. What comes twice by that is handed out once, within the last 10,000.
 */
export async function* eachOrder(
  readPage: (query: OrdersQuery) => Promise<OrderList>,
  { startTime, endTime, size = 20 }: OrderRange,
  windowSeconds: number,
): AsyncGenerator<Order, void, undefined> {
  const seen = new Set<string>();
  let from = startTime;
  do {
    const to = Math.min(from + windowSeconds, endTime);
    for await (const order of eachOfWindow(readPage, from, to, size)) {
      // An order whose status has moved on is news.
      const key = `${order.orderStatus} ${order.orderId}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (seen.size > REMEMBERED) seen.delete(seen.values().next().value as string);
      yield order;
    }
    from = to;
  } while (from < endTime);
}

async function* eachOfWindow(
  readPage: (query: OrdersQuery) => Promise<OrderList>,
  startTime: number,
  endTime: number,
  size: number,
) {
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    let total: number | undefined;
    let count = 0;
    for (let page = 1; ; page++) {
      const answer = await readPage({ startTime, endTime, page, size });
      total ??= answer.totalCount;
      if (answer.totalCount !== total) break;
      yield* answer.list;
      count += answer.list.length;
      // A page may be short because the service hands out fewer at once than it was asked for.
      const isShort = answer.list.length < size && count >= total;
      if (isShort || answer.list.length === 0) return;
    }
  }
  throw new RampError(
    'ERR_RESPONSE_INVALID',
    `The number of orders changed at each of ${MAX_READINGS} readings. Let the range end in the past.`,
  );
}
