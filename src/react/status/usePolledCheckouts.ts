import { useEffect, useRef, useState } from 'react';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { BackendConnection } from '../backend/fetchBackend.js';
import { pollCheckouts } from './pollCheckouts.js';

interface PolledCheckout {
  readonly checkout: CheckoutResponse;
  /** Whether `isTerminal` was already true when this page first read the checkout. */
  readonly wasTerminal: boolean;
}

/** The polled checkouts by reference. */
export type PolledCheckouts = Readonly<Record<string, PolledCheckout>>;

/**
 * Polls the state of several checkouts, as {@link pollCheckouts} does, while the component is mounted.
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
  useEffect(
    () =>
      pollCheckouts(
        references,
        () => latest.current,
        pollMs,
        isTerminal,
        (reference, checkout) =>
          setCheckouts((known) => {
            const wasTerminal = known[reference]?.wasTerminal ?? isTerminal(checkout);
            return { ...known, [reference]: { checkout, wasTerminal } };
          }),
      ),
    [key],
  );
  return checkouts;
}
