import { useCallback, useEffect, useRef, useState } from 'react';
import { requestShop, ShopRequestError, toRequestInit, usePolling } from '../shop/requestShop.js';

/** An order, as `/api/operator` returns it. Amounts are decimal strings, times Unix seconds. */
export interface OperatorOrder {
  readonly orderId: string;
  readonly matchStatus: 'matched' | 'unknown' | 'quarantined' | 'unmatched';
  readonly state: 'finished' | 'settlement' | 'settled' | 'unknown';
  readonly changedAt: number;
  readonly finishTime?: number;
  readonly reference?: string;
  readonly title?: string;
  readonly paid: string;
  readonly bought: string;
  readonly fulfilment: 'delivered' | 'settled' | 'needs-attention' | 'handled' | 'none';
}

interface OperatorCase {
  readonly orderId: string;
  readonly reference: string;
  readonly reason: string;
  readonly field?: string;
  readonly openedAt: number;
  readonly order?: OperatorOrder;
}

export interface SyncReport {
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly from: number;
  readonly listed: number;
  readonly recorded: number;
  /** The number of listed orders that could not be parsed. */
  readonly malformed?: number;
  readonly failed?: true;
}

export interface WebhookCount {
  readonly minute: number;
  readonly outcome: 'accepted' | 'replayed' | 'refused';
  readonly reason?: string;
  readonly count: number;
}

export interface OperatorOverview {
  readonly cases: readonly OperatorCase[];
  readonly moreCases: number;
  readonly sync?: SyncReport;
  readonly webhooks: readonly WebhookCount[];
}

interface OperatorOrderPage {
  readonly orders: readonly OperatorOrder[];
  readonly isMore: boolean;
}

export type MatchStatusFilter = OperatorOrder['matchStatus'] | 'all';

const REFRESH_MS = 5000;

/** Loads the data of the operator page, and reloads it while the page is visible. */
export function useOperator(onSignedOut: () => void) {
  const [overview, setOverview] = useState<OperatorOverview>();
  const [matchStatus, setMatchStatus] = useState<MatchStatusFilter>('all');
  const [list, setList] = useState<OperatorOrderPage>();
  const [hasFailed, setHasFailed] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  /** Whether more than the first page is loaded. A refresh then replaces the list only if orders have changed. */
  const hasMorePages = useRef(false);
  const countChanges = useChangeCount();

  const onError = useCallback(
    (error: unknown) => {
      if (error instanceof ShopRequestError && error.status === 401) onSignedOut();
      else setHasFailed(true);
    },
    [onSignedOut],
  );
  const load = useCallback(
    async (isManual: boolean) => {
      try {
        setOverview(await requestShop<OperatorOverview>('/api/operator/overview'));
        const first = await requestOrders(matchStatus);
        setHasFailed(false);
        const changes = countChanges(matchStatus, first.orders);
        if (changes > 0) setAnnouncement(formatChanges(changes));
        else if (isManual) setAnnouncement(`No changes at ${timeFormatter.format(Date.now())}.`);
        if (!hasMorePages.current || changes > 0) {
          hasMorePages.current = false;
          setList(first);
        }
      } catch (error) {
        onError(error);
      }
    },
    [matchStatus, countChanges, onError],
  );
  useEffect(() => {
    hasMorePages.current = false;
    void load(false);
  }, [load]);
  const poll = useCallback(() => void load(false), [load]);
  usePolling(poll, REFRESH_MS);

  const showMore = () => {
    const last = list?.orders.at(-1);
    if (!last) return;
    requestOrders(matchStatus, last).then((next) => {
      hasMorePages.current = true;
      setList((page) => ({
        orders: [...(page?.orders ?? []), ...next.orders],
        isMore: next.isMore,
      }));
    }, onError);
  };
  const closeCase = (orderId: string) =>
    requestShop(
      `/api/operator/cases/${encodeURIComponent(orderId)}/handled`,
      toRequestInit('POST', {}),
    ).then(() => {
      setAnnouncement('Marked as handled.');
      return load(false);
    }, onError);

  const refresh = () => void load(true);
  const { orders, isMore = false } = list ?? {};
  const filter = { matchStatus, setMatchStatus };
  return {
    overview,
    orders,
    isMore,
    ...filter,
    hasFailed,
    announcement,
    refresh,
    showMore,
    closeCase,
  };
}

const timeFormatter = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });

const formatChanges = (count: number): string =>
  count === 1 ? 'One order has changed.' : `${count} orders have changed.`;

/** Requests the first page of orders, or the page that follows the order `after`. */
function requestOrders(
  matchStatus: MatchStatusFilter,
  after?: OperatorOrder,
): Promise<OperatorOrderPage> {
  const query = new URLSearchParams({
    ...(matchStatus !== 'all' && { matchStatus }),
    ...(after && { changedAt: `${after.changedAt}`, orderId: after.orderId }),
  });
  return requestShop(`/api/operator/orders?${query}`);
}

/**
 * Returns a function that counts how many orders are new or have changed since its last call. The count is 0 for the
 * first list after a change of the filter.
 */
function useChangeCount() {
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
