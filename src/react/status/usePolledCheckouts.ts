import { useEffect, useRef, useState } from 'react';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { CheckoutNotice } from '../checkout/CheckoutOptions.js';
import { removeOpenedCheckout } from './openedCheckouts.js';

interface PolledCheckout {
  readonly checkout: CheckoutResponse;
  /** It was at its end when this page first read it. */
  readonly wasTerminal: boolean;
}

export type PolledCheckouts = Readonly<Record<string, PolledCheckout>>;

/**
 * Reads the state of several checkouts, and again from time to time until they are at their end. A checkout that
 * the backend does not show to this user is forgotten.
 */
export function usePolledCheckouts(
  references: readonly string[],
  { url, api, credentials, headers }: Omit<CheckoutNotice, 'reason'>,
  pollMs: number,
  isTerminal: (answer: CheckoutResponse) => boolean,
): PolledCheckouts {
  const [answers, setAnswers] = useState<PolledCheckouts>({});
  const about = JSON.stringify([references, api, credentials, headers]);
  const latest = useRef(headers);
  useEffect(() => {
    latest.current = headers;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` has them all
  useEffect(() => {
    if (api == null) return;
    const controller = new AbortController();
    const { signal } = controller;
    let left = references;
    async function read(reference: string): Promise<void> {
      try {
        const given = latest.current;
        const init = {
          credentials,
          headers: typeof given === 'function' ? await given() : given,
          signal,
        } as RequestInit;
        const response = await fetch(`${url}/${encodeURIComponent(reference)}`, init);
        if (signal.aborted) return;
        if (response.status === 404) removeOpenedCheckout(api as string, reference);
        const checkout = (await response.json()) as CheckoutResponse;
        if (!response.ok || signal.aborted || !Array.isArray(checkout.orders)) return;
        if (isTerminal(checkout)) left = left.filter((one) => one !== reference);
        setAnswers((known) => {
          const wasTerminal = known[reference]?.wasTerminal ?? isTerminal(checkout);
          return { ...known, [reference]: { checkout, wasTerminal } };
        });
      } catch {
        // It is read again later.
      }
    }
    const readAll = () => {
      if (!document.hidden) for (const reference of left) read(reference);
    };
    readAll();
    const timer = setInterval(readAll, pollMs);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [about]);
  return answers;
}
