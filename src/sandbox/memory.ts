/** A map that removes its oldest entry when it exceeds `limit` entries. */
export interface BoundedMap<V> {
  get(key: string): V | undefined;
  /** Adds an entry; its key must be new. */
  add(key: string, value: V): void;
  /** Returns the values, oldest first. */
  values(): V[];
}

export function createBoundedMap<V>(limit: number): BoundedMap<V> {
  const entries = new Map<string, V>();
  return {
    get: (key) => entries.get(key),
    add(key, value) {
      entries.set(key, value);
      const [oldest] = entries.keys();
      if (entries.size > limit && oldest !== undefined) entries.delete(oldest);
    },
    values: () => [...entries.values()],
  };
}

/** Returns random bytes in hexadecimal. They come from Web Crypto, which both Node.js and browsers have. */
export const createRandomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
