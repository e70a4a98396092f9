import type { OrderRecordStore } from '../../orders/store/OrderStore.js';
import type { OpenDatabase } from '../SqlDatabase.js';
import { toKey } from '../schema/toKey.js';

type Orders = Pick<OrderRecordStore, 'findOldestUnsettled' | 'listOrders'>;

/** Creates the reader of order records. */
export const orders = (open: OpenDatabase): Orders => ({
  async findOldestUnsettled(since) {
    const { db } = await open();
    const unsettled = db
      .selectFrom('ramp_orders')
      .select('unsettled_since')
      .where('unsettled_since', '>=', since)
      .orderBy('unsettled_since');
    const [oldest] = await unsettled.limit(1).execute();
    return oldest && Number(oldest.unsettled_since);
  },
  async listOrders({ matchStatus, before, limit }) {
    const { db } = await open();
    let found = db.selectFrom('ramp_orders').select('record');
    if (matchStatus) found = found.where('match_status', '=', matchStatus);
    if (before) {
      const { changedAt, order } = before;
      found = found.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('changed_at', 'order_id'), '<', tuple(changedAt, toKey(order.orderId))),
      );
    }
    const newest = found.orderBy('changed_at', 'desc').orderBy('order_id', 'desc');
    return (await newest.limit(limit).execute()).map(({ record }) => JSON.parse(record));
  },
});
