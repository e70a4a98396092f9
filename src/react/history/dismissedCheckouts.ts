/** The most references to keep per backend. The oldest are forgotten first. */
const MAX = 50;

/** The dismissed references by `api`, in a browser that blocks the storage. */
const blockedLists = new Map<string, readonly string[]>();
const getStorageKey = (api: string) => `partner-ramp:dismissed:${api}`;

/**
 * Returns the references of the checkouts whose note the shopper dismissed in this tab. `sessionStorage` keeps them
 * across pages, until the tab is closed.
 */
export function getDismissedCheckouts(api: string): readonly string[] {
  const blocked = blockedLists.get(api);
  if (blocked) return blocked;
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(getStorageKey(api)) ?? '[]');
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

/** Adds a checkout to those whose note is dismissed. */
export function addDismissedCheckout(api: string, reference: string): void {
  const list = [reference, ...getDismissedCheckouts(api)].slice(0, MAX);
  try {
    sessionStorage.setItem(getStorageKey(api), JSON.stringify(list));
  } catch {
    // If the storage is blocked or full, the list lasts only until the shopper leaves the page.
    blockedLists.set(api, list);
  }
}
