import type { OrderStore } from '../OrderStore.js';
import type { Open } from './SqlDatabase.js';
import { write } from './write.js';

export const watermark = (open: Open): Pick<OrderStore, 'readWatermark' | 'moveWatermark'> => ({
  async readWatermark() {
    const { db } = await open();
    const state = db.selectFrom('ramp_state').select('watermark');
    const { watermark } = await state.executeTakeFirstOrThrow();
    return watermark === null ? undefined : Number(watermark);
  },
  async moveWatermark(to) {
    await write(await open(), (db) => db.updateTable('ramp_state').set({ watermark: to }));
  },
});
