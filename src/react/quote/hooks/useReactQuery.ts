import type { QueryClient } from '@tanstack/react-query';
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { createLazyPart, type LazyPartState } from '../../card/createLazyPart.js';

/**
 * The parts of react-query that the hooks use, and `fetchQuery`. The type is written out, because an emitted
 * declaration cannot name the types of `@tanstack/query-core`.
 */
type Library = Pick<
  typeof import('@tanstack/react-query'),
  'QueryClient' | 'QueryClientContext' | 'QueryObserver' | 'notifyManager' | 'onlineManager'
> &
  Pick<typeof import('./fetchQuery.js'), 'fetchQuery'>;

export const noop = () => {};

/**
 * Loads react-query on demand, because it is an optional peer dependency. A bundler fails at a static import that it
 * cannot resolve, even for a page that has only a button. It tolerates an unresolved import() inside a `try`.
 */
async function loadLibrary(): Promise<Library> {
  const lazy = import('./fetchQuery.js');
  // Prevent an unhandled rejection if this import fails before the code below awaits it.
  lazy.catch(noop);
  let cause: unknown;
  try {
    // Destructure the module, so that bundlers omit its other exports.
    const { QueryClient, QueryClientContext, QueryObserver, notifyManager, onlineManager } =
      await import('@tanstack/react-query');
    const { fetchQuery } = await lazy;
    // Version 4 does not export QueryClientContext.
    if (QueryClientContext !== undefined)
      return {
        QueryClient,
        QueryClientContext,
        QueryObserver,
        notifyManager,
        onlineManager,
        fetchQuery,
      };
  } catch (error) {
    cause = error;
  }
  throw (await lazy).toLibraryError(cause);
}

/** `part` is the library. `error` is set if it is missing, has another major version, or failed to load. */
export interface ReactQuery extends LazyPartState<Library> {
  readonly client: QueryClient | undefined;
  /** Whether there is a connection, according to the library. True until the library has loaded. */
  readonly online: boolean;
}

export const useLibrary = /* @__PURE__ */ createLazyPart(loadLibrary);

const noContext = /* @__PURE__ */ createContext<QueryClient | undefined>(undefined);
const isOnlineOnServer = () => true;

let sharedClient: QueryClient | undefined;

function getSharedClient({ QueryClient }: Library): QueryClient {
  sharedClient ??= new QueryClient();
  return sharedClient;
}

/** Returns react-query with the page's QueryClient, or else with the one shared by all hooks of this package. */
export function useReactQuery(): ReactQuery {
  const lazy = useLibrary();
  const { part: library } = lazy;
  const pageClient = useContext(library?.QueryClientContext ?? noContext);
  const client = useMemo(
    () => pageClient ?? (library && getSharedClient(library)),
    [pageClient, library],
  );
  useEffect(() => {
    // Mount the shared client, as QueryClientProvider does with its own, so that it gets focus and connection events.
    if (pageClient || !client) return;
    client.mount();
    return () => client.unmount();
  }, [pageClient, client]);
  const manager = library?.onlineManager;
  const online = useSyncExternalStore(
    useCallback((changed: () => void) => manager?.subscribe(changed) ?? noop, [manager]),
    () => manager?.isOnline() ?? true,
    isOnlineOnServer,
  );
  return { ...lazy, client, online };
}
