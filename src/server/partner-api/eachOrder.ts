import type { OrderPage } from '../../protocol/api/parseResources.js';
import type { Order } from '../../protocol/api/resources.js';
import { RampError } from '../../protocol/errors/RampError.js';

/** The query of one page of orders. */
export interface OrdersQuery {
  /** Finish time, Unix seconds, both ends included. */
  readonly startTime: number;
  readonly endTime: number;
  /** From 1. @default 1, by the service */
  readonly page?: number | undefined;
  /** @default 20, by the service */
  readonly size?: number | undefined;
}

/** A time range of orders. */
export interface OrderRange {
  /** Finish time, Unix seconds, both ends included. */
  readonly startTime: number;
  readonly endTime: number;
  /** Orders asked for at once. @default 20 */
  readonly size?: number | undefined;
}

type ReadPage = (query: OrdersQuery) => Promise<OrderPage>;

/** A window that holds more is halved, because the ids of its orders are kept in memory. */
const MAX_ORDERS = 10_000;
/** How often a window is read before its list counts as unreadable. */
const MAX_READINGS = 10;
/** The shortest window: neighbours share a second and may both exclude their ends. */
export const MIN_WINDOW_SECONDS = 2;

/**
 * Yields every order of a range, window by window and page by page. The document does not say whether
 * the service includes the ends of a window. So windows overlap and reach one second beyond the range,
 * and orders known to have finished outside of the range are skipped.
 *
 * A window whose list shrinks is read again, because orders then move to pages that were read already.
 * A list that grows pushes orders towards the pages that follow, so reading goes on. Duplicates of
 * both are skipped, and each malformed order is reported once. An order that the service adds to a page
 * that was read already may be missing, so callers that read continuously let their ranges overlap.
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
  const isAsked = ({ finishTime }: Order) =>
    finishTime === undefined || (finishTime >= startTime && finishTime <= endTime);
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
      // An order whose status has changed is yielded again.
      for (const order of list)
        if (isAsked(order) && !isDuplicate(`${order.orderStatus} ${order.orderId}`)) yield order;
    }
    before = seen;
    span = Math.min(span * 2, windowSeconds);
    from = to - 1;
  } while (to < end);
}

/** Yields every page of one window, and all of them again whenever the list has shrunk. */
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
      // A page may be short because the service limits its size.
      if (count >= totalCount) return;
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
        `The number of orders shrank or was wrong at each of ${MAX_READINGS} readings. Let the range end in the past.`,
      );
    }
    answer = await readPage({ ...window, page: 1 });
    hasShrunk ||= answer.totalCount < totalCount;
    totalCount = answer.totalCount;
  }
}

/** A list that grows by a page puts the same orders on the next page. */
const isSamePage = (page: OrderPage, last: OrderPage): boolean =>
  page.totalCount === last.totalCount &&
  page.list.length > 0 &&
  page.list[0]?.orderId === last.list[0]?.orderId;

const createListError = (message: string) => new RampError('ERR_RESPONSE_INVALID', message);

function throwError(error: RampError): never {
  throw error;
}
