import type { Order } from '../../protocol/resources.js';
import type { CheckoutIntent } from '../OrderStore.js';
import { namesOf } from '../orders/judgeOrder.js';
import type { OrderRecord } from '../orders/OrderRecord.js';
import { inChunks } from './inChunks.js';
import { keyOf } from './keyOf.js';
import type { Connection } from './SqlDatabase.js';

interface KnownIntent {
  readonly intent: CheckoutIntent;
  /** The key of the order that it was matched with first. */
  readonly matchedOrderId: string | undefined;
}

/** What is known of the orders of a page, by key. */
export interface KnownPage {
  readonly records: ReadonlyMap<string, OrderRecord>;
  readonly byReference: ReadonlyMap<string, KnownIntent>;
  /** The newest of each order number. */
  readonly byOrderNo: ReadonlyMap<string, KnownIntent>;
}

const keysOf = (names: readonly (string | undefined)[]): string[] => [
  ...new Set(names.filter((name) => name !== undefined).map(keyOf)),
];

export async function readKnown(db: Connection, orders: readonly Order[]): Promise<KnownPage> {
  const records = new Map<string, OrderRecord>();
  const ids = keysOf(orders.map(({ orderId }) => orderId));
  for (const { order_id, record } of await inChunks(ids, (chunk) => recordsOf(db, chunk)))
    records.set(order_id, JSON.parse(record));
  const names = orders.map((order) => namesOf(order, records.get(keyOf(order.orderId))));
  const known = ({ intent, matched_order_id }: Found): KnownIntent => ({
    intent: JSON.parse(intent),
    matchedOrderId: matched_order_id ?? undefined,
  });
  const byReference = new Map<string, KnownIntent>();
  const references = keysOf(names.map(({ reference }) => reference));
  for (const row of await inChunks(references, (chunk) => intentsOf(db, chunk)))
    byReference.set(row.reference, known(row));
  const byOrderNo = new Map<string, KnownIntent>();
  const numbers = keysOf(names.map(({ merchantOrderNo }) => merchantOrderNo));
  for (const row of await inChunks(numbers, (chunk) => newestOf(db, chunk))) {
    const found = known(row);
    byOrderNo.set(row.merchant_order_no ?? '', found);
    // An order that comes twice in the page may have its number the first time alone.
    byReference.set(keyOf(found.intent.reference), found);
  }
  return { records, byReference, byOrderNo };
}

interface Found {
  readonly intent: string;
  readonly matched_order_id: string | null;
}

const recordsOf = (db: Connection, ids: readonly string[]) =>
  db
    .selectFrom('ramp_orders')
    .select(['order_id', 'record'])
    .where('order_id', 'in', ids)
    .execute();

const intentsOf = (db: Connection, references: readonly string[]) =>
  db
    .selectFrom('ramp_intents')
    .select(['reference', 'intent', 'matched_order_id'])
    .where('reference', 'in', references)
    .execute();

const newestOf = (db: Connection, numbers: readonly string[]) =>
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
