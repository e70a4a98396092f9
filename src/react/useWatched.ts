import { useCallback, useEffect, useRef, useState } from 'react';
import type { BackendSettings } from '../client/backend/fetchBackend.js';
import { createLoadError } from '../client/createLoadError.js';
import { logFailure } from '../client/dev/logFailure.js';
import type { Pollers, Watch } from '../client/watch/poller.js';
import type { RampError } from '../protocol/errors/RampError.js';

/** A state whose `error` is set while it cannot be updated. */
interface WatchedState {
  readonly error?: RampError | undefined;
}

/** Something that a component watches at its backend. */
interface Watched<State, OwnWatch> {
  readonly state: State;
  /** The watch, once its code has loaded. */
  readonly watch: { readonly current: OwnWatch | undefined };
  /** Requests the newest state immediately, or loads the code again. */
  readonly retry: () => void;
}

/**
 * Watches something at a backend while the component is mounted. The code that watches is loaded first.
 *
 * @param what - What is watched. If `what` or the backend changes, the state immediately becomes `empty`. With
 * `undefined`, nothing is watched.
 * @param start - Starts the watch, and passes each change of the state to `update`.
 */
export function useWatched<State extends WatchedState, OwnWatch extends Watch>(
  what: unknown,
  settings: BackendSettings,
  empty: State,
  start: (
    pollers: Pollers,
    getBackend: () => BackendSettings,
    update: (change: (known: State) => Partial<State>) => void,
  ) => OwnWatch,
): Watched<State, OwnWatch> {
  const { api, credentials, headers } = settings;
  const key = what === undefined ? undefined : JSON.stringify([what, api, credentials, headers]);
  const [{ key: knownKey, state }, setKnown] = useState({ key, state: empty });
  const [tries, setTries] = useState(0);
  const watch = useRef<OwnWatch>(undefined);
  const latest = useRef({ settings, start });
  useEffect(() => {
    latest.current = { settings, start };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` loads the code again
  useEffect(() => {
    if (key === undefined) return;
    let isEnded = false;
    const update = (change: (known: State) => Partial<State>) => {
      if (isEnded) return;
      setKnown((known) => {
        const before = known.key === key ? known.state : empty;
        return { key, state: { ...before, ...change(before) } };
      });
    };
    const getBackend = () => {
      const { api, credentials, headers, fetch } = latest.current.settings;
      return { api, credentials, headers, fetch };
    };
    import('../client/watch/poller.js').then(
      (pollers) => {
        if (!isEnded) watch.current = latest.current.start(pollers, getBackend, update);
      },
      (cause) => {
        if (isEnded) return;
        const error = createLoadError(cause);
        update(() => ({ error }) as Partial<State>);
        logFailure(error);
      },
    );
    return () => {
      isEnded = true;
      watch.current?.end();
      watch.current = undefined;
    };
  }, [key, tries]);
  const retry = useCallback(() => {
    if (watch.current) watch.current.retry();
    else setTries((count) => count + 1);
  }, []);
  // If the key has changed, the state belongs to what was watched before, because the effect has not run yet.
  return { state: knownKey === key ? state : empty, watch, retry };
}
