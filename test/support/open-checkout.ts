import { memoryOrderStore, type RampHandlerOptions } from '../../src/server/index.js';
import { onRampIntent } from './orders.js';
import { makeHandler } from './ramp-handler.js';

/** A handler with one granted checkout, `r1`, that anyone may read, and two streams at most. */
export async function openCheckout(options: Partial<RampHandlerOptions<unknown>> = {}) {
  const store = options.store ?? memoryOrderStore();
  await store.saveIntent(onRampIntent({ expiresAt: Math.floor(Date.now() / 1000) + 3600 }));
  const handler = makeHandler({
    subjectOf: 'anyone',
    maxStreams: { perSubject: 2, inAll: 2 },
    ...options,
    store,
  });
  return { store, handler };
}
