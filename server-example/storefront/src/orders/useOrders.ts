import { useCallback, useEffect, useState } from 'react';
import { requestShop } from '../shop/requestShop.js';
import { usePolling } from '../shop/usePolling.js';

/** A checkout of the shopper, as the shop's server says. */
export interface ShopperOrder {
  readonly reference: string;
  /** Unix seconds. */
  readonly openedAt: number;
  /** None for a top-up. */
  readonly print?: { readonly number: string; readonly title: string; readonly quantity: number };
  /** Paid, but the only print went to somebody who paid before. */
  readonly isSoldBefore: boolean;
}

interface Page {
  readonly orders: readonly ShopperOrder[];
  readonly isMore: boolean;
}

/** New ones come from other pages of the shop. */
const REFRESH_MS = 20_000;

/** The shopper's own checkouts: the first page, and as many more as were asked for. */
export function useOrders() {
  const [orders, setOrders] = useState<readonly ShopperOrder[]>();
  const [isMore, setIsMore] = useState(false);
  const [isLost, setIsLost] = useState(false);

  const load = useCallback((before?: string) => {
    const query = before === undefined ? '' : `?before=${encodeURIComponent(before)}`;
    return requestShop<Page>(`/api/orders${query}`).then(
      (page) => {
        setOrders((known) => mergeOrders(known ?? [], page.orders));
        setIsLost(false);
        return page;
      },
      () => setIsLost(true),
    );
  }, []);
  useEffect(() => {
    load().then((page) => setIsMore(page?.isMore ?? false));
  }, [load]);
  const refresh = useCallback(() => void load(), [load]);
  usePolling(refresh, REFRESH_MS);

  const showMore = () =>
    load(orders?.at(-1)?.reference).then((page) => page && setIsMore(page.isMore));
  return { orders, isMore, isLost, showMore };
}

/** The newest first, as the server lists them. */
function mergeOrders(known: readonly ShopperOrder[], more: readonly ShopperOrder[]) {
  const byReference = new Map([...known, ...more].map((order) => [order.reference, order]));
  return [...byReference.values()].sort(
    (a, b) => b.openedAt - a.openedAt || (a.reference < b.reference ? 1 : -1),
  );
}
