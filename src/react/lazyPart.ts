import { useEffect, useSyncExternalStore } from 'react';
import { RampError } from '../protocol/ramp-error.js';

export interface LazyPart<Part> {
  readonly part?: Part | undefined;
  readonly error?: RampError | undefined;
  /** Fetches it, unless it is there or on its way. */
  readonly load: () => void;
}

// So that what the browser first draws is what the server drew.
const onServer = () => undefined;

/**
 * Makes the hook that fetches the content of a component once it is shown, and keeps it for the page.
 * Where it could not be fetched there is no button to try again: Chromium keeps a failed import() until
 * the page is loaded anew.
 */
export function lazyPart<Part extends object>(
  fetchPart: () => Promise<Part>,
): (isUnneeded?: boolean) => LazyPart<Part> {
  let part: Part | RampError | undefined;
  let fetching = false;
  const listeners = new Set<() => void>();
  const become = (next: Part | RampError) => {
    part = next;
    fetching = !(next instanceof RampError);
    for (const listener of listeners) listener();
  };
  const load = () => {
    if (fetching) return;
    fetching = true;
    fetchPart().then(become, (cause) =>
      become(new RampError('ERR_NETWORK', 'Reload the page to go on.', { cause })),
    );
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const present = () => part;
  return function useLazyPart(isUnneeded) {
    useEffect(() => {
      if (!isUnneeded) load();
    }, [isUnneeded]);
    const found = useSyncExternalStore(subscribe, present, onServer);
    return found instanceof RampError ? { error: found, load } : { part: found, load };
  };
}
