import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import {
  type ErasurePlan,
  type ErasureRequest,
  type ErasureResult,
  type KeptCheckout,
  parseErasure,
  planErasure,
  toErasedRecord,
  toPurgeRequest,
} from '../../orders/store/erasure.js';
import { type OrderRecord, toChangeKeys } from '../../orders/store/OrderRecord.js';
import type { CheckoutIntent, OrderStore } from '../../orders/store/OrderStore.js';
import type { OpenDatabase, SqlConnection, SqlDatabase } from '../SqlDatabase.js';
import { inChunks, type Tables, toKey } from '../schema.js';
import { withWriteLock } from '../transactions/withTransaction.js';
import { toOrderRow, upsertOrders } from './orders.js';

/**
 * How many checkouts one transaction reads. It is limited, because other transactions wait meanwhile, and SQLite blocks
 * the event loop.
 */
const BATCH = 100;

export const erasure = (open: OpenDatabase): Pick<OrderStore, 'eraseSubject'> => ({
  async eraseSubject(subject, options) {
    const database = await open();
    const request = parseErasure(subject, options, database.runtime);
    return eraseInBatches(
      database,
      (rows) => rows.where('subject', '=', toKey(subject)),
      // Compare the subject itself too, because a subject may equal the key of another subject.
      ({ intent }) => (parseStub(intent).subject === subject ? request : undefined),
    );
  },
});

/** Erases the marked checkouts that nothing keeps any more. */
export async function finishErasures(database: SqlDatabase, before: number): Promise<void> {
  await eraseInBatches(
    database,
    (rows) => rows.where('erase_orders', 'is not', null),
    ({ erase_orders }) => toPurgeRequest(before, erase_orders === 0),
  );
}

type ErasableRow = Pick<
  Selectable<Tables['ramp_intents']>,
  'id' | 'reference' | 'intent' | 'expires_at' | 'opened_at' | 'erase_orders' | 'erased'
>;
type ErasableRows = SelectQueryBuilder<Tables, 'ramp_intents', ErasableRow>;

/**
 * Erases checkouts in short transactions, in the order of their ids.
 *
 * @param toRequest - Returns how to erase a checkout, or undefined to skip it.
 */
async function eraseInBatches(
  database: SqlDatabase,
  narrow: (rows: ErasableRows) => ErasableRows,
  toRequest: (row: ErasableRow) => ErasureRequest | undefined,
): Promise<ErasureResult> {
  let erased = 0;
  const kept: KeptCheckout[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const last: number = after;
    const batch = await withWriteLock(database, async (db) => {
      const found = narrow(selectErasable(db)).where('id', '>', last).orderBy('id').limit(BATCH);
      // Lock the rows, because a checkout is opened and announced without the write lock.
      const rows = await (database.dialect === 'postgres' ? found.forUpdate() : found).execute();
      return { rows, ...(await eraseRows(db, rows, toRequest)) };
    });
    erased += batch.erased;
    kept.push(...batch.kept);
    const lastOfFull = batch.rows[BATCH - 1];
    after = lastOfFull && Number(lastOfFull.id);
  }
  return { erased, kept };
}

const selectErasable = (db: SqlConnection): ErasableRows =>
  db
    .selectFrom('ramp_intents')
    .select(['id', 'reference', 'intent', 'expires_at', 'opened_at', 'erase_orders', 'erased']);

/** What the intent of a checkout keeps while its orders stay whole. An erased intent is `{}`. */
type IntentStub = Pick<CheckoutIntent, 'reference' | 'subject'>;

const parseStub = (intent: string): IntentStub => JSON.parse(intent);

interface PlannedErasure extends ErasurePlan {
  readonly row: ErasableRow;
  readonly orders: readonly StoredOrder[];
  readonly keepOrders: boolean;
}

type StoredOrder = Awaited<ReturnType<typeof readOrders>>[number];

async function eraseRows(
  db: SqlConnection,
  rows: readonly ErasableRow[],
  toRequest: (row: ErasableRow) => ErasureRequest | undefined,
): Promise<ErasureResult> {
  const stored = await readOrders(db, rows);
  const undelivered = await findUndelivered(db, stored);
  const plans = rows.flatMap((row): readonly PlannedErasure[] => {
    const request = toRequest(row);
    if (!request) return [];
    const orders = stored.filter(({ reference }) => reference === row.reference);
    const plan = planErasure(
      {
        reference: parseStub(row.intent).reference,
        expiresAt: Number(row.expires_at),
        isOpened: row.opened_at !== null,
        orders: orders.map(({ record }) => record),
        isUndelivered: orders.some(({ order_id }) => undelivered.has(order_id)),
      },
      request,
    );
    return [{ ...plan, row, orders, keepOrders: request.keepOrders }];
  });
  const erased = plans.filter(
    ({ action, row }) => action === 'erase' || (action === 'strip' && row.erased === null),
  );
  await markRows(db, plans);
  await deleteEvents(db, erased);
  await eraseOrders(db, erased);
  await eraseIntents(db, erased);
  return { erased: erased.length, kept: plans.flatMap(({ kept }) => kept ?? []) };
}

