import { useCallback, useEffect, useRef, useState } from 'react';
import { requestShop, ShopRequestError, toRequestInit } from '../shop/requestShop.js';
import { usePolling } from '../shop/usePolling.js';
import type { OperatorOrder, OperatorOrderPage, OperatorOverview } from './OperatorOverview.js';

export type MatchStatusFilter = OperatorOrder['matchStatus'] | 'all';

const REFRESH_MS = 5000;

/** What the desk shows, kept up to date while it is seen. */
export function useOperator(onSignedOut: () => void) {
  const [overview, setOverview] = useState<OperatorOverview>();
  const [matchStatus, setMatchStatus] = useState<MatchStatusFilter>('all');
  const [list, setList] = useState<OperatorOrderPage>();
  const [isLost, setIsLost] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  /** Orders below the first page stay as they were asked for. */
  const isLong = useRef(false);
  const known = useRef<{ readonly of: MatchStatusFilter; readonly keys: ReadonlySet<string> }>(
    undefined,
  );

  const failed = useCallback(
    (error: unknown) => {
      if (error instanceof ShopRequestError && error.status === 401) onSignedOut();
      else setIsLost(true);
    },
    [onSignedOut],
  );
  const load = useCallback(
    async (isAsked: boolean) => {
      try {
        setOverview(await requestShop<OperatorOverview>('/api/operator/overview'));
        const first = await requestShop<OperatorOrderPage>(
          `/api/operator/orders?${buildQuery(matchStatus)}`,
        );
        setIsLost(false);
        const keys = new Set(first.orders.map(({ orderId, state }) => `${orderId} ${state}`));
        const before = known.current?.of === matchStatus ? known.current.keys : undefined;
        known.current = { of: matchStatus, keys };
        const fresh = before ? [...keys].filter((key) => !before.has(key)).length : 0;
        if (fresh > 0)
          setAnnouncement(fresh === 1 ? 'One order has changed.' : `${fresh} orders have changed.`);
        else if (isAsked) setAnnouncement(`Nothing new at ${clock.format(Date.now())}.`);
        if (!isLong.current || fresh > 0) {
          isLong.current = false;
          setList(first);
        }
      } catch (error) {
        failed(error);
      }
    },
    [matchStatus, failed],
  );
  useEffect(() => {
    isLong.current = false;
    void load(false);
  }, [load]);
  const poll = useCallback(() => void load(false), [load]);
  usePolling(poll, REFRESH_MS);

  const showMore = () => {
    const last = list?.orders.at(-1);
    if (!last) return;
    const { changedAt, orderId } = last;
    const place = new URLSearchParams({ changedAt: `${changedAt}`, orderId });
    requestShop<OperatorOrderPage>(`/api/operator/orders?${buildQuery(matchStatus)}&${place}`).then(
      (next) => {
        isLong.current = true;
        setList((page) => ({
          orders: [...(page?.orders ?? []), ...next.orders],
          isMore: next.isMore,
        }));
      },
      failed,
    );
  };
  const handle = (orderId: string) =>
    requestShop(
      `/api/operator/cases/${encodeURIComponent(orderId)}/handled`,
      toRequestInit('POST', {}),
    ).then(() => {
      setAnnouncement('Marked as handled.');
      return load(false);
    }, failed);

  return {
    overview,
    orders: list?.orders,
    isMore: list?.isMore ?? false,
    matchStatus,
    setMatchStatus,
    isLost,
    announcement,
    refresh: () => void load(true),
    showMore,
    handle,
  };
}

const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });

const buildQuery = (matchStatus: MatchStatusFilter): string =>
  matchStatus === 'all' ? '' : `matchStatus=${matchStatus}`;
