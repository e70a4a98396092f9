import type { OrderStore } from '../../orders/OrderStore.js';
import type { OpenDatabase } from '../SqlDatabase.js';
import { executeWrite } from '../transactions/executeWrite.js';

export const watermark = (
  open: OpenDatabase,
): Pick<OrderStore, 'readWatermark' | 'writeWatermark'> => ({
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
