import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { BackendConnection } from '../backend/fetchBackend.js';
import { requestBackend } from '../backend/responses.js';
import { removeOpenedCheckout } from './openedCheckouts.js';

/**
 * Polls the state of several checkouts. If the backend does not show a checkout to this user (404), the checkout is
 * removed from the opened checkouts.
 *
 * @param getBackend - Returns the latest settings, because the page may have renewed a token.
 * @param isTerminal - Returns whether a checkout needs no further polls.
 * @returns A function that ends the polls.
 */
export function pollCheckouts(
  references: readonly string[],
  getBackend: () => BackendConnection,
  pollMs: number,
  isTerminal: (checkout: CheckoutResponse) => boolean,
  onCheckout: (reference: string, checkout: CheckoutResponse) => void,
): () => void {
  const { api } = getBackend();
  if (api == null) return () => {};
  const controller = new AbortController();
  const { signal } = controller;
  let pending = references;
  let requests = 0;
  // The number of the newest request with a response, by reference. If the backend is slow, requests overlap, so
  // responses to older requests are dropped. Every response after a terminal state is dropped too.
  const newest: Record<string, number> = {};
  async function read(reference: string): Promise<void> {
    const request = ++requests;
    try {
      const path = `/checkouts/${encodeURIComponent(reference)}`;
      const response = await requestBackend([getBackend(), path, { signal }]);
      if (signal.aborted) return;
      if (response.status === 404) removeOpenedCheckout(api as string, reference);
      const checkout = (await response.json()) as CheckoutResponse;
      if (!response.ok || signal.aborted || !Array.isArray(checkout.orders)) return;
      if (request < (newest[reference] ?? 0) || !pending.includes(reference)) return;
      newest[reference] = request;
      if (isTerminal(checkout)) pending = pending.filter((other) => other !== reference);
      onCheckout(reference, checkout);
    } catch {
      // Ignore the failure, because the checkout is polled again.
    }
  }
  const readAll = () => {
    if (!document.hidden) for (const reference of pending) read(reference);
  };
  readAll();
  const timer = setInterval(readAll, pollMs);
  return () => {
    clearInterval(timer);
    controller.abort();
  };
}
