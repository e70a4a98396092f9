/** A request that the shop's server has answered, but not well. */
export class ShopRequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Asks the shop's own server. @throws Refused, with the server's words */
export async function requestShop<T>(url: string, request?: RequestInit): Promise<T> {
  const response = await fetch(url, request);
  if (response.status === 204) return undefined as T;
  const answer = await response.json().catch(() => undefined);
  if (!response.ok) throw new ShopRequestError(response.status, answer?.error?.message ?? '');
  return answer;
}

/** A request that changes something. */
export const toRequestInit = (method: 'POST' | 'DELETE', body?: object): RequestInit => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  ...(body && { body: JSON.stringify(body) }),
});
