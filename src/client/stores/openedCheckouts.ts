import { createListeners } from '../createListeners.js';
import { createTabList } from './createTabList.js';

/** At most five references are kept for each backend. Shoppers rarely have more than two open. */
const stored = createTabList('opened', 5, (item): item is string => typeof item === 'string');

/** The lists that were read or changed, by `api`, so that a list is the same array until it changes. */
const listsByApi = new Map<string, readonly string[]>();
const listeners = createListeners();
const none: readonly string[] = [];

/**
 * Returns the references of the checkouts that this tab opened with signatures of the backend under `api`, newest
 * first. They are kept across a reload and a redirect. Only references are stored, because the backend decides who may
 * see the state of a checkout.
 */
export function getOpenedCheckouts(api: string | undefined): readonly string[] {
  if (api === undefined) return none;
  const list = listsByApi.get(api) ?? stored.read(api);
  listsByApi.set(api, list);
  return list;
}

/** Adds a checkout as the newest. */
export function addOpenedCheckout(api: string, reference: string): void {
  const others = getOpenedCheckouts(api).filter((other) => other !== reference);
  setList(api, [reference, ...others]);
}

/** Removes a checkout, for example because the backend does not show it to this user. */
export function removeOpenedCheckout(api: string, reference: string): void {
  const list = getOpenedCheckouts(api);
  if (list.includes(reference))
    setList(
      api,
      list.filter((other) => other !== reference),
    );
}

/** Calls `listener` at each change of a list. Returns a function that unsubscribes. */
export const subscribeOpenedCheckouts = listeners.subscribe;

function setList(api: string, list: readonly string[]): void {
  listsByApi.set(api, stored.write(api, list));
  listeners.notify();
}
