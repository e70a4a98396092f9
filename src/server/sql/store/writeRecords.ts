import { sql } from 'kysely';
import type { MatchedOrders } from '../../orders/matchOrders.js';
import {
  getReference,
  getUnsettledSince,
  type OrderRecord,
  toChangeKey,
} from '../../orders/OrderRecord.js';
import type { SqlConnection } from '../SqlDatabase.js';
import { inChunks } from '../schema/inChunks.js';
import { toKey } from '../schema/toKey.js';
import { appendEvents } from './events.js';

/** Writes the matched orders of a page: their log entries, records, claims and pending changes. */
export async function writeRecords(
  db: SqlConnection,
  { records, claims }: MatchedOrders,
  at: number,
): Promise<void> {
  const entries = records.map((record) => ({ at, reference: getReference(record), record }));
  const firstId = await appendEvents(db, entries);
  await inChunks(toLatestRows(records, firstId), (rows) => upsertOrders(db, rows));
  await inChunks([...claims], (pairs) => claimIntents(db, pairs));
  const pending = records.map((record, i) => ({
    key: toKey(toChangeKey(record)),
    event_id: firstId + i,
    reference: toReferenceKey(record),
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

/** A statement may write a row once, and an order may have advanced twice within a page. */
function toLatestRows(records: readonly OrderRecord[], firstId: number) {
  const rows = new Map<string, ReturnType<typeof toOrderRow>>();
  records.forEach((record, i) => {
    const { orderId } = record.order;
    const eventId = rows.get(orderId)?.first_event_id ?? firstId + i;
    rows.set(orderId, toOrderRow(record, eventId));
  });
  return [...rows.values()];
}

const toOrderRow = (record: OrderRecord, eventId: number) => ({
  order_id: toKey(record.order.orderId),
  first_event_id: eventId,
  reference: toReferenceKey(record),
  match_status: record.matchStatus,
  changed_at: record.changedAt,
  unsettled_since: getUnsettledSince(record.order) ?? null,
  record: JSON.stringify(record),
});

const upsertOrders = (db: SqlConnection, rows: readonly ReturnType<typeof toOrderRow>[]) =>
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

/** In both dialects, the columns of a list of values have these names. */
async function claimIntents(
  db: SqlConnection,
  pairs: readonly (readonly [reference: string, orderId: string])[],
): Promise<never[]> {
  const values = sql.join(pairs.map(([reference, orderId]) => sql`(${reference}, ${orderId})`));
  const { rows } = await sql<never>`
    update ramp_intents set matched_order_id = pair.column2, open_until = null
    from (values ${values}) as pair where ramp_intents.reference = pair.column1
  `.execute(db);
  return rows;
}
