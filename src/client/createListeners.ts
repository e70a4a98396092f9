/** Creates a set of listeners of something that changes, and a function that calls them. */
export function createListeners() {
  const listeners = new Set<() => void>();
  return {
    /** Calls `listener` at each change. Returns a function that unsubscribes. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify(): void {
      for (const listener of listeners) listener();
    },
  };
}
