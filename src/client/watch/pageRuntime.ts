import type { RampError } from '../../protocol/errors/RampError.js';
import type { BackendSettings } from '../backend/fetchBackend.js';
import { logFailure } from '../dev/logFailure.js';

/** What a poller needs from the page it runs in. */
export interface PageRuntime {
  /** A clock that never goes back, in milliseconds. */
  now(): number;
  /** Returns a random number from 0 to 1. */
  random(): number;
  setTimeout(work: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  isHidden(): boolean;
  /** Calls the listener on each page event. Returns a function that unsubscribes. */
  subscribe(listener: (event: PageEvent) => void): () => void;
  /** Prints a failure to the console. */
  log(error: RampError, settings: BackendSettings): void;
}

/** `visibility`: the tab was shown or hidden. `online`: the connection is back. `focus`: the shopper is in the page. */
export type PageEvent = 'visibility' | 'online' | 'focus';

/** Creates the poller's runtime from this page's `window` and `document`. */
export function createPageRuntime(): PageRuntime {
  // Keep references to the globals, because a test environment removes them before the last watch ends.
  const page = window;
  const content = document;
  return {
    now: () => performance.now(),
    random: () => Math.random(),
    setTimeout: (work, ms) => setTimeout(work, ms),
    clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
    isHidden: () => content.hidden,
    log: logFailure,
    subscribe(listener) {
      const onVisibility = () => listener('visibility');
      const onOnline = () => listener('online');
      const onFocus = () => listener('focus');
      content.addEventListener('visibilitychange', onVisibility);
      page.addEventListener('online', onOnline);
      page.addEventListener('focus', onFocus);
      return () => {
        content.removeEventListener('visibilitychange', onVisibility);
        page.removeEventListener('online', onOnline);
        page.removeEventListener('focus', onFocus);
      };
    },
  };
}
