import { QueryClient, QueryClientContext } from '@tanstack/react-query';
import { useContext, useEffect, useMemo } from 'react';

let sharedClient: QueryClient | undefined;

/** The page's QueryClient; where there is none, one that all our hooks share. */
export function useRampClient(): QueryClient {
  const given = useContext(QueryClientContext);
  const client = useMemo(() => given ?? getSharedClient(), [given]);
  useEffect(() => {
    // What QueryClientProvider does: it lets the client hear of focus and connection.
    if (given) return;
    client.mount();
    return () => client.unmount();
  }, [given, client]);
  return client;
}

/** On a server one per render, or the answers of one visitor would be there for the next. */
function getSharedClient(): QueryClient {
  if (typeof window === 'undefined') return new QueryClient();
  sharedClient ??= new QueryClient();
  return sharedClient;
}
