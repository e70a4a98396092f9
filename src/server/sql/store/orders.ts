import { sql } from 'kysely';
import type { Order } from '../../../protocol/api/resources.js';
import { publishOrderChanges } from '../../internal/diagnostics.js';
import {
  type KnownIntent,
  type MatchContext,
  type MatchedOrders,
  matchOrders,
  orderKeys,
} from '../../orders/matchOrder.js';
import {
  getReference,
  getUnsettledSince,
  type OrderRecord,
  toChangeKey,
} from '../../orders/store/OrderRecord.js';
import type {
  CheckoutOutcome,
  OrderEvent,
  OrderRecordStore,
} from '../../orders/store/OrderStore.js';
import type { OpenDatabase, SqlConnection } from '../SqlDatabase.js';
import { inChunks, toKey } from '../schema.js';
import { withWriteLock } from '../transactions/withTransaction.js';

export const orders = (open: OpenDatabase): OrderRecordStore => ({
  // One transaction reads the stored data, matches the page of orders with it, and writes the results.
  async recordOrders(listed, at) {
    if (listed.length === 0) return 0;
    const recorded = await withWriteLock(await open(), async (db) => {
      const matched = matchOrders(listed, await readMatchContext(db, listed), at);
      if (matched.records.length > 0) await writeRecords(db, matched, at);
      // Erased orders have no log entries, and their sequence does not matter, so `first_event_id` is 0.
      await inChunks(matched.erased, (rows) =>
        upsertOrders(
          db,
          rows.map((record) => toOrderRow(record, 0)),
        ),
      );
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
  async listEventsAfter(id, limit) {
    const { db } = await open();
    const entries = db.selectFrom('ramp_events').selectAll().where('id', '>', id).orderBy('id');
    const rows = await entries.limit(limit).execute();
    return rows.map(
      ({ id, at, reference, outcome, record }): OrderEvent => ({
        id: Number(id),
        at: Number(at),
        ...(reference !== null && { reference }),
        ...(record !== null && { record: JSON.parse(record) }),
        ...(outcome !== null && { outcome: outcome as CheckoutOutcome }),
      }),
    );
  },
  async lastEventId() {
    return lastEventId((await open()).db);
  },
});

const toKeys = (names: readonly (string | undefined)[]): string[] => [
  ...new Set(names.filter((name) => name !== undefined).map(toKey)),
];

/** Reads the earlier records of a page of orders, and the intents that the orders may belong to. */
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
  const referenced = await inChunks(references, (chunk) => selectIntents(db, chunk));
  const numbers = toKeys(names.map(({ merchantOrderNo }) => merchantOrderNo));
  const numbered = await inChunks(numbers, (chunk) => selectNewestIntents(db, chunk));
  const intents = [...referenced, ...numbered];
  return {
    records,
    // A page may list an order twice, with the order number only in the first entry. Then the intent of the second
    // entry is found by the reference with which the first entry was matched.
    byReference: new Map(intents.map((row) => [row.reference, toKnownIntent(row)])),
    byOrderNo: new Map(numbered.map((row) => [String(row.merchant_order_no), toKnownIntent(row)])),
    toKey,
  };
}

interface IntentRow {
  readonly intent: string;
  readonly matched_order_id: string | null;
  readonly erased: number | null;
}

const toKnownIntent = ({ intent, matched_order_id, erased }: IntentRow): KnownIntent => ({
  intent: erased === null ? JSON.parse(intent) : undefined,
  matchedOrderId: matched_order_id ?? undefined,
});

export const selectRecords = (db: SqlConnection, ids: readonly string[]) =>
  db
    .selectFrom('ramp_orders')
    .select(['order_id', 'record'])
    .where('order_id', 'in', ids)
    .execute();

const selectIntents = (db: SqlConnection, references: readonly string[]) =>
  db
    .selectFrom('ramp_intents')
    .select(['reference', 'intent', 'matched_order_id', 'erased'])
    .where('reference', 'in', references)
    .execute();

const selectNewestIntents = (db: SqlConnection, numbers: readonly string[]) =>
  db
    .selectFrom('ramp_intents')
    .select(['reference', 'merchant_order_no', 'intent', 'matched_order_id', 'erased'])
    .where('id', 'in', (newest) =>
      newest
        .selectFrom('ramp_intents')
        .select(({ fn }) => fn.max('id').as('id'))
        .where('merchant_order_no', 'in', numbers)
        .groupBy('merchant_order_no'),
    )
    .execute();

/** Writes the matched orders of a page: their log entries, records, claims and pending changes. */
async function writeRecords(
  db: SqlConnection,
  { records, latest, claims }: MatchedOrders,
  at: number,
): Promise<void> {
  const entries = records.map((record) => ({ at, reference: getReference(record), record }));
  const firstId = await appendEvents(db, entries);
  await inChunks(toRows(records, latest, firstId), (rows) => upsertOrders(db, rows));
  await inChunks([...claims], (pairs) => claimIntents(db, pairs));
  await addChanges(db, records, firstId);
  const paid = toKeys(records.map(getReference));
  await inChunks(paid, (references) => openIntents(db, references, at));
}

/** Adds pending changes, unless they are pending already. */
export async function addChanges(
  db: SqlConnection,
  records: readonly OrderRecord[],
  firstEventId: number,
): Promise<void> {
  const pending = records.map((record, i) => ({
    key: toKey(toChangeKey(record)),
    event_id: firstEventId + i,
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

/** Returns one row for each changed order. An order may change twice on a page, and keeps its first log entry. */
function toRows(
  records: readonly OrderRecord[],
  latest: ReadonlyMap<string, OrderRecord>,
  firstId: number,
) {
  const eventIds = new Map<string, number>();
  records.forEach(({ order }, i) => {
    const key = toKey(order.orderId);
    if (!eventIds.has(key)) eventIds.set(key, firstId + i);
  });
  return [...latest].map(([key, record]) => toOrderRow(record, eventIds.get(key) ?? firstId));
}

export const toOrderRow = (record: OrderRecord, eventId: number) => ({
  order_id: toKey(record.order.orderId),
  first_event_id: eventId,
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
 * Stores which order claims which intent. PostgreSQL and SQLite both name the columns of a list of values `column1`,
 * `column2` and so on.
 */
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

/** Marks checkouts with an order as opened, so that they are listed even if no page has reported the opening. */
const openIntents = (db: SqlConnection, references: readonly string[], at: number) =>
  db
    .updateTable('ramp_intents')
    .set({ opened_at: at })
    .where('reference', 'in', references)
    .where('opened_at', 'is', null)
    .execute();

type Entry = Omit<OrderEvent, 'id'>;

/** Appends entries to the log, and returns the id of the first one. Call it only inside `withWriteLock`. */
export async function appendEvents(db: SqlConnection, entries: readonly Entry[]): Promise<number> {
  const first = (await lastEventId(db)) + 1;
  const rows = entries.map(({ at, reference, record, outcome }, i) => ({
    id: first + i,
    at,
    reference: reference ?? null,
    outcome: outcome ?? null,
    record: record ? JSON.stringify(record) : null,
  }));
  await inChunks(rows, (chunk) => db.insertInto('ramp_events').values(chunk).execute());
  await db
    .updateTable('ramp_state')
    .set({ last_event_id: first + rows.length - 1 })
    .execute();
  return first;
}

/** Reads the id of the newest log entry from `ramp_state`, because a purge may have deleted the entry itself. */
async function lastEventId(db: SqlConnection): Promise<number> {
  const state = db.selectFrom('ramp_state').select('last_event_id');
  return Number((await state.executeTakeFirstOrThrow()).last_event_id);
}
