import { useEffect, useState } from 'react';
import type { PublicListing } from '../shop/useShop.js';

/** The shop books an order a moment after the page has heard of it. */
const PAUSE_MS = 1000;
const MOST_TRIES = 30;

/** Asks again until the shop says whose a print is that was paid, where there is one of it. */
export function usePollUntilSold(
  { type, state }: Pick<PublicListing, 'type' | 'state'>,
  isPaid: boolean,
  refresh: () => void,
): void {
  const [tries, setTries] = useState(0);
  const isOrderAnnounced =
    isPaid && type === 'MARKET' && state !== 'yours' && state !== 'sold' && tries < MOST_TRIES;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try begins the next
  useEffect(() => {
    if (!isOrderAnnounced) return;
    const timer = setTimeout(() => {
      refresh();
      setTries((count) => count + 1);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isOrderAnnounced, refresh, tries]);
}
