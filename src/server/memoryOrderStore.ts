import type { CheckoutIntent, OrderStore } from './OrderStore.js';

/**
 * Keeps intents in this process: for development and tests. A restart forgets them.
 *
 * Intents are purged once they have expired, as new ones come in.
 */
export function memoryOrderStore(): OrderStore {
  const intents = new Map<string, CheckoutIntent>();
  const replays = new Map<string, number>();
  return {
    async saveIntent(intent) {
      purge(intents, intent.createdAt);
      if (intents.has(intent.reference)) throw new Error('This checkout reference is taken.');
      intents.set(intent.reference, structuredClone(intent));
    },
    async findIntent(reference, now) {
      const intent = intents.get(reference);
      return intent && intent.expiresAt > now ? structuredClone(intent) : undefined;
    },
    async rememberReplay(hash, keepUntil, now) {
      for (const [known, until] of replays) if (until <= now) replays.delete(known);
      if (replays.has(hash)) return false;
      replays.set(hash, keepUntil);
      return true;
    },
  };
}

/** A map keeps the order of insertion, so the oldest stand first and the walk ends early. */
function purge(intents: Map<string, CheckoutIntent>, now: number): void {
  for (const [reference, intent] of intents) {
    if (intent.expiresAt > now) return;
    intents.delete(reference);
  }
}
