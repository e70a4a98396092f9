/**
 * Checks that the database of the shop has every acknowledged checkout, and every paid order once.
 *
 * @param expected - `acknowledged` are the references that were returned with 201, `orders` the finished orders.
 * @param found - The rows that {@link readOutcome} returned.
 * @returns The numbers of missing, duplicate and unexpected rows.
 */
export function compareOutcome({ acknowledged, orders }, found) {
  const saved = new Set(found.checkouts);
  const recorded = new Map(found.orders.map((order) => [order.order_id, order]));
  const delivered = new Map(found.deliveries.map((row) => [row.order_id, row]));
  const known = new Set(orders.map(({ orderId }) => orderId));
  const references = new Set(found.deliveries.map(({ reference }) => reference));
  const isRecorded = ({ orderId, reference }) =>
    recorded.get(orderId)?.match_status === 'matched' &&
    recorded.get(orderId)?.reference === reference;
  return {
    checkouts: { lost: acknowledged.filter((reference) => !saved.has(reference)).length },
    orders: {
      'not recorded': orders.filter((order) => !isRecorded(order)).length,
      'not delivered': orders.filter((o) => delivered.get(o.orderId)?.reference !== o.reference)
        .length,
      'delivered twice': found.deliveries.length - references.size,
      'delivered unpaid': found.deliveries.filter((row) => !known.has(row.order_id)).length,
      'changes left': found.pending,
      'sent to the operator': found.cases,
    },
  };
}

/** Reads the rows for {@link compareOutcome} from the database of the shop. */
export async function readOutcome(client) {
  const rows = async (text) => (await client.query(text)).rows;
  const count = async (table) => Number((await rows(`select count(*) from ${table}`))[0].count);
  return {
    checkouts: (await rows('select reference from ramp_checkouts')).map(
      ({ reference }) => reference,
    ),
    orders: await rows('select order_id, reference, match_status from ramp_orders'),
    deliveries: await rows('select order_id, reference from shop_deliveries'),
    pending: await count('ramp_changes'),
    cases: await count('shop_cases'),
  };
}
