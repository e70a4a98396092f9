import type { SandboxOrder } from '../orders/SandboxOrder.js';
import type { OrderQuery } from './apiQueries.js';

/** One page of finished orders (docs/service-interface.md section 2.5). */
export interface SandboxOrderPage {
  readonly page: number;
  readonly size: number;
  /** The number of orders on all pages. */
  readonly totalCount: number;
  readonly list: readonly SandboxOrder[];
}

/**
 * Returns the page that a query requests (section 4.5): orders finished from `startTime` to `endTime`,
 * both included. The sequence is stable, because new orders are added at its end.
 */
export function selectOrderPage(
  orders: readonly SandboxOrder[],
  query: OrderQuery,
): SandboxOrderPage {
  const { startTime, endTime, page, size } = query;
  const found = orders
    .filter(({ finishTime }) => startTime <= finishTime && finishTime <= endTime)
    .sort((a, b) => a.finishTime - b.finishTime || (a.orderId < b.orderId ? -1 : 1));
  return {
    page,
    size,
    totalCount: found.length,
    list: found.slice((page - 1) * size, page * size),
  };
}
