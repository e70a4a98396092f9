import type { OrderStore } from '../../../src/server/index.js';
import {
  completeRange,
  formatSyncState,
  getWatermark,
  newSyncState,
  parseSyncState,
  rangeNames,
  type SyncState,
} from '../../../src/server/orders/tracker/syncState.js';

/** Asks a store what a sync may find to do, without limits of the time. */
export const findWork = (store: Pick<OrderStore, 'findWork'>) =>
  store.findWork({ announcedSince: 0, unsettledSince: 0 });

/** Returns when the last complete reading of the newest orders began, Unix seconds. */
export async function readWatermark(
  store: Pick<OrderStore, 'readSyncState'>,
): Promise<number | undefined> {
  return getWatermark(parseSyncState((await store.readSyncState()).state));
}

/** Leaves a store as after a sync that read everything at a time, Unix seconds. */
export async function writeWatermark(
  store: Pick<OrderStore, 'readSyncState' | 'writeSyncState'>,
  at: number,
): Promise<void> {
  const { revision } = await store.readSyncState();
  const ended: SyncState = { ...newSyncState, firstAt: at, begunAt: at, endedAt: at };
  const state = rangeNames.reduce<SyncState>((one, name) => completeRange(one, name, at), ended);
  if (!(await store.writeSyncState({ revision, state: formatSyncState(state) })))
    throw new Error('Another process has written the state of the syncs.');
}
