import type { OrderPage } from '../../protocol/api/parseResources.js';
import type { Order } from '../../protocol/api/resources.js';
import { RampError } from '../../protocol/errors/RampError.js';
import type { OrderRange, OrdersQuery } from './eachOrder.js';
import type { ReadOrdersOptions } from './PartnerApi.js';

/** Requests a page, and calls `beforeTry` before each attempt. */
type ReadPage = (query: OrdersQuery, beforeTry: () => void) => Promise<OrderPage>;

/** The pages that are requested concurrently. */
const CONCURRENT_PAGES = 4;

/**
 * Reads a short range of the order list completely, or fails. The caller waits for it, so it sends at most
 * `maxRequests` requests, reads pages concurrently and does not start what it cannot finish.
 *
 * A list may change while its pages are read, and an order may then move past the reader. So a reading counts
 * only if all pages report the same number of orders, and that many different orders were read. Otherwise the
 * range is read again while there are requests left.
 */
export async function readOrders(
  readPage: ReadPage,
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
  // Windows share a second, because the service may exclude the ends of a range.
  for (let from = startTime; ; from += windowSeconds - 1) {
    const window = { startTime: from, endTime: Math.min(from + windowSeconds, endTime), size };
    while (!(await readWindow(window)));
    if (window.endTime >= endTime) return;
  }

  /** Reads all pages of a window. Returns false if the list changed meanwhile. */
  async function readWindow(window: Required<OrderRange>): Promise<boolean> {
    const first = await request({ ...window, page: 1 });
    const { totalCount } = first;
    // The service may return fewer orders per page than requested.
    const perPage = first.list.length + first.malformed.length;
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
    return pages.every((page) => page.totalCount === totalCount) && ids.size === totalCount;
  }
}

const createLimitError = (maxRequests: number) =>
  new RampError(
    'ERR_API_RESPONSE',
    `The range of the order list needs more than ${maxRequests} requests, or changed while it was read.`,
  );
