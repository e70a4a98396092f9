import { useQuery, useQueryClient } from '@tanstack/react-query';

/** Sends a request to the backend. Throws an error with the backend's text for the user. */
export async function request(method, path = '', body = undefined) {
  const response = await fetch(`/api/wallet${path}`, {
    method,
    ...(body && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const result = await response.json();
  if (!response.ok) throw new Error(result.error.message);
  return result;
}

/** The address that this session has proved, or undefined before the sign-in. */
export function useWallet() {
  const queries = useQueryClient();
  const { data } = useQuery({ queryKey: ['wallet'], queryFn: () => request('GET') });
  const update = (result) => queries.setQueryData(['wallet'], result);
  const signOut = () => request('POST', '/sign-out').then(update);
  return { wallet: data?.address ?? undefined, update, signOut };
}
