/** Creates a set of listeners, with one function that adds a listener and one that calls them all. */
export function createListeners() {
  const listeners = new Set<() => void>();
  return {
    /** Calls `listener` on each change. Returns a function that unsubscribes. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify(): void {
      for (const listener of listeners) listener();
    },
  };
}
