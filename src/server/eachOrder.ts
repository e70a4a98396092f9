import type { OrderPage } from '../protocol/parse-resources.js';
import { RampError } from '../protocol/ramp-error.js';
import type { Order } from '../protocol/resources.js';

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

type ReadPage = (query: OrdersQuery) => Promise<OrderPage>;

/** A window that holds more is cut in two: what it handed out is remembered. */
const MAX_ORDERS = 10_000;
/** A window that changes at every reading is given up, not read forever. */
const MAX_READINGS = 10;

/**
 * Every order of a range, window by window and page by page. Neighbouring windows share a second, as
 * nobody says whether the ends are included. A window that changes while it is read is read again;
 * what comes twice by either is handed out once. What cannot be read is counted, and told once.
 */
export async function* eachOrder(
  readPage: ReadPage,
  { startTime, endTime, size = 20 }: OrderRange,
  windowSeconds: number,
  onMalformed: (error: RampError) => void = fail,
): AsyncGenerator<Order, void, undefined> {
  let before = new Set<string>();
  let span = windowSeconds;
  let from = startTime;
  do {
    const to = Math.min(from + span, endTime);
    const window = { startTime: from, endTime: to, size };
    const first = await readPage({ ...window, page: 1 });
    if (first.totalCount > MAX_ORDERS && to - from > 1) {
      span = Math.ceil((to - from) / 2);
      continue;
    }
    const seen = new Set<string>();
    const isNew = (key: string) => {
      const isKnown = seen.has(key) || before.has(key);
      seen.add(key);
      return !isKnown;
    };
    for await (const { list, malformed } of pagesOfWindow(readPage, window, first)) {
      for (const error of malformed) if (isNew(error.message)) onMalformed(error);
      // An order whose status has moved on is news.
      for (const order of list) if (isNew(`${order.orderStatus} ${order.orderId}`)) yield order;
    }
    before = seen;
    span = Math.min(span * 2, windowSeconds);
    from = to;
  } while (from < endTime);
}

/** Every page of one window; some of them again whenever it has to be read again. */
async function* pagesOfWindow(
  readPage: ReadPage,
  window: Required<OrderRange>,
  first: OrderPage,
): AsyncGenerator<OrderPage, void, undefined> {
  let answer = first;
  for (let reading = 1; ; reading++) {
    const { totalCount } = answer;
    let count = 0;
    let page = 1;
    while (answer.totalCount === totalCount) {
      yield answer;
      const entries = answer.list.length + answer.malformed.length;
      count += entries;
      // A page may be short because the service hands out fewer at once than it was asked for.
      if (count >= totalCount) return;
      if (entries === 0) break;
      const last = answer;
      answer = await readPage({ ...window, page: ++page });
      if (answer.list.length > 0 && answer.list[0]?.orderId === last.list[0]?.orderId)
        throw invalid('The service answers the same page of orders again.');
    }
    if (reading === MAX_READINGS)
      throw invalid(
        `The number of orders changed or was wrong at each of ${MAX_READINGS} readings. Let the range end in the past.`,
      );
    answer = await readPage({ ...window, page: 1 });
  }
}

const invalid = (message: string) => new RampError('ERR_RESPONSE_INVALID', message);

function fail(error: RampError): never {
  throw error;
}
