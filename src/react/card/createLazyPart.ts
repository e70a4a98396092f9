import { useEffect, useSyncExternalStore } from 'react';
import { RampError } from '../../protocol/errors/RampError.js';

/** The state of a lazy part. */
export interface LazyPartState<Part> {
  readonly part?: Part | undefined;
  readonly error?: RampError | undefined;
  /** Loads the content, unless it is loaded or loading. */
  readonly load: () => void;
}

// Reports no content during hydration: the first render must equal the server's markup, even if another
// component has loaded the content already.
const getServerSnapshot = () => undefined;

/**
 * Creates a hook that loads the content of a component after hydration, and caches it for the page. It does not
 * retry after a failure, because Chromium caches a failed import() until the page is reloaded.
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
      setPart(
        cause instanceof RampError
          ? cause
          : new RampError('ERR_NETWORK', 'Reload the page to retry.', { cause }),
      ),
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
