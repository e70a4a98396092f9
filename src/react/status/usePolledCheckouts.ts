import { useEffect, useRef, useState } from 'react';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { BackendConnection } from '../backend/fetchBackend.js';
import { removeOpenedCheckout } from './openedCheckouts.js';

interface PolledCheckout {
  readonly checkout: CheckoutResponse;
  /** Whether `isTerminal` was already true when this page first read the checkout. */
  readonly wasTerminal: boolean;
}

/** The polled checkouts by reference. */
export type PolledCheckouts = Readonly<Record<string, PolledCheckout>>;

/**
 * Polls the state of several checkouts. If the backend does not show a checkout to this user (404), the checkout is
 * removed from the opened checkouts.
 *
 * @param isTerminal - Returns whether a checkout needs no further polls.
 */
export function usePolledCheckouts(
  references: readonly string[],
  backend: BackendConnection,
  pollMs: number,
  isTerminal: (checkout: CheckoutResponse) => boolean,
): PolledCheckouts {
  const { api, credentials, headers } = backend;
  const [checkouts, setCheckouts] = useState<PolledCheckouts>({});
  const key = JSON.stringify([references, api, credentials, headers]);
  const latest = useRef(backend);
  useEffect(() => {
    latest.current = backend;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` has them all
  useEffect(() => {
    if (api == null) return;
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
        const { request: send } = latest.current;
        const { response } = await send(latest.current, path, { signal });
        if (!response || signal.aborted) return;
        if (response.status === 404) removeOpenedCheckout(api as string, reference);
        const checkout = (await response.json()) as CheckoutResponse;
        if (!response.ok || signal.aborted || !Array.isArray(checkout.orders)) return;
        if (request < (newest[reference] ?? 0) || !pending.includes(reference)) return;
        newest[reference] = request;
        if (isTerminal(checkout)) pending = pending.filter((other) => other !== reference);
        setCheckouts((known) => {
          const wasTerminal = known[reference]?.wasTerminal ?? isTerminal(checkout);
          return { ...known, [reference]: { checkout, wasTerminal } };
        });
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
  }, [key]);
  return checkouts;
}
