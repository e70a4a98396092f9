import { useCallback, useEffect, useRef, useState } from 'react';
import type { OperatorService } from '../src/operatorService.js';
import { parseSearch } from './parseSearch.js';
import { requestServer, ServerError, toRequestInit, usePolling } from './requestServer.js';

export type OperatorOverview = Awaited<ReturnType<OperatorService['readOverview']>>;
export type OperatorDetails = NonNullable<Awaited<ReturnType<OperatorService['readDetails']>>>;
export type OperatorFindings = Awaited<ReturnType<OperatorService['search']>>;
export type OperatorCheckout = OperatorFindings['checkouts'][number];
export type OperatorOrder = OperatorFindings['unmatched'][number];
export type Evidence = NonNullable<OperatorOrder['evidence']>;
export type Fulfilment = OperatorOrder['fulfilment'];
export type Outcome = NonNullable<OperatorOrder['resolution']>;
type OrderPage = Awaited<ReturnType<OperatorService['listOrders']>>;
export type OrderFilter = NonNullable<Parameters<OperatorService['listOrders']>[0]['filter']>;

const API = '/api/operator';
const REFRESH_MS = 5000;

/** Why the requests of a path fail, and the time of the first failure in Unix seconds. */
interface Trouble {
  readonly since: number;
  readonly message: string;
}

/** The refreshes of the page. Each one repeats the requests of the page. */
export interface Refreshes {
  /** Changes with each refresh, so that effects that depend on it run again. */
  readonly count: number;
  readonly refresh: () => void;
  /** Why requests of one path fail. Requests of other paths may still succeed. */
  readonly trouble: Trouble | undefined;
  readonly onSuccess: (path: string) => void;
  readonly onError: (path: string, error: unknown) => void;
}

/** Counts refreshes: one every five seconds while the page is visible, and those that the operator requests. */
export function useRefreshes(onSignedOut: () => void): Refreshes {
  const [count, setCount] = useState(0);
  const [troubles, setTroubles] = useState<Readonly<Record<string, Trouble>>>({});
  const refresh = useCallback(() => setCount((before) => before + 1), []);
  usePolling(refresh, REFRESH_MS);
  const onSuccess = useCallback(
    (path: string) =>
      setTroubles((before) => {
        if (!before[path]) return before;
        const { [path]: _, ...others } = before;
        return others;
      }),
    [],
  );
  const onError = useCallback(
    (path: string, error: unknown) => {
      const status = error instanceof ServerError ? error.status : undefined;
      if (status === 401) return onSignedOut();
      const message = status ? `Error ${status} of the server` : 'No connection to the server';
      setTroubles((before) => {
        const since = before[path]?.since ?? Date.now() / 1000;
        return { ...before, [path]: { since, message } };
      });
    },
    [onSignedOut],
  );
  return { count, refresh, trouble: Object.values(troubles)[0], onSuccess, onError };
}

/** Returns a message for an error: the server's own, the status it responded with, or that there is no connection. */
export function describeError(error: unknown): string {
  if (!(error instanceof ServerError)) return 'The server cannot be reached.';
  return error.message || `The server responded with an error (${error.status}).`;
}

interface Resource<Data> {
  readonly path: string | undefined;
  readonly data?: Data;
  /** Why this path could not be loaded, if the server refused it. */
  readonly refusal?: string;
}

/**
 * Loads a path, and loads it again with each refresh. After a change of the path there is no data until the new path is
 * loaded. A refusal (400 or 404) is returned with the path. Any other error is reported to the page.
 */
