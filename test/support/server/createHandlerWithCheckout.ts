import {
  memoryOrderStore,
  type OrderStore,
  type RampHandlerOptions,
} from '../../../src/server/index.js';
import { createTestHandler } from './createTestHandler.js';
import { onRampIntent } from './orderFixtures.js';

/** Creates a handler with a checkout `r1` that every caller may read. */
export async function createHandlerWithCheckout(
  options: Partial<RampHandlerOptions<unknown>> & { store?: OrderStore } = {},
) {
  const store = options.store ?? memoryOrderStore();
  await store.saveIntent(onRampIntent({ expiresAt: Math.floor(Date.now() / 1000) + 3600 }));
  const handler = createTestHandler({
    getSubject: 'anyone',
    ...options,
    store,
  });
  return { store, handler };
}
