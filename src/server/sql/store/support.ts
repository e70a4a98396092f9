import { sql } from 'kysely';
import type { OrderResolution } from '../../../protocol/handler/CheckoutResponse.js';
import { type OrderRecord, toChangeKeys, withResolution } from '../../orders/store/OrderRecord.js';
import {
  type Checkout,
  compareNewestFirst,
  toPendingChange,
} from '../../orders/store/OrderStore.js';
import type { OpenDatabase, SqlConnection } from '../SqlDatabase.js';
import { inChunks, toKey } from '../schema.js';
import { searchTerms } from '../searchIndexes.js';
import { executeWrite, withWriteLock } from '../transactions/withTransaction.js';
import { selectCheckouts, toCheckoutRecords } from './checkouts.js';
import { lockOrder, toHistory } from './deliveries.js';
import { addChanges, selectRecords } from './orders.js';
import type { ResolveCondition, SqlOrderStore, UndeliveredChange } from './SqlOrderStore.js';

type SupportMethods = Pick<
  SqlOrderStore,
  'search' | 'listUnpaidCheckouts' | 'listUndelivered' | 'retryUndelivered' | 'resolveOrder'
>;

export const support = (open: OpenDatabase): SupportMethods => ({
  async search({ text, limit }) {
    const { db, dialect } = await open();
    if (text === '') return { checkouts: [], unmatched: [] };
    const key = toKey(text);
    const terms = searchTerms[dialect];
    const from = key.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    const until = `${from}\u{10ffff}`;
    const begins = (term: string) => {
      const value = sql.raw(term);
      return sql<boolean>`${value} >= ${from} and ${value} < ${until}`;
    };
    const opened = db
      .selectFrom('ramp_checkouts')
      .select('reference')
      .where('opened_at', 'is not', null);
    const recorded = db.selectFrom('ramp_orders').select(['reference', 'record']);
    const found = [
      await db
        .selectFrom('ramp_checkouts')
        .select('reference')
        .where('reference', '=', key)
        .execute(),
      await opened.where(begins(terms.reference)).limit(limit).execute(),
      await opened
        .where(begins(terms.checkoutWallet))
        .orderBy(sql.raw(terms.checkoutWallet))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    ];
    const orders = [
      await recorded.where(begins(terms.orderId)).limit(limit).execute(),
      await recorded
        .where(begins(terms.orderWallet))
        .orderBy(sql.raw(terms.orderWallet))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
      await recorded.where(begins(terms.transaction)).limit(limit).execute(),
    ];
    return readFound(db, { checkouts: found.flat(), orders: orders.flat(), limit });
  },
  async listUnpaidCheckouts({ after, before, limit }) {
    const { db } = await open();
    let unpaid = db
      .selectFrom('ramp_checkouts as checkout')
      .select('checkout.terms')
      .where('checkout.opened_at', 'is not', null)
      .where('checkout.matched_order_id', 'is', null)
      .where('checkout.announced_at', 'is', null)
      .where('checkout.created_at', '<', before)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('ramp_orders as order')
              .select('order.order_id')
              .whereRef('order.reference', '=', 'checkout.reference'),
          ),
        ),
      );
    if (after)
      unpaid = unpaid.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('checkout.created_at', 'checkout.reference'),
          '>',
          tuple(after.createdAt, toKey(after.reference)),
        ),
      );
    const rows = await unpaid
      .orderBy('checkout.created_at')
      .orderBy('checkout.reference')
      .limit(limit)
      .execute();
    return rows.map(({ terms }): Checkout => JSON.parse(terms));
  },
  async listUndelivered({ orderIds, limit }) {
    const { db } = await open();
    const undelivered = db
      .selectFrom('ramp_changes as change')
      .leftJoin('ramp_checkouts as of', 'of.reference', 'change.reference')
      .select(['change.record', 'change.tries', 'change.not_before', 'of.terms'])
      .orderBy('change.id')
      .limit(limit);
    const keys = orderIds && (await listChangeKeys(db, orderIds));
    if (keys?.length === 0) return [];
    const rows = await (keys ? undelivered.where('change.key', 'in', keys) : undelivered).execute();
    return rows.map(
      ({ record, tries, not_before, terms }) =>
        ({
          ...toPendingChange(
            JSON.parse(record),
            terms ? JSON.parse(terms) : undefined,
            Number(tries),
          ),
          notBefore: Number(not_before),
        }) as UndeliveredChange,
    );
  },
  async retryUndelivered(orderIds) {
    const database = await open();
    const keys = await listChangeKeys(database.db, orderIds);
    if (keys.length === 0) return 0;
    const updates = await executeWrite(database, (db) =>
      db.updateTable('ramp_changes').set({ tries: 0, not_before: 0 }).where('key', 'in', keys),
    );
    return updates.reduce((total, { numUpdatedRows }) => total + Number(numUpdatedRows), 0);
  },
  async resolveOrder(orderId, resolution, { onlyIf } = {}) {
    const database = await open();
    return withWriteLock(database, async (db) => {
      const key = toKey(orderId);
      // Wait while the order is being delivered.
      const found = await lockOrder(db, database.dialect, key);
      if (!found) return undefined;
      const { deliveredAt } = toHistory(found);
      const delivery = deliveredAt === undefined ? {} : { deliveredAt };
      const stored: OrderRecord = JSON.parse(found.record);
      if (stored.matchStatus === 'erased') return undefined;
      const before = stored.resolution ?? null;
      if (onlyIf && !isAsSeen(onlyIf, before, deliveredAt))
        return { isRecorded: false, ...(before && { resolution: before }), ...delivery };
      const resolved = { isRecorded: true, ...(resolution && { resolution }), ...delivery };
      if (before === resolution) return resolved;
      const record = withResolution(stored, resolution);
      await db
        .updateTable('ramp_orders')
        .set({ record: JSON.stringify(record) })
        .where('order_id', '=', key)
        .execute();
      await resolvePendingChanges(db, record, resolution);
      // The order's change may have been handled while the order was resolved. Then nothing else would deliver the
      // order.
      if (resolution === null) await addChanges(db, [record]);
      return resolved;
    });
  },
});

