import { useEffect } from 'react';

/** An error response of the server. `message` is the server's message. */
export class ServerError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Sends a request to the server and returns the JSON of the response.
 *
 * @throws ServerError when the status is not successful.
 */
export async function requestServer<T>(url: string, request?: RequestInit): Promise<T> {
  const response = await fetch(url, request);
  if (response.status === 204) return undefined as T;
  const data = await response.json().catch(() => undefined);
  if (!response.ok) throw new ServerError(response.status, data?.error?.message ?? '');
  return data;
}

export const toRequestInit = (method: 'POST' | 'DELETE', body?: object): RequestInit => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  ...(body && { body: JSON.stringify(body) }),
});

/** Calls `action` at an interval while the page is visible, and when it becomes visible again. */
export function usePolling(action: () => void, intervalMs: number): void {
  useEffect(() => {
    const runIfVisible = () => document.hidden || action();
    const timer = setInterval(runIfVisible, intervalMs);
    document.addEventListener('visibilitychange', runIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', runIfVisible);
    };
  }, [action, intervalMs]);
}
