import { findUnreadable, type OrderPage } from '../../protocol/api/parseResources.js';
import type { Order } from '../../protocol/api/resources.js';
import { createParamsError, RampError, type RampIssue } from '../../protocol/errors/RampError.js';
import { findNearestName } from '../../protocol/findNearestName.js';
import type { CallOptions } from './createPartnerApi.js';

/** A query for one page of the orders that finished in a range of time. */
export interface OrdersQuery {
  /** The earliest finish time, Unix seconds. */
  readonly startTime: number;
  /** The end of the range, Unix seconds. The service decides whether both ends are included. */
  readonly endTime: number;
  /** The number of the page, from 1. @default 1, by the service */
  readonly page?: number | undefined;
  /** Orders per page. @default 20, by the service */
  readonly size?: number | undefined;
}

/**
 * A range of orders by their finish times. `eachOrder` includes both ends. With `readOrders`, the service decides
 * whether they are included.
 */
export interface OrderRange {
  /** The start of the range, Unix seconds. */
  readonly startTime: number;
  /** The end of the range, Unix seconds. */
  readonly endTime: number;
  /** Orders per request. @default the `pageSize` of the client */
  readonly size?: number | undefined;
}

/** Options of {@link PartnerApi.eachOrder}. */
export interface EachOrderOptions extends CallOptions {
  /**
   * Called with an `ERR_RESPONSE_INVALID` for each malformed order (service interface, section 2.6). The message
   * contains the order ID, if that can be read, and `issues` name the malformed fields. Orders with the same message
   * may be reported as one. Well-formed orders are still yielded, and so are orders that are malformed only in fields
   * that decide nothing, such as a fee: see the order's `unreadable`.
   *
   * @default none: the first malformed order ends the iteration with an error
   */
  readonly onMalformed?: ((error: RampError) => void) | undefined;
}

