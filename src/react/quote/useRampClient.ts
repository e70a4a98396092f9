import { QueryClient, QueryClientContext } from '@tanstack/react-query';
import { useContext, useEffect, useMemo } from 'react';

let ours: QueryClient | undefined;

/** The page's QueryClient; where there is none, one that all our hooks share. */
export function useRampClient(): QueryClient {
  const given = useContext(QueryClientContext);
  const client = useMemo(() => given ?? ourClient(), [given]);
  useEffect(() => {
    // What QueryClientProvider does: it lets the client hear of focus and connection.
    if (given) return;
    client.mount();
    return () => client.unmount();
  }, [given, client]);
  return client;
}

/** On a server one per render, or the answers of one visitor would be there for the next. */
function ourClient(): QueryClient {
  if (typeof window === 'undefined') return new QueryClient();
  ours ??= new QueryClient();
  return ours;
}
