import type { Order } from '../../../protocol/api/resources.js';
import { orderKeys } from '../../orders/matchOrder.js';
import type { OrderRecord } from '../../orders/OrderRecord.js';
import type { CheckoutIntent } from '../../orders/OrderStore.js';
import type { SqlConnection } from '../SqlDatabase.js';
import { inChunks } from '../schema/inChunks.js';
import { toKey } from '../schema/toKey.js';

interface StoredIntent {
  readonly intent: CheckoutIntent;
  /** The key of the order that it was matched with first. */
  readonly matchedOrderId: string | undefined;
}

/** What is known of the orders of a page, by key. */
export interface PageContext {
  readonly records: ReadonlyMap<string, OrderRecord>;
  readonly byReference: ReadonlyMap<string, StoredIntent>;
  /** The newest of each order number. */
  readonly byOrderNo: ReadonlyMap<string, StoredIntent>;
}

const toKeys = (names: readonly (string | undefined)[]): string[] => [
  ...new Set(names.filter((name) => name !== undefined).map(toKey)),
];

export async function readPageContext(
  db: SqlConnection,
  orders: readonly Order[],
): Promise<PageContext> {
  const records = new Map<string, OrderRecord>();
  const ids = toKeys(orders.map(({ orderId }) => orderId));
  for (const { order_id, record } of await inChunks(ids, (chunk) => selectRecords(db, chunk)))
    records.set(order_id, JSON.parse(record));
  const names = orders.map((order) => orderKeys(order, records.get(toKey(order.orderId))));
  const known = ({ intent, matched_order_id }: IntentRow): StoredIntent => ({
    intent: JSON.parse(intent),
    matchedOrderId: matched_order_id ?? undefined,
  });
  const byReference = new Map<string, StoredIntent>();
  const references = toKeys(names.map(({ reference }) => reference));
  for (const row of await inChunks(references, (chunk) => selectIntents(db, chunk)))
    byReference.set(row.reference, known(row));
  const byOrderNo = new Map<string, StoredIntent>();
  const numbers = toKeys(names.map(({ merchantOrderNo }) => merchantOrderNo));
  for (const row of await inChunks(numbers, (chunk) => selectNewestIntents(db, chunk))) {
    const found = known(row);
    byOrderNo.set(row.merchant_order_no ?? '', found);
    // An order that comes twice in the page may have its number the first time alone.
    byReference.set(toKey(found.intent.reference), found);
  }
  return { records, byReference, byOrderNo };
}

interface IntentRow {
  readonly intent: string;
  readonly matched_order_id: string | null;
}

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