/** Returns whether an order is still as the operator saw it. */
const isAsSeen = (
  { resolution, isDelivered }: ResolveCondition,
  before: OrderResolution | null,
  deliveredAt: number | undefined,
): boolean =>
  (resolution ?? null) === before &&
  (isDelivered === undefined || isDelivered === (deliveredAt !== undefined));

/** Returns the keys under which the changes of these orders are stored while they are undelivered. */
async function listChangeKeys(db: SqlConnection, orderIds: readonly string[]): Promise<string[]> {
  const rows = await inChunks(orderIds.map(toKey), (chunk) => selectRecords(db, chunk));
  return rows.flatMap(({ record }) => toChangeKeys(JSON.parse(record)).map(toKey));
}

/** A change that failed may be delivered after the resolution, so it must carry the resolution too. */
async function resolvePendingChanges(
  db: SqlConnection,
  order: OrderRecord,
  resolution: OrderResolution | null,
): Promise<void> {
  const pending = await db
    .selectFrom('ramp_changes')
    .select(['key', 'record'])
    .where('key', 'in', toChangeKeys(order).map(toKey))
    .execute();
  for (const { key, record } of pending)
    await db
      .updateTable('ramp_changes')
      .set({ record: JSON.stringify(withResolution(JSON.parse(record), resolution)) })
      .where('key', '=', key)
      .execute();
}

interface FoundRows {
  readonly checkouts: readonly { readonly reference: string }[];
  readonly orders: readonly { readonly reference: string | null; readonly record: string }[];
  readonly limit: number;
}

/** Reads the checkouts that were found directly or by one of their orders, and the orders without a checkout. */
async function readFound(db: SqlConnection, { checkouts: found, orders, limit }: FoundRows) {
  const references = [...found, ...orders].flatMap(({ reference }) => reference ?? []);
  const keys = [...new Set(references)].slice(0, limit);
  const rows =
    keys.length === 0 ? [] : await selectCheckouts(db).where('reference', 'in', keys).execute();
  const unmatched = new Set(orders.flatMap(({ reference, record }) => (reference ? [] : record)));
  const checkouts = await toCheckoutRecords(db, rows);
  return {
    checkouts: checkouts.sort((a, b) => compareNewestFirst(a, b)),
    unmatched: [...unmatched].slice(0, limit).map((record): OrderRecord => JSON.parse(record)),
  };
}
