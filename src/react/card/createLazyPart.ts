import { useEffect, useSyncExternalStore } from 'react';
import { RampError } from '../../protocol/errors/RampError.js';

export interface LazyPartState<Part> {
  readonly part?: Part | undefined;
  readonly error?: RampError | undefined;
  /** Fetches it, unless it is there or on its way. */
  readonly load: () => void;
}

// So that what the browser first draws is what the server drew.
const getServerSnapshot = () => undefined;

/**
 * Makes the hook that fetches the content of a component once it is shown, and keeps it for the page.
 * Where it could not be fetched there is no button to try again: Chromium keeps a failed import() until
 * the page is loaded anew.
 */
export function createLazyPart<Part extends object>(
  fetchPart: () => Promise<Part>,
): (isUnneeded?: boolean) => LazyPartState<Part> {
  let part: Part | RampError | undefined;
  let fetching = false;
  const listeners = new Set<() => void>();
  const setPart = (next: Part | RampError) => {
    part = next;
    fetching = !(next instanceof RampError);
    for (const listener of listeners) listener();
  };
  const load = () => {
    if (fetching) return;
    fetching = true;
    fetchPart().then(setPart, (cause) =>
      setPart(new RampError('ERR_NETWORK', 'Reload the page to go on.', { cause })),
    );
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const getPart = () => part;
  return function useLazyPart(isUnneeded) {
    useEffect(() => {
      if (!isUnneeded) load();
    }, [isUnneeded]);
    const found = useSyncExternalStore(subscribe, getPart, getServerSnapshot);
    return found instanceof RampError ? { error: found, load } : { part: found, load };
  };
}