/** Reads the orders of checkouts, the oldest of each checkout first. */
async function readOrders(db: SqlConnection, checkouts: readonly ErasableRow[]) {
  const references = checkouts.map(({ reference }) => reference);
  const rows = await inChunks(references, (chunk) =>
    db
      .selectFrom('ramp_orders')
      .select(['order_id', 'first_event_id', 'reference', 'record'])
      .where('reference', 'in', chunk)
      .orderBy('reference')
      .orderBy('first_event_id')
      .execute(),
  );
  return rows.map(({ record, ...row }) => ({ ...row, record: JSON.parse(record) as OrderRecord }));
}

/** Returns the keys of the orders that have a change that is not delivered yet. */
async function findUndelivered(
  db: SqlConnection,
  orders: readonly StoredOrder[],
): Promise<ReadonlySet<string>> {
  const orderOf = new Map(
    orders.flatMap(({ order_id, record }) =>
      toChangeKeys(record).map((key) => [toKey(key), order_id]),
    ),
  );
  const pending = await inChunks([...orderOf.keys()], (keys) =>
    db.selectFrom('ramp_changes').select('key').where('key', 'in', keys).execute(),
  );
  return new Set(pending.map(({ key }) => orderOf.get(key) as string));
}

/** Marks the checkouts that a purge erases later, and removes the mark from all others. */
async function markRows(db: SqlConnection, plans: readonly PlannedErasure[]): Promise<void> {
  const changed = plans.filter((plan) => plan.row.erase_orders !== toMark(plan));
  for (const mark of [null, 0, 1]) {
    const ids = changed.filter((plan) => toMark(plan) === mark).map(({ row }) => row.id);
    const update = db.updateTable('ramp_intents').set({ erase_orders: mark });
    if (ids.length > 0) await update.where('id', 'in', ids).execute();
  }
}

const toMark = ({ action, keepOrders }: PlannedErasure): number | null =>
  action === 'mark' ? Number(!keepOrders) : null;

/** Deletes the log entries that have the record of an order. */
async function deleteEvents(db: SqlConnection, plans: readonly PlannedErasure[]): Promise<void> {
  const unmatched = await findUnmatchedAtFirst(
    db,
    plans.flatMap(({ orders }) => orders),
  );
  const references = plans.map(({ row }) => parseStub(row.intent).reference);
  await inChunks(references, (chunk) =>
    db
      .deleteFrom('ramp_events')
      .where('reference', 'in', chunk)
      .where('record', 'is not', null)
      .execute(),
  );
  for (const { first_event_id, record } of unmatched)
    await db
      .deleteFrom('ramp_events')
      .where('id', '>=', Number(first_event_id))
      .where('reference', 'is', null)
      .where(hasText('record', `"orderId":${JSON.stringify(record.order.orderId)}`))
      .execute();
}

/**
 * Returns the orders that may have log entries without a reference, because they were unmatched at first. If an order's
 * first entry was purged, the order counts as unmatched while the log may still have later entries of the order.
 */
async function findUnmatchedAtFirst(
  db: SqlConnection,
  orders: readonly StoredOrder[],
): Promise<readonly StoredOrder[]> {
  const firstIds = orders.map(({ first_event_id }) => Number(first_event_id));
  const first = await inChunks(firstIds, (ids) =>
    db.selectFrom('ramp_events').select(['id', 'reference']).where('id', 'in', ids).execute(),
  );
  const matched = first.filter(({ reference }) => reference !== null);
  const matchedIds = new Set(matched.map(({ id }) => Number(id)));
  const oldest = db.selectFrom('ramp_events').select(db.fn.min('at').as('at'));
  const { at } = await oldest.executeTakeFirstOrThrow();
  return orders.filter(
    ({ first_event_id, record }) =>
      !matchedIds.has(Number(first_event_id)) && record.changedAt >= Number(at),
  );
}

/** Compares without `like`, in which some characters of an order ID would have a special meaning. */
const hasText = (column: 'record', text: string) =>
  sql<boolean>`replace(${sql.ref(column)}, ${text}, '') <> ${sql.ref(column)}`;

async function eraseOrders(db: SqlConnection, plans: readonly PlannedErasure[]): Promise<void> {
  const orders = plans.flatMap(({ action, orders }) => (action === 'erase' ? orders : []));
  const rows = orders.map(({ record, first_event_id }) =>
    toOrderRow(toErasedRecord(record), Number(first_event_id)),
  );
  await inChunks(rows, (chunk) => upsertOrders(db, chunk));
}

/**
 * Erases the data of checkouts, and keeps the names by which a late order is recognized. A row without an order is then
 * purged like one that was never opened.
 */
async function eraseIntents(db: SqlConnection, plans: readonly PlannedErasure[]): Promise<void> {
  const unlisted = {
    outcome: 'expired',
    open_until: null,
    opened_at: null,
    announced_at: null,
    erase_orders: null,
    erased: 1,
  };
  const stripped = plans.filter(({ action }) => action === 'strip');
  for (const { row } of stripped) {
    const { reference, subject } = parseStub(row.intent);
    const intent = JSON.stringify({ reference, subject });
    const update = db.updateTable('ramp_intents').set({ ...unlisted, intent });
    await update.where('id', '=', row.id).execute();
  }
  const ids = plans.filter(({ action }) => action === 'erase').map(({ row }) => row.id);
  if (ids.length > 0)
    await db
      .updateTable('ramp_intents')
      .set({ ...unlisted, intent: '{}', subject: '', matched_order_id: null })
      .where('id', 'in', ids)
      .execute();
}
