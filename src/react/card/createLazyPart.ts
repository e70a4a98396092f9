import { useEffect, useSyncExternalStore } from 'react';
import { isRampError } from '../../protocol/errors/isRampError.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import { createLoadError } from '../createLoadError.js';

interface LazyPart<Part> {
  readonly part?: Part;
  readonly error?: RampError;
}

/** The state of a lazy part. */
export interface LazyPartState<Part> extends LazyPart<Part> {
  /** Loads the content, unless it is loaded or loading. */
  readonly load: () => void;
}

// Reports no content during hydration: the first render must equal the server's markup, even if another
// component has loaded the content already.
const notLoaded = {};
const getServerSnapshot = () => notLoaded;

/**
 * Creates a hook that loads the content of a component after hydration, and caches it for the page. It does not
 * retry after a failure, because Chromium caches a failed import() until the page is reloaded.
 */
export function createLazyPart<Part extends object>(
  fetchPart: () => Promise<Part>,
): (isUnneeded?: boolean) => LazyPartState<Part> {
  let state: LazyPart<Part> = notLoaded;
  let isFetching = false;
  const listeners = new Set<() => void>();
  const setState = (next: LazyPart<Part>) => {
    state = next;
    isFetching = !next.error;
    for (const listener of listeners) listener();
  };
  const load = () => {
    if (isFetching) return;
    isFetching = true;
    fetchPart().then(
      (part) => setState({ part }),
      (cause) => setState({ error: isRampError(cause) ? cause : createLoadError(cause) }),
    );
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const getState = () => state;
  return function useLazyPart(isUnneeded) {
    useEffect(() => {
      if (!isUnneeded) load();
    }, [isUnneeded]);
    return { ...useSyncExternalStore(subscribe, getState, getServerSnapshot), load };
  };
}
