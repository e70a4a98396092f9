import type { OrderStore } from '../OrderStore.js';
import { exclusively } from './exclusively.js';
import { judgePage } from './judgePage.js';
import { keyOf } from './keyOf.js';
import { readKnown } from './readKnown.js';
import type { Open } from './SqlDatabase.js';
import { writeChanges } from './writeChanges.js';

type Orders = Pick<OrderStore, 'recordOrders' | 'oldestUnsettled' | 'listOrders'>;

export const orders = (open: Open): Orders => ({
  async recordOrders(listed, at) {
    if (listed.length === 0) return 0;
    return exclusively(await open(), async (db) => {
      const page = judgePage(await readKnown(db, listed), listed, at);
      if (page.changes.length > 0) await writeChanges(db, page, at);
      return page.changes.length;
    });
  },
  async oldestUnsettled(since) {
    const { db } = await open();
    const unsettled = db
      .selectFrom('ramp_orders')
      .select('unsettled_since')
      .where('unsettled_since', '>=', since)
      .orderBy('unsettled_since');
    const [oldest] = await unsettled.limit(1).execute();
    return oldest && Number(oldest.unsettled_since);
  },
  async listOrders({ standing, before, limit }) {
    const { db } = await open();
    let found = db.selectFrom('ramp_orders').select('record');
    if (standing) found = found.where('standing', '=', standing);
    if (before) {
      const { changedAt, order } = before;
      found = found.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('changed_at', 'order_id'), '<', tuple(changedAt, keyOf(order.orderId))),
      );
    }
    const newest = found.orderBy('changed_at', 'desc').orderBy('order_id', 'desc');
    return (await newest.limit(limit).execute()).map(({ record }) => JSON.parse(record));
  },
});
