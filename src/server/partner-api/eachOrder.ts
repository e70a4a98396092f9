import type { OrderPage } from '../../protocol/api/parseResources.js';
import type { Order } from '../../protocol/api/resources.js';
import { RampError } from '../../protocol/errors/RampError.js';

/** The query of one page of orders. */
export interface OrdersQuery {
  /** The start of the range of finish times, Unix seconds. */
  readonly startTime: number;
  /** The end of the range, Unix seconds. The service decides whether both ends are included. */
  readonly endTime: number;
  /** The number of the page, from 1. @default 1, by the service */
  readonly page?: number | undefined;
  /** Orders per page. @default 20, by the service */
  readonly size?: number | undefined;
}

/** A range of orders by their finish times. */
export interface OrderRange {
  /** The start of the range, Unix seconds, included. */
  readonly startTime: number;
  /** The end of the range, Unix seconds, included. */
  readonly endTime: number;
  /** Orders per request. @default 20 */
  readonly size?: number | undefined;
}

type ReadPage = (query: OrdersQuery) => Promise<OrderPage>;

/** The orders of one window. A window with more is halved, because the ids of its orders are kept in memory. */
const MAX_ORDERS = 10_000;
/** The number of readings of a window before its list counts as unreadable. */
const MAX_READINGS = 10;
/** The shortest window: consecutive windows share a second, and the service may exclude the ends of both. */
export const MIN_WINDOW_SECONDS = 2;

/**
 * Yields every order of a range, window by window and page by page. It is not documented whether the service
 * includes the ends of a window, so windows overlap and reach one second beyond the range. No listed order is
 * skipped because of its finish time: the service might select by create time, and list the order in no other
 * range.
 *
 * A window whose list shrinks is read again, because its orders move to pages that were already read. When a
 * list grows, its orders move to later pages, so reading continues. Duplicates are skipped in both cases, and
 * each malformed order is reported once. An order that the service adds to a page that was already read may be
 * missing, so callers that read continuously must let their ranges overlap.
 */
export async function* eachOrder(
  readPage: ReadPage,
  { startTime, endTime, size = 20 }: OrderRange,
  windowSeconds: number,
  onMalformed: (error: RampError) => void = throwError,
): AsyncGenerator<Order, void, undefined> {
  let before = new Set<string>();
  let span = windowSeconds;
  let from = Math.max(0, startTime - 1);
  let to: number;
  const end = endTime + 1;
  do {
    to = Math.min(from + span, end);
    const window = { startTime: from, endTime: to, size };
    const first = await readPage({ ...window, page: 1 });
    if (first.totalCount > MAX_ORDERS && to - from > MIN_WINDOW_SECONDS) {
      span = Math.max(MIN_WINDOW_SECONDS, Math.ceil((to - from) / 2));
      to = from;
      continue;
    }
    const seen = new Set<string>();
    const isDuplicate = (key: string) => {
      const isKnown = seen.has(key) || before.has(key);
      seen.add(key);
      return isKnown;
    };
    for await (const { list, malformed } of readWindow(readPage, window, first)) {
      for (const error of malformed) if (!isDuplicate(error.message)) onMalformed(error);
      // An order is yielded again if its status has changed.
      for (const order of list)
        if (!isDuplicate(`${order.orderStatus} ${order.orderId}`)) yield order;
    }
    before = seen;
    span = Math.min(span * 2, windowSeconds);
    from = to - 1;
  } while (to < end);
}

/** Yields every page of one window, and all of them again each time that the list has shrunk. */
async function* readWindow(
  readPage: ReadPage,
  window: Required<OrderRange>,
  first: OrderPage,
): AsyncGenerator<OrderPage, void, undefined> {
  let answer = first;
  let { totalCount } = first;
  let hasShrunk = false;
  for (let reading = 1; ; reading++) {
    let count = 0;
    let page = 1;
    while (answer.totalCount >= totalCount) {
      totalCount = answer.totalCount;
      yield answer;
      const entries = answer.list.length + answer.malformed.length;
      count += entries;
      // A page may be short because the service limits its size, so only the count shows that it is the last
      // one. If there are more orders than the service counts, it is the empty page.
      if (count === totalCount || (entries === 0 && count > totalCount)) return;
      if (entries === 0) break;
      const last = answer;
      answer = await readPage({ ...window, page: ++page });
      if (isSamePage(answer, last))
        throw createListError('The service returned the same page of orders twice.');
    }
    hasShrunk ||= answer.totalCount < totalCount;
    if (reading === MAX_READINGS) {
      // A service may count new orders before it lists them.
      if (!hasShrunk && totalCount > first.totalCount) return;
      throw createListError(
        `The number of orders shrank or was wrong during each of ${MAX_READINGS} readings of the order list. Use a range that ends in the past.`,
      );
    }
    answer = await readPage({ ...window, page: 1 });
    hasShrunk ||= answer.totalCount < totalCount;
    totalCount = answer.totalCount;
  }
}

/** Returns whether the service returned a page twice. A list that grew by a page also repeats its orders. */
const isSamePage = (page: OrderPage, last: OrderPage): boolean =>
  page.totalCount === last.totalCount &&
  page.list.length > 0 &&
  page.list[0]?.orderId === last.list[0]?.orderId;

const createListError = (message: string) => new RampError('ERR_RESPONSE_INVALID', message);

function throwError(error: RampError): never {
  throw error;
}
