import { sql } from 'kysely';
import { changeKey } from '../orders/changeKey.js';
import type { OrderRecord } from '../orders/OrderRecord.js';
import { unsettledSince } from '../orders/unsettledSince.js';
import { inChunks } from './inChunks.js';
import type { JudgedPage } from './judgePage.js';
import { keyOf } from './keyOf.js';
import { appendEvents } from './log.js';
import type { Connection } from './SqlDatabase.js';

/** Writes what became of a page, exclusively: log, records, matches, and what the partner is told. */
export async function writeChanges(
  db: Connection,
  { changes, matches }: JudgedPage,
  at: number,
): Promise<void> {
  const entries = changes.map((record) => ({ at, ...referenceOf(record), record }));
  const firstId = await appendEvents(db, entries);
  await inChunks(lastOfEach(changes, firstId), (rows) => upsertOrders(db, rows));
  await inChunks([...matches], (pairs) => matchIntents(db, pairs));
  const queued = changes.map((record, i) => ({
    key: keyOf(changeKey(record)),
    event_id: firstId + i,
    reference: keyOfReference(record),
    not_before: 0,
    tries: 0,
    record: JSON.stringify(record),
  }));
  await inChunks(queued, (rows) =>
    db
      .insertInto('ramp_changes')
      .values(rows)
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute(),
  );
}

const referenceOf = (record: OrderRecord) =>
  record.standing === 'foreign' ? {} : { reference: record.reference };

const keyOfReference = (record: OrderRecord): string | null =>
  record.standing === 'foreign' ? null : keyOf(record.reference);

/** A statement may write a row once, and an order may have moved twice within a page. */
function lastOfEach(changes: readonly OrderRecord[], firstId: number) {
  const rows = new Map<string, ReturnType<typeof orderRow>>();
  changes.forEach((record, i) => {
    const { orderId } = record.order;
    const eventId = rows.get(orderId)?.first_event_id ?? firstId + i;
    rows.set(orderId, orderRow(record, eventId));
  });
  return [...rows.values()];
}

const orderRow = (record: OrderRecord, eventId: number) => ({
  order_id: keyOf(record.order.orderId),
  first_event_id: eventId,
  reference: keyOfReference(record),
  standing: record.standing,
  changed_at: record.changedAt,
  unsettled_since: unsettledSince(record.order) ?? null,
  record: JSON.stringify(record),
});

const upsertOrders = (db: Connection, rows: readonly ReturnType<typeof orderRow>[]) =>
  db
    .insertInto('ramp_orders')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('order_id').doUpdateSet(({ ref }) => ({
        reference: ref('excluded.reference'),
        standing: ref('excluded.standing'),
        changed_at: ref('excluded.changed_at'),
        unsettled_since: ref('excluded.unsettled_since'),
        record: ref('excluded.record'),
      })),
    )
    .execute();

/** In both dialects the columns of a list of values are called so. */
async function matchIntents(
  db: Connection,
  pairs: readonly (readonly [reference: string, orderId: string])[],
): Promise<never[]> {
  const values = sql.join(pairs.map(([reference, orderId]) => sql`(${reference}, ${orderId})`));
  const { rows } = await sql<never>`
    update ramp_intents set matched_order_id = pair.column2, open_until = null
    from (values ${values}) as pair where ramp_intents.reference = pair.column1
  `.execute(db);
  return rows;
}
