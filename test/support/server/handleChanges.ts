import type { OrderStore, PendingChange } from '../../../src/server/index.js';

/** Removes these pending changes from a store, as after `review`, or with `deliveredAt` as after `deliver`. */
export async function handleChanges(
  store: Pick<OrderStore, 'handleChange'>,
  changes: readonly PendingChange[],
  deliveredAt?: number,
): Promise<void> {
  for (const change of changes)
    await store.handleChange(change, async (_, history) =>
      deliveredAt === undefined ? history : { ...history, deliveredAt },
    );
}
