import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

/** The signed-in shopper, as the server describes them to their own page. */
export interface Shopper {
  readonly id: string;
  readonly name: string;
  readonly wallets: { readonly evm?: string; readonly bitcoin?: string };
}

/** What the shop has given to the shopper for an order. */
export interface Purchase {
  readonly orderId: string;
  readonly coin: string | null;
  /** A decimal string. */
  readonly amount: string | null;
  /** Unix seconds. */
  readonly deliveredAt: number;
}

export interface Session {
  readonly widgetUrl: string;
  readonly shopper: Shopper | null;
}

async function request<T>(url: string, init?: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} responded ${response.status}.`);
  return response.status === 204 ? (undefined as T) : response.json();
}

/** Loads the session. The page gets its own shopper and the address of the widget, and no key. */
export const useSession = () =>
  useQuery({
    queryKey: ['session'],
    queryFn: () => request<Session>('/api/session'),
    // Never give up while the server doesn't respond: the page is empty until it does.
    retry: true,
    retryDelay: 2000,
  });

/** Returns a function that signs a demo shopper in, or with `null` signs out. */
export function useSignIn() {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (shopper: string | null) =>
      request(
        '/api/session',
        shopper === null
          ? { method: 'DELETE' }
          : {
              method: 'POST',
              headers: { 'Content-Type': 'application/json' },
              body: JSON.stringify({ shopper }),
            },
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ['session'] }),
    // One after another, so that the last press wins.
    scope: { id: 'session' },
  });
  return mutate;
}

/**
 * Loads what the shop has delivered. It asks again every few seconds, because "Delivered" in the package's cards says
 * that the service has sent the coins, and the shop's own delivery may follow a moment later.
 */
export const usePurchases = (shopper: Shopper) =>
  useQuery({
    queryKey: ['purchases', shopper.id],
    queryFn: () => request<{ purchases: readonly Purchase[] }>('/api/purchases'),
    refetchInterval: 4000,
  });
