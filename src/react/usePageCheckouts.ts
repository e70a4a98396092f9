import { useSyncExternalStore } from 'react';
import { subscribePageCheckouts } from '../client/pageCheckouts.js';

/**
 * Returns the result of a function from `pageCheckouts.ts`, and rerenders when the result changes.
 *
 * @param initial - The value on a server and in the first render, which must match the server's markup.
 */
export const usePageCheckouts = <T>(read: () => T, initial: T): T =>
  useSyncExternalStore(subscribePageCheckouts, read, () => initial);
