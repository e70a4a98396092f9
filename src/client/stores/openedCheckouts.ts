/** The number of checkouts to keep per backend. Shoppers rarely have more than two open. */
const MAX = 5;

/** The references of the opened checkouts by `api`, newest first. */
const listsByApi = new Map<string, readonly string[]>();
const listeners = new Set<() => void>();
const none: readonly string[] = [];
const getStorageKey = (api: string) => `partner-ramp:${api}`;

/**
 * Returns the references of the checkouts that this tab opened with signatures of the backend under `api`, newest
 * first. `sessionStorage` keeps them across a reload and a redirect. Only references are stored, because the backend
 * decides who may see the state of a checkout.
 */
export function getOpenedCheckouts(api: string | undefined): readonly string[] {
  if (api === undefined) return none;
  const known = listsByApi.get(api);
  if (known) return known;
  const list = readStored(api);
  listsByApi.set(api, list);
  return list;
}

/** Adds a checkout as the newest. */
export function addOpenedCheckout(api: string, reference: string): void {
  const others = getOpenedCheckouts(api).filter((other) => other !== reference);
  setList(api, [reference, ...others].slice(0, MAX));
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
export function subscribeOpenedCheckouts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setList(api: string, list: readonly string[]): void {
  listsByApi.set(api, list);
  try {
    sessionStorage.setItem(getStorageKey(api), JSON.stringify(list));
  } catch {
    // If the storage is blocked or full, the list lasts only until the shopper leaves the page.
  }
  for (const listener of listeners) listener();
}

function readStored(api: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(getStorageKey(api)) ?? '');
    return Array.isArray(list)
      ? list.filter((item) => typeof item === 'string').slice(0, MAX)
      : none;
  } catch {
    return none;
  }
}
