import { randomUUID } from 'node:crypto';
import type { OrderStore } from '../../../src/server/index.js';

/** Announces an order of a checkout, as a webhook that the store does not know yet. */
export async function announceOrder(
  store: Pick<OrderStore, 'claimReplay'>,
  reference: string,
  at: number,
): Promise<void> {
  await store.claimReplay(randomUUID(), at + 600, at, reference);
}
