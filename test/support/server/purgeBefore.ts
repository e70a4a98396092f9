import type { OrderStore } from '../../../src/server/index.js';

/** Purges everything from before a time, Unix seconds. */
export const purgeBefore = (store: Pick<OrderStore, 'purge'>, at: number): Promise<void> =>
  store.purge({ before: at, unopenedBefore: at, replaysBefore: at });
