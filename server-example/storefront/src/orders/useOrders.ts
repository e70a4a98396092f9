import { useCallback, useEffect, useState } from 'react';
import { requestShop, usePolling } from '../shop/requestShop.js';

/** A checkout of the shopper, as `/api/orders` returns it. */
export interface ShopperOrder {
  readonly reference: string;
  /** Unix seconds. */
  readonly openedAt: number;
  /** Undefined for a top-up. */
  readonly print?: { readonly number: string; readonly title: string; readonly quantity: number };
  /** Whether the shopper paid for a print that was already sold. */
  readonly isSoldBefore: boolean;
}

interface Page {
  readonly orders: readonly ShopperOrder[];
  readonly isMore: boolean;
}

/** The list is reloaded at this interval, because the shopper may open checkouts in another tab. */
const REFRESH_MS = 20_000;

/** Loads the shopper's checkouts and reloads the first page while the page is visible. */
export function useOrders() {
  const [orders, setOrders] = useState<readonly ShopperOrder[]>();
  const [isMore, setIsMore] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);

  const load = useCallback((before?: string) => {
    const query = before === undefined ? '' : `?before=${encodeURIComponent(before)}`;
    return requestShop<Page>(`/api/orders${query}`).then(
      (page) => {
        setOrders((known) => mergeOrders(known ?? [], page.orders));
        setHasFailed(false);
        return page;
      },
      () => setHasFailed(true),
    );
  }, []);
  useEffect(() => {
    load().then((page) => setIsMore(page?.isMore ?? false));
  }, [load]);
  const refresh = useCallback(() => void load(), [load]);
  usePolling(refresh, REFRESH_MS);

  const showMore = () =>
    load(orders?.at(-1)?.reference).then((page) => page && setIsMore(page.isMore));
  return { orders, isMore, hasFailed, showMore };
}

/** Merges two lists without duplicates. The result is sorted newest first, like the server's responses. */
function mergeOrders(known: readonly ShopperOrder[], more: readonly ShopperOrder[]) {
  const byReference = new Map([...known, ...more].map((order) => [order.reference, order]));
  return [...byReference.values()].sort(
    (a, b) => b.openedAt - a.openedAt || (a.reference < b.reference ? 1 : -1),
  );
}
