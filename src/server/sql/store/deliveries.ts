import { type Kysely, type Selectable, sql } from 'kysely';
import type { OrderHistory, ReviewReason } from '../../orders/outcomes.js';
import {
  MAX_BACKOFF_SECONDS,
  type OrderStore,
  type PendingChange,
  toPendingChange,
} from '../../orders/store/OrderStore.js';
import type { OpenDatabase, SqlConnection, SqlDatabase, SqlDialect } from '../SqlDatabase.js';
import { type Tables, toKey } from '../schema.js';
import { executeWrite, runDelivery } from '../transactions/withTransaction.js';

type DeliveryMethods<Transaction> = Pick<
  OrderStore<Transaction>,
  'listPendingChanges' | 'handleChange' | 'postponeChange'
>;

/**
 * Creates the methods for deliveries, a transactional outbox. The transaction that records an order also adds a change
 * to the table `ramp_changes`. The change stays there until it has been handled.
 */
export const deliveries = <Schema>(
  open: OpenDatabase,
  shop: SqlDatabase<Schema>,
): DeliveryMethods<Kysely<Schema>> => ({
  async listPendingChanges(now, limit) {
    const { db } = await open();
    const { rows } = await selectQueued(now, limit).execute(db);
    return rows.map(toChange);
  },
  async handleChange({ key, record }, handle) {
    await open();
    const orderKey = toKey(record.order.orderId);
    return runDelivery(shop, async (transaction, settle) => {
      const db = transaction.withoutPlugins() as unknown as SqlConnection;
      // Lock the order first, as `resolveOrder` does, so that an order cannot be resolved while it is being delivered.
      const order = await lockOrder(db, shop.dialect, orderKey);
      const queued = await selectChange(db, toKey(key));
      if (!queued || !order) return false;
      const history = toHistory(order);
      const next = await handle(toChange(queued), history, transaction);
      await settle();
      if (next !== history)
        await db
          .updateTable('ramp_orders')
          .set({
            delivered_at: next.deliveredAt ?? null,
            reviewed_for: next.reviewedFor?.join(' ') ?? null,
          })
          .where('order_id', '=', orderKey)
          .execute();
      await db.deleteFrom('ramp_changes').where('key', '=', toKey(key)).execute();
      return true;
    });
  },
  async postponeChange(key, notBefore) {
    const later = { not_before: notBefore, tries: sql<number>`tries + 1` };
    await executeWrite(await open(), (db) =>
      db.updateTable('ramp_changes').set(later).where('key', '=', toKey(key)),
    );
  },
});

/** Reads an order, and keeps other transactions from handling or resolving it. */
export function lockOrder(db: SqlConnection, dialect: SqlDialect, orderKey: string) {
  const order = db
    .selectFrom('ramp_orders')
    .select(['record', 'delivered_at', 'reviewed_for'])
    .where('order_id', '=', orderKey);
  // A SQLite transaction already has the write lock.
  return (dialect === 'postgres' ? order.forUpdate() : order).executeTakeFirst();
}

export const toHistory = ({
  delivered_at,
  reviewed_for,
}: Pick<Selectable<Tables['ramp_orders']>, 'delivered_at' | 'reviewed_for'>): OrderHistory => ({
  ...(delivered_at !== null && { deliveredAt: Number(delivered_at) }),
  ...(reviewed_for && { reviewedFor: reviewed_for.split(' ') as ReviewReason[] }),
});

const selectChange = (db: SqlConnection, key: string): Promise<QueuedChange | undefined> =>
  db
    .selectFrom('ramp_changes as change')
    .leftJoin('ramp_checkouts as of', 'of.reference', 'change.reference')
    .select(['change.record', 'change.tries', 'of.terms'])
    .where('change.key', '=', key)
    .executeTakeFirst();

const toChange = ({ record, tries, terms }: QueuedChange): PendingChange =>
  toPendingChange(JSON.parse(record), terms ? JSON.parse(terms) : undefined, Number(tries));

/**
 * Selects the changes that are due, and then those that are postponed beyond the longest backoff, because the clock was
 * ahead. The two are joined by `union all`, because the index cannot serve both conditions at once. Every instance runs
 * this statement each time it looks for work, so it is a single statement in plain SQL, which saves Kysely from
 * building it.
 */
const selectQueued = (now: number, limit: number) => sql<QueuedChange>`
  select queued.record, queued.tries, checkout.terms
  from (
    select * from (
      select record, tries, reference, not_before, id from ramp_changes
      where not_before <= ${now} order by not_before, id limit ${limit}
    ) as due
    union all
    select * from (
      select record, tries, reference, not_before, id from ramp_changes
      where not_before > ${now + MAX_BACKOFF_SECONDS} order by not_before, id limit ${limit}
    ) as postponed
  ) as queued
  left join ramp_checkouts as checkout on checkout.reference = queued.reference
  order by queued.not_before, queued.id
  limit ${limit}`;

interface QueuedChange {
  readonly record: string;
  readonly tries: number | string;
  readonly terms: string | null;
}
