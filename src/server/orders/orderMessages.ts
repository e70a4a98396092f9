import { type OrderMessage, publishOrders } from '../diagnostics.js';
import { getReference, type OrderRecord, toChangeKey } from './store/OrderRecord.js';

/** Creates the diagnostics message for a recorded order. */
export function describeOrder(record: OrderRecord): OrderMessage {
  const { order, matchStatus } = record;
  const { orderId, kind, state } = order;
  const reference = getReference(record);
  return {
    key: toChangeKey(record),
    orderId,
    widget: kind,
    state,
    matchStatus,
    ...(reference !== undefined && { reference }),
    ...(record.matchStatus === 'quarantined' && { reason: record.reason }),
    ...(record.matchStatus === 'matched' && record.isLaterOrder && { isLaterOrder: true }),
  };
}

/** Publishes orders whose new state a store has committed. */
export const publishOrderChanges = (records: readonly OrderRecord[]): void =>
  publishOrders(records, describeOrder);
