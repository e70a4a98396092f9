import { sql } from 'kysely';
import type { Order } from '../../../protocol/api/resources.js';
import {
  type KnownCheckout,
  type MatchContext,
  type MatchedOrders,
  matchOrders,
  orderKeys,
} from '../../orders/matchOrder.js';
import { publishOrderChanges } from '../../orders/orderMessages.js';
import {
  getReference,
  getUnsettledSince,
  type OrderRecord,
  toChangeKey,
} from '../../orders/store/OrderRecord.js';
import type { OrderStore } from '../../orders/store/OrderStore.js';
import type { OpenDatabase, SqlConnection } from '../SqlDatabase.js';
import { inChunks, toKey } from '../schema.js';
import { withWriteLock } from '../transactions/withTransaction.js';
import type { SqlOrderStore } from './SqlOrderStore.js';

type OrderMethods = Pick<OrderStore, 'recordOrders'> & Pick<SqlOrderStore, 'listOrders'>;

export const orders = (open: OpenDatabase): OrderMethods => ({
  // One transaction reads the stored data, matches the page of orders with it, and writes the results.
  async recordOrders(listed, at) {
    if (listed.length === 0) return 0;
    const recorded = await withWriteLock(await open(), async (db) => {
      const matched = matchOrders(listed, await readMatchContext(db, listed), at);
      if (matched.records.length > 0) await writeRecords(db, matched, at);
      return matched.records;
    });
    publishOrderChanges(recorded);
    return recorded.length;
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

const toKeys = (names: readonly (string | undefined)[]): string[] => [
  ...new Set(names.filter((name) => name !== undefined).map(toKey)),
];

/** Reads the earlier records for a page of orders, and the checkouts that the orders may belong to. */
async function readMatchContext(
  db: SqlConnection,
  orders: readonly Order[],
): Promise<MatchContext> {
  const records = new Map<string, OrderRecord>();
  const ids = toKeys(orders.map(({ orderId }) => orderId));
  for (const { order_id, record } of await inChunks(ids, (chunk) => selectRecords(db, chunk)))
    records.set(order_id, JSON.parse(record));
  const names = orders.map((order) => orderKeys(order, records.get(toKey(order.orderId))));
  const references = toKeys(names.map(({ reference }) => reference));
  const referenced = await inChunks(references, (chunk) => selectKnownCheckouts(db, chunk));
  const numbers = toKeys(names.map(({ merchantOrderNo }) => merchantOrderNo));
  const numbered = await inChunks(numbers, (chunk) => selectNewestCheckouts(db, chunk));
  const checkouts = [...referenced, ...numbered];
  return {
    records,
    // A page may list an order twice, with the order number only in the first entry. Then the checkout of the second
    // entry is found by the reference with which the first entry was matched.
    byReference: new Map(checkouts.map((row) => [row.reference, toKnownCheckout(row)])),
    byOrderNo: new Map(
      numbered.map((row) => [String(row.merchant_order_no), toKnownCheckout(row)]),
    ),
    toKey,
  };
}

interface KnownRow {
  readonly terms: string;
  readonly matched_order_id: string | null;
}

const toKnownCheckout = ({ terms, matched_order_id }: KnownRow): KnownCheckout => ({
  terms: JSON.parse(terms),
  matchedOrderId: matched_order_id ?? undefined,
});

export const selectRecords = (db: SqlConnection, ids: readonly string[]) =>
  db
    .selectFrom('ramp_orders')
    .select(['order_id', 'record'])
    .where('order_id', 'in', ids)
    .execute();

const selectKnownCheckouts = (db: SqlConnection, references: readonly string[]) =>
  db
    .selectFrom('ramp_checkouts')
    .select(['reference', 'terms', 'matched_order_id'])
    .where('reference', 'in', references)
    .execute();

const selectNewestCheckouts = (db: SqlConnection, numbers: readonly string[]) =>
  db
    .selectFrom('ramp_checkouts')
    .select(['reference', 'merchant_order_no', 'terms', 'matched_order_id'])
    .where('id', 'in', (newest) =>
      newest
        .selectFrom('ramp_checkouts')
        .select(({ fn }) => fn.max('id').as('id'))
        .where('merchant_order_no', 'in', numbers)
        .groupBy('merchant_order_no'),
    )
    .execute();

/** Writes the matched orders of a page: their records, claims and pending changes. */
async function writeRecords(
  db: SqlConnection,
  { records, latest, claims }: MatchedOrders,
  at: number,
): Promise<void> {
  await inChunks([...latest.values()].map(toOrderRow), (rows) => upsertOrders(db, rows));
  await inChunks([...claims], (pairs) => claimCheckouts(db, pairs));
  await addChanges(db, records);
  const paid = toKeys(records.map(getReference));
  await inChunks(paid, (references) => markCheckoutsOpened(db, references, at));
}

/** Adds pending changes, unless they are pending already. */
export async function addChanges(
  db: SqlConnection,
  records: readonly OrderRecord[],
): Promise<void> {
  const pending = records.map((record) => ({
    key: toKey(toChangeKey(record)),
    reference: toReferenceKey(record),
    changed_at: record.changedAt,
    not_before: 0,
    tries: 0,
    record: JSON.stringify(record),
  }));
  await inChunks(pending, (rows) =>
    db
      .insertInto('ramp_changes')
      .values(rows)
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute(),
  );
}

const toReferenceKey = (record: OrderRecord): string | null => {
  const reference = getReference(record);
  return reference === undefined ? null : toKey(reference);
};

export const toOrderRow = (record: OrderRecord) => ({
  order_id: toKey(record.order.orderId),
  reference: toReferenceKey(record),
  match_status: record.matchStatus,
  changed_at: record.changedAt,
  unsettled_since: getUnsettledSince(record) ?? null,
  record: JSON.stringify(record),
});

export const upsertOrders = (db: SqlConnection, rows: readonly ReturnType<typeof toOrderRow>[]) =>
  db
    .insertInto('ramp_orders')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('order_id').doUpdateSet(({ ref }) => ({
        reference: ref('excluded.reference'),
        match_status: ref('excluded.match_status'),
        changed_at: ref('excluded.changed_at'),
        unsettled_since: ref('excluded.unsettled_since'),
        record: ref('excluded.record'),
      })),
    )
    .execute();

/**
 * Stores which order claims which checkout. PostgreSQL and SQLite both name the columns of a list of values `column1`,
 * `column2` and so on.
 */
async function claimCheckouts(
  db: SqlConnection,
  pairs: readonly (readonly [reference: string, orderId: string])[],
): Promise<never[]> {
  const values = sql.join(pairs.map(([reference, orderId]) => sql`(${reference}, ${orderId})`));
  const { rows } = await sql<never>`
    update ramp_checkouts set matched_order_id = pair.column2, open_until = null
    from (values ${values}) as pair where ramp_checkouts.reference = pair.column1
  `.execute(db);
  return rows;
}

/** Marks checkouts with an order as opened, so that they are listed even if no page has reported the opening. */
const markCheckoutsOpened = (db: SqlConnection, references: readonly string[], at: number) =>
  db
    .updateTable('ramp_checkouts')
    .set({ opened_at: at })
    .where('reference', 'in', references)
    .where('opened_at', 'is', null)
    .execute();