function useResource<Data>(path: string | undefined, refreshes: Refreshes): Resource<Data> {
  const [resource, setResource] = useState<Resource<Data>>({ path });
  const { count, onSuccess, onError } = refreshes;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refresh loads the path again
  useEffect(() => {
    if (path === undefined) return;
    let isCurrent = true;
    requestServer<Data>(path).then(
      (data) => {
        if (!isCurrent) return;
        onSuccess(path);
        setResource({ path, data });
      },
      (error) => {
        if (!isCurrent) return;
        const isRefused = error instanceof ServerError && [400, 404].includes(error.status);
        if (isRefused) setResource({ path, refusal: describeError(error) });
        else onError(path, error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [path, count, onSuccess, onError]);
  // Clear the trouble of a path that is no longer shown: there will be no successful request that could clear it.
  useEffect(() => () => void (path !== undefined && onSuccess(path)), [path, onSuccess]);
  return resource.path === path ? resource : { path };
}

/** Loads the orders of a filter, page by page. A refresh that changes the first page drops the later pages. */
export function useOrders(filter: OrderFilter, refreshes: Refreshes) {
  const path = `${API}/orders?${new URLSearchParams({ filter })}`;
  const { data: first } = useResource<OrderPage>(path, refreshes);
  const key = first && JSON.stringify([filter, first.orders.map(toKey)]);
  const [later, setLater] = useState<OrderPage & { readonly key: string | undefined }>();
  const known = later?.key === key ? later : undefined;
  const last = known ?? first;
  const { onError } = refreshes;
  const showMore = () => {
    if (!last?.next) return;
    const { changedAt, orderId } = last.next;
    const next = new URLSearchParams({ filter, changedAt: `${changedAt}`, orderId });
    requestServer<OrderPage>(`${API}/orders?${next}`).then(
      (page) => setLater({ ...page, orders: [...(known?.orders ?? []), ...page.orders], key }),
      (error) => onError(path, error),
    );
  };
  const orders = first && [...first.orders, ...(known?.orders ?? [])];
  return {
    orders,
    isMore: last?.next !== undefined,
    showMore,
    announcement: useChanges(first, filter),
  };
}

const toKey = ({ orderId, state, fulfilment }: OperatorOrder) =>
  `${orderId} ${state} ${fulfilment}`;

/**
 * Returns a text for screen readers that says how many orders on the first page are new or have changed. A new filter
 * does not count as a change.
 */
function useChanges(page: OrderPage | undefined, filter: OrderFilter): string {
  const previous = useRef<{ readonly filter: OrderFilter; readonly keys: ReadonlySet<string> }>(
    undefined,
  );
  const [text, setText] = useState('');
  useEffect(() => {
    if (!page) return;
    const keys = new Set(page.orders.map(toKey));
    const before = previous.current?.filter === filter ? previous.current.keys : undefined;
    previous.current = { filter, keys };
    const count = before ? [...keys].filter((key) => !before.has(key)).length : 0;
    if (count > 0)
      setText(count === 1 ? 'One order has changed.' : `${count} orders have changed.`);
  }, [page, filter]);
  return text;
}

export const useOverview = (refreshes: Refreshes) =>
  useResource<OperatorOverview>(`${API}/overview`, refreshes).data;

export const useSearch = (text: string, refreshes: Refreshes) =>
  useResource<OperatorFindings>(
    text === ''
      ? undefined
      : `${API}/search?${new URLSearchParams(parseSearch(text).map((name) => ['text', name]))}`,
    refreshes,
  );

export type DrawerTarget = { readonly reference: string } | { readonly orderId: string };

export const useDetails = (target: DrawerTarget, refreshes: Refreshes) =>
  useResource<OperatorDetails>(`${API}/details?${new URLSearchParams({ ...target })}`, refreshes);

export const requestSync = () =>
  requestServer<{ readonly isSynced: boolean }>(`${API}/sync`, toRequestInit('POST', {}));

/** Handles a case. Resolves with the time that `requestReopening` needs. */
export const requestHandled = (
  orderId: string,
  resolution: { outcome: Outcome; note: string; seen: Outcome | undefined },
) =>
  requestServer<{ readonly handledAt: number }>(
    `${API}/cases/${encodeURIComponent(orderId)}/handled`,
    toRequestInit('POST', resolution),
  );

/** Opens a handled case again. Fails if a colleague has changed the case since `handledAt`. */
export const requestReopening = (orderId: string, handledAt: number) =>
  requestServer(
    `${API}/cases/${encodeURIComponent(orderId)}/reopen`,
    toRequestInit('POST', { handledAt }),
  );

/** Makes the next attempt to book an order now. */
export const requestRetry = (orderId: string) =>
  requestServer<{ readonly result: 'delivered' | 'failed' | 'pending' }>(
    `${API}/orders/${encodeURIComponent(orderId)}/retry`,
    toRequestInit('POST', {}),
  );

/** Returns the hash of the URL that opens the drawer of a checkout, or of an order without a checkout. */
export const toHash = ({
  reference,
  orderId,
}: Partial<Pick<OperatorOrder, 'reference' | 'orderId'>>) =>
  `#${new URLSearchParams(reference === undefined ? { order: orderId ?? '' } : { checkout: reference })}`;

export function parseHash(hash: string): DrawerTarget | undefined {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  const [reference, orderId] = [query.get('checkout'), query.get('order')];
  return reference ? { reference } : orderId ? { orderId } : undefined;
}

/** A row of a list: an order, or a checkout without an order. */
export type FoundRow =
  | { readonly order: OperatorOrder; readonly checkout?: undefined }
  | { readonly checkout: OperatorCheckout; readonly order?: undefined };

export const toRows = ({
  checkouts,
  unmatched,
}: Pick<OperatorFindings, 'checkouts' | 'unmatched'>): FoundRow[] => [
  ...checkouts.flatMap((checkout): FoundRow[] =>
    checkout.orders.length > 0 ? checkout.orders.map((order) => ({ order })) : [{ checkout }],
  ),
  ...unmatched.map((order) => ({ order })),
];
