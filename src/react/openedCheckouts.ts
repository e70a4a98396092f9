/** A shopper rarely has more than two under way. */
const MAX = 5;

/** The references of each backend, newest first. */
const lists = new Map<string, readonly string[]>();
const listeners = new Set<() => void>();
const none: readonly string[] = [];
const keyOf = (api: string) => `partner-ramp:${api}`;

/**
 * Returns the checkouts that this tab opened with signatures of the backend under `api`, newest first.
 * They are kept in `sessionStorage`, so that they survive a reload and a redirect. References alone are
 * kept: the backend decides who may see the state of a checkout.
 */
export function openedCheckouts(api: string | undefined): readonly string[] {
  if (api === undefined) return none;
  const known = lists.get(api);
  if (known) return known;
  const list = stored(api);
  lists.set(api, list);
  return list;
}

export function addOpenedCheckout(api: string, reference: string): void {
  const others = openedCheckouts(api).filter((other) => other !== reference);
  setList(api, [reference, ...others].slice(0, MAX));
}

export function removeOpenedCheckout(api: string, reference: string): void {
  const list = openedCheckouts(api);
  if (list.includes(reference))
    setList(
      api,
      list.filter((other) => other !== reference),
    );
}

/** Calls `listener` whenever a list changes, and returns what ends that. */
export function onOpenedCheckouts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setList(api: string, list: readonly string[]): void {
  lists.set(api, list);
  try {
    sessionStorage.setItem(keyOf(api), JSON.stringify(list));
  } catch {
    // Blocked or full: they are kept until the page is left.
  }
  for (const listener of listeners) listener();
}

function stored(api: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(keyOf(api)) ?? '');
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string').slice(0, MAX) : none;
  } catch {
    return none;
  }
}
