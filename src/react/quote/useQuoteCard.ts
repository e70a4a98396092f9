import { useEffect, useSyncExternalStore } from 'react';
import { RampError } from '../../protocol/ramp-error.js';

type CardModule = typeof import('./card-content.js');

/** The content of the card, fetched while the currencies are; kept for the page. */
let card: CardModule | RampError | undefined;
let fetching = false;
const listeners = new Set<() => void>();

function loadCard(): void {
  if (fetching) return;
  fetching = true;
  const become = (next: typeof card) => {
    card = next;
    fetching = !(next instanceof RampError);
    for (const listener of listeners) listener();
  };
  import('./card-content.js').then(become, (cause) =>
    become(new RampError('ERR_NETWORK', 'Reload the page to go on.', { cause })),
  );
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const present = () => card;
// So that what the browser first draws is what the server drew.
const onServer = () => undefined;

/**
 * The content of the card once it is there. Where it could not be fetched there is no button to try
 * again: Chromium keeps a failed import() until the page is loaded anew.
 */
export function useQuoteCard() {
  useEffect(loadCard, []);
  const found = useSyncExternalStore(subscribe, present, onServer);
  return found instanceof RampError ? { error: found, loadCard } : { card: found, loadCard };
}
