import { QueryClient, QueryClientContext } from '@tanstack/react-query';
import { useContext, useEffect, useMemo } from 'react';

let sharedClient: QueryClient | undefined;

/** Returns the page's QueryClient, or else the one shared by all hooks of this package. */
export function useRampClient(): QueryClient {
  const given = useContext(QueryClientContext);
  const client = useMemo(() => given ?? getSharedClient(), [given]);
  useEffect(() => {
    // As QueryClientProvider does: a mounted client receives focus and connection events.
    if (given) return;
    client.mount();
    return () => client.unmount();
  }, [given, client]);
  return client;
}

/** Returns the shared client. On a server it creates one per render, so that visitors never share responses. */
function getSharedClient(): QueryClient {
  if (typeof window === 'undefined') return new QueryClient();
  sharedClient ??= new QueryClient();
  return sharedClient;
}