/** Options of {@link PartnerApi.readOrders}. */
export interface ReadOrdersOptions {
  /** The maximum number of requests, retries included. */
  readonly maxRequests: number;
  /** Called with the orders of each page, even if a later page cannot be read. */
  readonly onPage: (orders: readonly Order[]) => void;
  /** Aborts the reading, which then rejects immediately with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A window with more orders than this is halved, because the ids of its orders are kept in memory. */
const MAX_ORDERS = 10_000;
/** The number of times that a window is read before its list counts as unreadable. */
const MAX_READINGS = 10;
/**
 * The shortest window. Consecutive windows overlap by a second, so reading would never get past a one-second window.
 */
const MIN_WINDOW_SECONDS = 2;
const CONCURRENT_PAGES = 4;

type Times = Pick<OrderRange, 'startTime' | 'endTime'>;

/**
 * Splits the first window off a range. Consecutive windows overlap by a second, because the service may exclude both
 * ends of each window.
 */
function takeWindow({ startTime, endTime }: Times, windowSeconds: number) {
  const window: Times = { startTime, endTime: Math.min(startTime + windowSeconds, endTime) };
  const rest: Times | undefined =
    window.endTime < endTime ? { startTime: window.endTime - 1, endTime } : undefined;
  return { window, rest };
}

/**
 * Yields every order of a range, window by window and page by page. It is not documented whether the service includes
 * the ends of a window, so windows overlap, and reach one second beyond the range. Every listed order is yielded, even
 * if its finish time is outside the range: the service might select by create time, and then lists the order in no
 * other range.
 *
 * When the list of a window shrinks, its orders move to pages that were already read, so the window is read again. When
 * the list grows, its orders move to later pages, so reading continues. In both cases duplicates are skipped, and each
 * malformed order is reported once. An order that the service adds to a page that was already read may be missing, so
 * callers that read continuously must let their ranges overlap.
 */
export async function* eachOrder(
  readPage: (query: OrdersQuery) => Promise<OrderPage>,
  { startTime, endTime, size = 20 }: OrderRange,
  windowSeconds: number,
  onMalformed: (error: RampError) => void = throwError,
): AsyncGenerator<Order, void, undefined> {
  // An order with an unreadable field is yielded, so without a listener nothing is lost.
  const onUnreadable = onMalformed === throwError ? () => {} : onMalformed;
  let before = new Set<string>();
  let seconds = windowSeconds;
  let range: Times | undefined = { startTime: Math.max(0, startTime - 1), endTime: endTime + 1 };
  while (range) {
    const { window: times, rest } = takeWindow(range, seconds);
    const window = { ...times, size };
    const first = await readPage({ ...window, page: 1 });
    const length = window.endTime - window.startTime;
    if (first.totalCount > MAX_ORDERS && length > MIN_WINDOW_SECONDS) {
      seconds = Math.max(MIN_WINDOW_SECONDS, Math.ceil(length / 2));
      continue;
    }
    const seen = new Set<string>();
    const isDuplicate = (key: string) => {
      const isKnown = seen.has(key) || before.has(key);
      seen.add(key);
      return isKnown;
    };
    for await (const { list, malformed } of readUntilStable(readPage, window, first, onMalformed)) {
      for (const error of malformed) if (!isDuplicate(error.message)) onMalformed(error);
      // Yield an order again if its status has changed.
      for (const order of list) {
        if (isDuplicate(`${order.orderStatus} ${order.orderId}`)) continue;
        const error = findUnreadable(order);
        if (error) onUnreadable(error);
        yield order;
      }
    }
    before = seen;
    seconds = Math.min(seconds * 2, windowSeconds);
    range = rest;
  }
}

/**
 * Yields every page of one window. If the list shrinks while it is read, or has fewer different orders than
 * `totalCount` says, it yields all pages again. If a whole reading then finds nothing new, the service counts wrongly
 * or lists an order twice, which is reported to `onMalformed`. A difference of a page or more means that pages are
 * missing, so it throws.
 */
async function* readUntilStable(
  readPage: (query: OrdersQuery) => Promise<OrderPage>,
  window: Required<OrderRange>,
  first: OrderPage,
  onMalformed: (error: RampError) => void,
): AsyncGenerator<OrderPage, void, undefined> {
  let current = first;
  let { totalCount } = first;
  let hasShrunk = false;
  /** The distinct orders of all readings so far. */
  const known = new Set<string>();
  for (let reading = 1; ; reading++) {
    let count = 0;
    let malformed = 0;
    let page = 1;
    const perPage = countEntries(current);
    const found = new Set<string>();
    while (current.totalCount >= totalCount) {
      totalCount = current.totalCount;
      yield current;
      count += countEntries(current);
      malformed += current.malformed.length;
      for (const { orderId } of current.list) found.add(orderId);
      // A short page is not always the last one, because the service may limit the page size. The last page is the one
      // that completes `totalCount`. If the service lists more orders than it counts, the last page is an empty one.
      if (countEntries(current) === 0 || count === totalCount) {
        const missing = totalCount - found.size - malformed;
        if (missing <= 0) return;
        const hasNew = [...found].some((id) => !known.has(id));
        if (hasNew || missing >= perPage) break;
        // A list that has only grown is complete: the service may count new orders before it lists them.
        if (hasShrunk || totalCount === first.totalCount) onMalformed(createCountError());
        return;
      }
      const last = current;
      current = await readPage({ ...window, page: ++page });
      if (isSamePage(current, last))
        throw createListError('The service returned the same page of orders twice.');
    }
    for (const id of found) known.add(id);
    hasShrunk ||= current.totalCount < totalCount;
    if (reading === MAX_READINGS) {
      if (!hasShrunk && totalCount > first.totalCount) return;
      throw createListError(
        `The number of orders shrank or was wrong during each of ${MAX_READINGS} readings of the order list. Use a range that ends in the past.`,
      );
    }
    current = await readPage({ ...window, page: 1 });
    hasShrunk ||= current.totalCount < totalCount;
    totalCount = current.totalCount;
  }
}

const countEntries = ({ list, malformed }: OrderPage): number => list.length + malformed.length;

/**
 * Returns whether the service returned the same page twice, although the list has not changed. If the list has grown by
 * a whole page, the next page repeats orders as well, so the counts must be equal.
 */
const isSamePage = (page: OrderPage, last: OrderPage): boolean =>
  page.totalCount === last.totalCount &&
  page.list.length > 0 &&
  page.list[0]?.orderId === last.list[0]?.orderId;

const createCountError = () =>
  createListError(
    'The service counts more orders than it lists, also when the list is read again. All orders that it lists were read.',
  );

const createListError = (message: string) => new RampError('ERR_RESPONSE_INVALID', message);

function throwError(error: RampError): never {
  throw error;
}

/**
 * Reads a short range of the order list completely, or throws. Because the caller waits, the function reads pages
 * concurrently, sends at most `maxRequests` requests, and stops early when the rest of a window needs more.
 *
 * When the list changes while its pages are read, an order may move to a page that was already read. So a reading of a
 * window counts only if every page reports the same `totalCount`, and as many different orders were read, or less than
 * a page fewer and the same ones as in the reading before. Otherwise the window is read again while there are requests
 * left.
 *
 * @param readPage - Requests a page, and calls `beforeTry` before each attempt.
 */
export async function readOrders(
  readPage: (query: OrdersQuery, beforeTry: () => void) => Promise<OrderPage>,
  { startTime, endTime, size = 20 }: OrderRange,
  windowSeconds: number,
  { maxRequests, onPage }: ReadOrdersOptions,
): Promise<void> {
  let left = maxRequests;
  const countRequest = () => {
    if (left <= 0) throw createLimitError(maxRequests);
    left--;
  };
  const request = async (query: OrdersQuery): Promise<OrderPage> => {
    const page = await readPage(query, countRequest);
    onPage(page.list);
    return page;
  };
  let range: Times | undefined = { startTime, endTime };
  while (range) {
    const { window, rest } = takeWindow(range, windowSeconds);
    let last: Set<string> | undefined;
    for (let isRead = false; !isRead; )
      ({ isRead, ids: last } = await readWindow({ ...window, size }, last));
    range = rest;
  }

  /** Reads all pages of a window. `isRead` is false if the list may have changed while it was read. */
  async function readWindow(
    window: Required<OrderRange>,
    last: Set<string> | undefined,
  ): Promise<{ isRead: boolean; ids: Set<string> }> {
    const first = await request({ ...window, page: 1 });
    const { totalCount } = first;
    // Use the size of the first page, because the service may return fewer orders per page than requested.
    const perPage = countEntries(first);
    const pageCount = perPage > 0 ? Math.ceil(totalCount / perPage) : 1;
    if (pageCount - 1 > left) throw createLimitError(maxRequests);
    const pages = [first];
    let next = 2;
    const readOn = async () => {
      while (next <= pageCount) pages.push(await request({ ...window, page: next++ }));
    };
    await Promise.all(Array.from({ length: CONCURRENT_PAGES }, readOn));
    for (const { malformed } of pages) if (malformed[0]) throw malformed[0];
    const ids = new Set(pages.flatMap(({ list }) => list.map(({ orderId }: Order) => orderId)));
    const isUnchanged = pages.every((page) => page.totalCount === totalCount);
    const isAsBefore = last?.size === ids.size && [...ids].every((id) => last.has(id));
    const missing = totalCount - ids.size;
    // As in readUntilStable: a difference of a page or more means that pages are missing.
    const isMiscounted = isAsBefore && missing > 0 && missing < perPage;
    return { isRead: isUnchanged && (missing === 0 || isMiscounted), ids };
  }
}

const createLimitError = (maxRequests: number) =>
  new RampError(
    'ERR_API_RESPONSE',
    `The range of the order list needs more than ${maxRequests} requests, or changed while it was read.`,
  );

/** Returns an issue for each name that is unknown, because its value would be ignored silently. */
export const findUnknownNames = (
  given: object | undefined,
  known: readonly string[],
): RampIssue[] =>
  Object.entries(given ?? {})
    .filter(([name, value]) => value != null && !known.includes(name))
    .map(([param]) => {
      const nearest = findNearestName(param, known);
      return { param, message: nearest ? `is unknown: write ${nearest}` : 'is unknown' };
    });

/** Returns the checked options of `readOrders`. @throws RampError `ERR_PARAMS_INVALID` */
export function parseReadOptions(options: ReadOrdersOptions): ReadOrdersOptions {
  const { maxRequests, onPage, signal } = options ?? {};
  const issues = findUnknownNames(options, ['maxRequests', 'onPage', 'signal']);
  if (!(Number.isSafeInteger(maxRequests) && maxRequests > 0))
    issues.push({ param: 'maxRequests', message: 'must be a whole number from 1' });
  if (typeof onPage !== 'function') issues.push({ param: 'onPage', message: 'must be a function' });
  if (issues.length > 0) throw createParamsError(issues, 'The options of readOrders were');
  return { maxRequests, onPage, signal };
}

/** Validates the callback of `eachOrder`. @throws RampError `ERR_PARAMS_INVALID` */
export function parseOnMalformed(
  call: EachOrderOptions | undefined,
): EachOrderOptions['onMalformed'] {
  const { onMalformed } = call ?? {};
  if (onMalformed === undefined || typeof onMalformed === 'function') return onMalformed;
  throw createParamsError(
    [{ param: 'onMalformed', message: 'must be a function' }],
    'The options of the call were',
  );
}

/** Validates the query for a page of orders. @throws RampError `ERR_PARAMS_INVALID` */
export function parseOrdersQuery(query: OrdersQuery): OrdersQuery {
  const { startTime, endTime, page, size } = query ?? {};
  const issues = findUnknownNames(query, ['startTime', 'endTime', 'page', 'size']);
  const check = (param: string, value: number | undefined, least: number, words: string) => {
    if (!(Number.isSafeInteger(value) && (value as number) >= least))
      issues.push({ param, message: `must be ${words}` });
  };
  const parseTime = (param: string, value: number) => {
    const isMs = value > 99_999_999_999;
    check(param, isMs ? Number.NaN : value, 0, 'a Unix time in whole seconds');
  };
  parseTime('startTime', startTime);
  parseTime('endTime', endTime);
  if (startTime > endTime) issues.push({ param: 'startTime', message: 'is after endTime' });
  if (page !== undefined) check('page', page, 1, 'a whole number from 1');
  if (size !== undefined) check('size', size, 1, 'a whole number from 1');
  if (issues.length > 0) throw createParamsError(issues, 'The query for orders was');
  return { startTime, endTime, page, size };
}

/** Validates the range of `eachOrder` or `readOrders`. @throws RampError `ERR_PARAMS_INVALID` */
export function parseOrderRange(range: OrderRange): OrderRange {
  const { startTime, endTime, size } = parseOrdersQuery(range);
  return { startTime, endTime, size };
}
