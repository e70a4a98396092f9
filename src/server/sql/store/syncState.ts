import type { SyncStateStore } from '../../orders/store/OrderStore.js';
import type { OpenDatabase } from '../SqlDatabase.js';
import { executeWrite } from '../transactions/executeWrite.js';
import { syncLease } from './syncLease.js';

/** Creates the store of the watermark and the lease. */
export const syncState = (open: OpenDatabase): SyncStateStore => ({
  ...syncLease(open),
  async readWatermark() {
    const { db } = await open();
    const state = db.selectFrom('ramp_state').select('watermark');
    const { watermark } = await state.executeTakeFirstOrThrow();
    return watermark === null ? undefined : Number(watermark);
  },
  async writeWatermark(to) {
    await executeWrite(await open(), (db) => db.updateTable('ramp_state').set({ watermark: to }));
  },
});
