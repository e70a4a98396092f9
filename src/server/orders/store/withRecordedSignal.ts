import type { OrderStore } from './OrderStore.js';

/** Adds `onRecorded` to a store. The listeners are called after each write that may have added log entries. */
export function withRecordedSignal<Store extends OrderStore>(store: Store): Store {
  const listeners = new Set<() => void>();
  const signal = <Result>(result: Result): Result => {
    if (result !== 0) for (const listener of listeners) listener();
    return result;
  };
  return {
    ...store,
    recordOrders: async (...page) => signal(await store.recordOrders(...page)),
    recordOutcome: async (...outcome) => signal(await store.recordOutcome(...outcome)),
    resolveOrder: async (...order) => signal(await store.resolveOrder(...order)),
    expireCheckouts: async (now) => signal(await store.expireCheckouts(now)),
    onRecorded(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
