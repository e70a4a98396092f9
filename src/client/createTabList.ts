/** One list for each backend. A tab keeps it while the shopper moves between pages of the shop. */
interface TabList<T> {
  /** Returns the same array until the list changes. */
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
  /** The text and the list that were last read, by `api`. */
  const known = new Map<string, { readonly text: string; readonly list: readonly T[] }>();
  const getKey = (api: string) => `partner-ramp:${name}:${api}`;
  return {
    read(api) {
      const kept = blocked.get(api);
      if (kept) return kept;
      const text = readText(getKey(api));
      const last = known.get(api);
      if (last?.text === text) return last.list;
      const list = parseList(text).filter(isItem).slice(0, max);
      known.set(api, { text, list });
      return list;
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

function readText(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function parseList(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
