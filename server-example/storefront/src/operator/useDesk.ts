import { useCallback, useEffect, useRef, useState } from 'react';
import { ask, Refused, send } from '../ask.js';
import { useWhenSeen } from '../useWhenSeen.js';
import type { OperatorOrder, OrderPage, Overview } from './operator-types.js';

export type Standing = OperatorOrder['standing'] | 'all';

const REFRESH_MS = 5000;

/** What the desk shows, kept up to date while it is seen. */
export function useDesk(onSignedOut: () => void) {
  const [overview, setOverview] = useState<Overview>();
  const [standing, setStanding] = useState<Standing>('all');
  const [list, setList] = useState<OrderPage>();
  const [isLost, setIsLost] = useState(false);
  const [said, setSaid] = useState('');
  /** Orders below the first page stay as they were asked for. */
  const isLong = useRef(false);
  const known = useRef<{ readonly of: Standing; readonly keys: ReadonlySet<string> }>(undefined);

  const failed = useCallback(
    (error: unknown) => {
      if (error instanceof Refused && error.status === 401) onSignedOut();
      else setIsLost(true);
    },
    [onSignedOut],
  );
  const load = useCallback(
    async (isAsked: boolean) => {
      try {
        setOverview(await ask<Overview>('/api/operator/overview'));
        const first = await ask<OrderPage>(`/api/operator/orders?${query(standing)}`);
        setIsLost(false);
        const keys = new Set(first.orders.map(({ orderId, state }) => `${orderId} ${state}`));
        const before = known.current?.of === standing ? known.current.keys : undefined;
        known.current = { of: standing, keys };
        const fresh = before ? [...keys].filter((key) => !before.has(key)).length : 0;
        if (fresh > 0)
          setSaid(fresh === 1 ? 'One order has changed.' : `${fresh} orders have changed.`);
        else if (isAsked) setSaid(`Nothing new at ${clock.format(Date.now())}.`);
        if (!isLong.current || fresh > 0) {
          isLong.current = false;
          setList(first);
        }
      } catch (error) {
        failed(error);
      }
    },
    [standing, failed],
  );
  useEffect(() => {
    isLong.current = false;
    void load(false);
  }, [load]);
  const tick = useCallback(() => void load(false), [load]);
  useWhenSeen(tick, REFRESH_MS);

  const showMore = () => {
    const last = list?.orders.at(-1);
    if (!last) return;
    const { changedAt, orderId } = last;
    const place = new URLSearchParams({ changedAt: `${changedAt}`, orderId });
    ask<OrderPage>(`/api/operator/orders?${query(standing)}&${place}`).then((next) => {
      isLong.current = true;
      setList((page) => ({
        orders: [...(page?.orders ?? []), ...next.orders],
        isMore: next.isMore,
      }));
    }, failed);
  };
  const handle = (orderId: string) =>
    ask(`/api/operator/cases/${encodeURIComponent(orderId)}/handled`, send('POST', {})).then(() => {
      setSaid('Marked as handled.');
      return load(false);
    }, failed);

  return {
    overview,
    orders: list?.orders,
    isMore: list?.isMore ?? false,
    standing,
    choose: setStanding,
    isLost,
    said,
    refresh: () => void load(true),
    showMore,
    handle,
  };
}

const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });

const query = (standing: Standing): string => (standing === 'all' ? '' : `standing=${standing}`);
