import type { Order } from '../../../protocol/api/resources.js';
import { orderKeys } from '../../orders/matchOrder.js';
import type { KnownIntent, MatchContext } from '../../orders/matchOrders.js';
import type { OrderRecord } from '../../orders/OrderRecord.js';
import type { SqlConnection } from '../SqlDatabase.js';
import { inChunks } from '../schema/inChunks.js';
import { toKey } from '../schema/toKey.js';

const toKeys = (names: readonly (string | undefined)[]): string[] => [
  ...new Set(names.filter((name) => name !== undefined).map(toKey)),
];

/** Reads the records of the orders of a page, and the intents that they may belong to. */
export async function readMatchContext(
  db: SqlConnection,
  orders: readonly Order[],
): Promise<MatchContext> {
  const records = new Map<string, OrderRecord>();
  const ids = toKeys(orders.map(({ orderId }) => orderId));
  for (const { order_id, record } of await inChunks(ids, (chunk) => selectRecords(db, chunk)))
    records.set(order_id, JSON.parse(record));
  const names = orders.map((order) => orderKeys(order, records.get(toKey(order.orderId))));
  const byReference = new Map<string, KnownIntent>();
  const references = toKeys(names.map(({ reference }) => reference));
  for (const row of await inChunks(references, (chunk) => selectIntents(db, chunk)))
    byReference.set(row.reference, toKnownIntent(row));
  const byOrderNo = new Map<string, KnownIntent>();
  const numbers = toKeys(names.map(({ merchantOrderNo }) => merchantOrderNo));
  for (const row of await inChunks(numbers, (chunk) => selectNewestIntents(db, chunk))) {
    const found = toKnownIntent(row);
    byOrderNo.set(row.merchant_order_no ?? '', found);
    // An order that the page lists twice may have its number the first time only.
    byReference.set(toKey(found.intent.reference), found);
  }
  return { records, byReference, byOrderNo, toKey };
}

interface IntentRow {
  readonly intent: string;
  readonly matched_order_id: string | null;
}

const toKnownIntent = ({ intent, matched_order_id }: IntentRow): KnownIntent => ({
  intent: JSON.parse(intent),
  matchedOrderId: matched_order_id ?? undefined,
});

const selectRecords = (db: SqlConnection, ids: readonly string[]) =>
  db
    .selectFrom('ramp_orders')
    .select(['order_id', 'record'])
    .where('order_id', 'in', ids)
    .execute();

const selectIntents = (db: SqlConnection, references: readonly string[]) =>
  db
    .selectFrom('ramp_intents')
    .select(['reference', 'intent', 'matched_order_id'])
    .where('reference', 'in', references)
    .execute();

const selectNewestIntents = (db: SqlConnection, numbers: readonly string[]) =>
  db
    .selectFrom('ramp_intents')
    .select(['merchant_order_no', 'intent', 'matched_order_id'])
    .where('id', 'in', (newest) =>
      newest
        .selectFrom('ramp_intents')
        .select(({ fn }) => fn.max('id').as('id'))
        .where('merchant_order_no', 'in', numbers)
        .groupBy('merchant_order_no'),
    )
    .execute();
