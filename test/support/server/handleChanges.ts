import type { OrderStore, PendingChange } from '../../../src/server/index.js';

/** Removes these pending changes from a store, as after `deliver` or `review`. */
export async function handleChanges(
  store: Pick<OrderStore, 'handleChange'>,
  changes: readonly PendingChange[],
): Promise<void> {
  for (const change of changes) await store.handleChange(change, async (_, history) => history);
}
