import type { RampHandlerOptions } from '../../../src/server/handler/options.js';
import { memoryOrderStore, type OrderStore } from '../../../src/server/index.js';
import { createTestHandler } from './createTestHandler.js';
import { onRampCheckout } from './orderFixtures.js';

/** Creates a handler with a checkout `r1` that its shopper may read. */
export async function createHandlerWithCheckout(
  options: Partial<RampHandlerOptions<unknown>> & { store?: OrderStore } = {},
) {
  const store = options.store ?? memoryOrderStore();
  await store.saveCheckout(onRampCheckout({ expiresAt: Math.floor(Date.now() / 1000) + 3600 }));
  const handler = createTestHandler({ ...options, store });
  return { store, handler };
}
