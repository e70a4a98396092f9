import { useEffect, useSyncExternalStore } from 'react';
import { createListeners } from '../../client/createListeners.js';
import { createLoadError } from '../../client/createLoadError.js';
import { isRampError } from '../../protocol/errors/isRampError.js';
import type { RampError } from '../../protocol/errors/RampError.js';

interface LazyPart<Part> {
  readonly part?: Part;
  readonly error?: RampError;
}

/** The lazy code once it has loaded, or the error with which loading failed. */
export interface LazyPartState<Part> extends LazyPart<Part> {
  /** Loads the code, unless it is loaded or loading. */
  readonly load: () => void;
}

// The first render must match the markup of the server. So during hydration, report that nothing is loaded, even if
// another component has already loaded the code.
const notLoaded = {};
const getServerSnapshot = () => notLoaded;

/**
 * Creates a hook that loads a component's code after hydration, and caches the code for the page. A failure is not
 * retried automatically, because Chromium caches a failed import() until the page is reloaded.
 */
export function createLazyPart<Part extends object>(
  fetchPart: () => Promise<Part>,
): (isUnneeded?: boolean) => LazyPartState<Part> {
  let state: LazyPart<Part> = notLoaded;
  let isFetching = false;
  const { subscribe, notify } = createListeners();
  const setState = (next: LazyPart<Part>) => {
    state = next;
    isFetching = !next.error;
    notify();
  };
  const load = () => {
    if (isFetching) return;
    isFetching = true;
    fetchPart().then(
      (part) => setState({ part }),
      (cause) => setState({ error: isRampError(cause) ? cause : createLoadError(cause) }),
    );
  };
  const getState = () => state;
  return function useLazyPart(isUnneeded) {
    useEffect(() => {
      if (!isUnneeded) load();
    }, [isUnneeded]);
    return { ...useSyncExternalStore(subscribe, getState, getServerSnapshot), load };
  };
}
