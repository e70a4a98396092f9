import { useCallback, useRef } from 'react';
import type { OperatorOrder } from './OperatorOverview.js';

/**
 * Returns a function that counts the orders that are new or in another state since its last call. It
 * returns 0 for the first list of a filter.
 */
export function useChangeCount() {
  const previous = useRef<{ readonly filter: string; readonly keys: ReadonlySet<string> }>(
    undefined,
  );
  return useCallback((filter: string, orders: readonly OperatorOrder[]): number => {
    const keys = new Set(orders.map(({ orderId, state }) => `${orderId} ${state}`));
    const before = previous.current?.filter === filter ? previous.current.keys : undefined;
    previous.current = { filter, keys };
    return before ? [...keys].filter((key) => !before.has(key)).length : 0;
  }, []);
}
