/** One list for each backend. A tab keeps it while the shopper moves between pages of the shop. */
interface TabList<T> {
  read(api: string): readonly T[];
  /** Stores the first items of a list, as many as `max` allows, and returns them. */
  write(api: string, list: readonly T[]): readonly T[];
}

/**
 * Creates a list in `sessionStorage`. Malformed items in it are dropped.
 *
 * @param name - The part of the storage key that distinguishes this list from others.
 */
export function createTabList<T>(
  name: string,
  max: number,
  isItem: (item: unknown) => item is T,
): TabList<T> {
  /** The lists that `sessionStorage` could not store, by `api`. */
  const blocked = new Map<string, readonly T[]>();
  const getKey = (api: string) => `partner-ramp:${name}:${api}`;
  return {
    read(api) {
      const known = blocked.get(api);
      if (known) return known;
      try {
        const list: unknown = JSON.parse(sessionStorage.getItem(getKey(api)) ?? '[]');
        return Array.isArray(list) ? list.filter(isItem).slice(0, max) : [];
      } catch {
        return [];
      }
    },
    write(api, list) {
      const kept = list.slice(0, max);
      try {
        sessionStorage.setItem(getKey(api), JSON.stringify(kept));
      } catch {
        // If the storage is blocked or full, the list lasts only until the shopper leaves the page.
        blocked.set(api, kept);
      }
      return kept;
    },
  };
}
