import { useEffect, useState } from 'react';
import type { PublicListing } from '../shop/useShop.js';

/** The shop records a sale shortly after the order reaches the page. */
const POLL_MS = 1000;
const MAX_ATTEMPTS = 30;

/** Reloads the listings after a payment until the shop has recorded who owns a print that exists once. */
export function usePollUntilSold(
  { type, state }: Pick<PublicListing, 'type' | 'state'>,
  isPaid: boolean,
  refresh: () => void,
): void {
  const [attempts, setAttempts] = useState(0);
  const isSalePending =
    isPaid && type === 'MARKET' && state !== 'yours' && state !== 'sold' && attempts < MAX_ATTEMPTS;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt starts the next
  useEffect(() => {
    if (!isSalePending) return;
    const timer = setTimeout(() => {
      refresh();
      setAttempts((count) => count + 1);
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [isSalePending, refresh, attempts]);
}
